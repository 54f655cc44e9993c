use std::fmt::Write;

use fiel_metrics::{Agreement, Interval};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Style, one_line};

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

/// A calibration on the terminal.
pub fn calibration_screen(calibration: &Calibration, style: Style) -> String {
    let mut out = String::new();
    let _ = writeln!(
        out,
        "{}  {} labels",
        style.bold(&calibration.file),
        calibration.labels
    );
    let range = |i: &Interval| format!("[{:.3}, {:.3}]", i.low, i.high);
    let kappa = |a: &Agreement| match (a.kappa, &a.kappa_interval) {
        (Some(kappa), Some(interval)) => format!("{kappa:.3} {}", range(interval)),
        _ => "undefined".to_owned(),
    };
    for scorer in &calibration.scorers {
        let a = &scorer.agreement;
        let _ = writeln!(out, "\n{}  n {}", style.bold(&scorer.scorer), a.n);
        let _ = writeln!(
            out,
            "  at {:.2}: agreement {:.3} {}, base rate {:.3} {}, kappa {}",
            scorer.threshold,
            a.agreement,
            range(&a.agreement_interval),
            a.base_rate,
            range(&a.base_rate_interval),
            kappa(a)
        );
        match &scorer.tuned {
            Some(tuned) => {
                let _ = writeln!(
                    out,
                    "  at {:.3}, the best kappa of one half ({:.3}, n {}): on the other half kappa {}, agreement {:.3}, n {}",
                    tuned.threshold,
                    tuned.kappa,
                    tuned.n,
                    kappa(&tuned.on_other),
                    tuned.on_other.agreement,
                    tuned.on_other.n
                );
            }
            None => out.push_str("  too few labels to choose a threshold\n"),
        }
        if let Some(why) = &scorer.uncalibrated {
            let _ = writeln!(out, "  {}", style.bad(&format!("uncalibrated: {why}")));
        }
        for d in &scorer.disagreements {
            let said = if d.label {
                "supported"
            } else {
                "not supported"
            };
            let claim = one_line(&d.claim, style.width.saturating_sub(40));
            let _ = writeln!(
                out,
                "  ✗ {}: person {said}, score {:.3}: {claim}",
                d.question, d.score
            );
        }
    }
    out
}
