//! `fiel judge calibrate`

use std::fmt::Write;

use fiel_metrics::{Agreement, Interval};
use fiel_record::{Calibration, counted, one_line};

use crate::Style;

/// Renders the agreement of each scorer with the labels, and the claims without agreement.
pub fn calibration_screen(calibration: &Calibration, style: Style) -> String {
    let mut out = String::new();
    let _ = writeln!(
        out,
        "{}  {}",
        style.bold(&calibration.file),
        counted(calibration.labels, "label")
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
                    "  at {:.3}, the best threshold for one half (kappa {:.3}, n {}): other half kappa {}, agreement {:.3}, n {}",
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
            let label = if d.label { "supported" } else { "not supported" };
            let claim = one_line(&d.claim, style.width.saturating_sub(40));
            let _ =
                writeln!(out, "  ✗ {}: label {label}, score {:.3}: {claim}", d.question, d.score);
        }
    }
    out
}
