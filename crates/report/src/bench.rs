use std::fmt::Write;

use fiel_metrics::ResampledAuroc;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Style;

/// Name and version of a bench of scorers as JSON.
pub const BENCH_SCHEMA: &str = "fiel.bench/1";

/// Scorers on claims that people labelled.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct BenchReport {
    /// [`BENCH_SCHEMA`].
    pub schema: String,
    /// The file.
    pub file: String,
    /// SHA-256 of it.
    pub sha256: String,
    /// How it is written.
    pub format: String,
    /// Claims scored.
    pub claims: usize,
    /// Claims of the file.
    pub of: usize,
    /// Claims labelled as supported.
    pub supported: usize,
    /// A row a scorer; word overlap, which the others are compared with, is the first.
    pub rows: Vec<BenchRow>,
}

/// One scorer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct BenchRow {
    /// Its name.
    pub scorer: String,
    /// AUROC, and its difference to that of word overlap.
    #[serde(flatten)]
    pub area: ResampledAuroc,
    /// A claim that scores so much is supported.
    pub threshold: f64,
    /// F1 of "supported" at the threshold.
    pub f1: f64,
    /// The best F1 of any threshold: chosen on these very labels.
    pub best_f1: f64,
    /// The threshold of the best F1.
    pub best_threshold: f64,
    /// Wall time for all claims.
    pub seconds: f64,
    /// Tokens that a language model read.
    pub tokens: usize,
    /// Whether each claim was scored by coefficients fitted without its fold.
    pub out_of_fold: bool,
    /// The language model of a judge.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Pairs of the self-test that it has wrong; whoever fails it judges no run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub failed_self_test: Vec<FailedPair>,
}

/// A pair whose answer is certain, and which a scorer has wrong.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FailedPair {
    /// `identity`, `changed number`, …
    pub what: String,
    /// The claim.
    pub claim: String,
    /// What it was held against.
    pub passage: String,
    /// Whether the passage supports it.
    pub supported: bool,
    /// What the scorer gave.
    pub score: f64,
}

impl std::fmt::Display for FailedPair {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let wanted = if self.supported { "yes" } else { "no" };
        write!(
            f,
            "{}: \"{}\" by \"{}\": {wanted} is right, yes was given {:.2}",
            self.what, self.claim, self.passage, self.score
        )
    }
}

/// A bench on the terminal.
pub fn bench_screen(bench: &BenchReport, style: Style) -> String {
    let mut out = String::new();
    let limited = match bench.claims == bench.of {
        true => String::new(),
        false => format!(", the first of {}", bench.of),
    };
    let _ = writeln!(
        out,
        "{}  {} claims{limited}, {} of them supported ({})",
        style.bold(&bench.file),
        bench.claims,
        bench.supported,
        bench.format
    );
    let _ = writeln!(
        out,
        "{}",
        style.dim(&format!(
            "  {:<10} {:<23} {:<26} {:<16} {:<18} {:>9} {:>9}",
            "scorer", "AUROC", "against overlap", "F1", "best F1", "ms/claim", "tokens"
        ))
    );
    for row in &bench.rows {
        let area = &row.area;
        let auroc = format!(
            "{:.3} [{:.3}, {:.3}]",
            area.auroc, area.interval.low, area.interval.high
        );
        let difference = match row.scorer.as_str() {
            "overlap" => String::new(),
            _ => format!(
                "{:+.3} [{:+.3}, {:+.3}]",
                area.difference, area.difference_interval.low, area.difference_interval.high
            ),
        };
        let _ = writeln!(
            out,
            "  {:<10} {auroc:<23} {difference:<26} {:<16} {:<18} {:>9.1} {:>9}",
            row.scorer,
            format!("{:.3} at {:.2}", row.f1, row.threshold),
            format!("{:.3} at {:.3}", row.best_f1, row.best_threshold),
            row.seconds * 1000.0 / bench.claims.max(1) as f64,
            row.tokens
        );
    }
    for row in &bench.rows {
        if let Some(model) = &row.model {
            let _ = writeln!(out, "{}: {model}", row.scorer);
        }
        if !row.failed_self_test.is_empty() {
            let count = row.failed_self_test.len();
            let line = format!("{}: failed self-test, {count} wrong:", row.scorer);
            let _ = writeln!(out, "{}", style.bad(&line));
            for pair in &row.failed_self_test {
                let _ = writeln!(out, "  {pair}");
            }
        }
    }
    if bench.rows.iter().any(|row| row.out_of_fold) {
        out.push_str(
            "grounded: out of fold, 5 folds fixed by hash of the claim, for it was fitted on this file\n",
        );
    }
    out.push_str("95 % intervals by bootstrap over claims; best F1: its threshold is chosen on these labels\n");
    out
}
