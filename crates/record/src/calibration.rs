//! Scorers of claims compared with labels by people.

use fiel_metrics::Agreement;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Name and version of a calibration as JSON.
pub const CALIBRATION_SCHEMA: &str = "fiel.calibration/1";

/// Agreement of scorers with labels by people.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Calibration {
    /// [`CALIBRATION_SCHEMA`].
    pub schema: String,
    /// The file of labels.
    pub file: String,
    /// Number of labels in the file.
    pub labels: usize,
    /// Every scorer that scored at least one labelled claim.
    pub scorers: Vec<CalibratedScorer>,
}

/// One scorer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CalibratedScorer {
    /// Its name.
    pub scorer: String,
    /// Minimum score of a supported claim.
    pub threshold: f64,
    /// Agreement, base rate and kappa at this threshold.
    pub agreement: Agreement,
    /// A threshold chosen by kappa; null with too few labels.
    pub tuned: Option<TunedThreshold>,
    /// Why its values are not reliable; absent if they are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uncalibrated: Option<String>,
    /// Claims with a different label.
    pub disagreements: Vec<Disagreement>,
}

/// A threshold chosen on one half of the labels.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TunedThreshold {
    /// The threshold.
    pub threshold: f64,
    /// Kappa on the half that chose it.
    pub kappa: f64,
    /// Number of labels in that half.
    pub n: usize,
    /// Agreement on the other half.
    pub on_other: Agreement,
}

/// A claim whose label and score disagree.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Disagreement {
    /// Id of the question.
    pub question: String,
    /// The claim.
    pub claim: String,
    /// Whether the claim is labelled as supported.
    pub label: bool,
    /// Score of the scorer.
    pub score: f64,
}
