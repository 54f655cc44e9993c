//! Scorers of claims compared with labels by people.

use fiel_metrics::Agreement;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Name and version of a calibration as JSON.
pub const CALIBRATION_SCHEMA: &str = "fiel.calibration/1";

/// Scorers of claims against people.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Calibration {
    /// [`CALIBRATION_SCHEMA`].
    pub schema: String,
    /// The file of labels.
    pub file: String,
    /// Labels in it.
    pub labels: usize,
    /// Each scorer that scored any of the labelled claims.
    pub scorers: Vec<CalibratedScorer>,
}

/// One scorer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CalibratedScorer {
    /// Its name.
    pub scorer: String,
    /// A claim that scores so much is supported.
    pub threshold: f64,
    /// Agreement, base rate and kappa at this threshold.
    pub agreement: Agreement,
    /// A threshold chosen by kappa; none with too few labels.
    pub tuned: Option<TunedThreshold>,
    /// Why its figures are not to be relied on; absent when they are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uncalibrated: Option<String>,
    /// The claims on which people say otherwise.
    pub disagreements: Vec<Disagreement>,
}

/// A threshold chosen on one half of the labels.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TunedThreshold {
    /// The threshold.
    pub threshold: f64,
    /// Kappa on the half that it was chosen on.
    pub kappa: f64,
    /// Labels of that half.
    pub n: usize,
    /// What it gives on the other half.
    pub on_other: Agreement,
}

/// A claim on which a person and a scorer disagree.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Disagreement {
    /// Id of the question.
    pub question: String,
    /// The claim.
    pub claim: String,
    /// What the person said.
    pub label: bool,
    /// What the scorer gave.
    pub score: f64,
}
