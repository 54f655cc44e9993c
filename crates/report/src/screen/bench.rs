//! `fiel judge bench`

use std::fmt::Write;

use fiel_record::{BenchReport, counted};

use crate::Style;

/// Renders one row per scorer, then the failures of self-tests.
pub fn bench_screen(bench: &BenchReport, style: Style) -> String {
    let mut out = String::new();
    let limited = if bench.claims == bench.of {
        String::new()
    } else {
        format!(", the first of {}", bench.of)
    };
    let _ = writeln!(
        out,
        "{}  {}{limited}, {} of them supported ({})",
        style.bold(&bench.file),
        counted(bench.claims, "claim"),
        bench.supported,
        bench.format
    );
    let _ = writeln!(
        out,
        "{}",
        style.dim(&format!(
            "  {:<10} {:<23} {:<26} {:<16} {:<18} {:>9} {:>9}",
            "scorer", "AUROC", "to overlap", "F1", "best F1", "ms/claim", "tokens"
        ))
    );
    for row in &bench.rows {
        let area = &row.area;
        let auroc =
            format!("{:.3} [{:.3}, {:.3}]", area.auroc, area.interval.low, area.interval.high);
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
            let line = format!("{}: self-test failed, {count} wrong:", row.scorer);
            let _ = writeln!(out, "{}", style.bad(&line));
            for pair in &row.failed_self_test {
                let _ = writeln!(out, "  {pair}");
            }
        }
    }
    if bench.rows.iter().any(|row| row.out_of_fold) {
        out.push_str(
            "grounded: fitted on this file, so scored out of fold (5 folds by hash of the claim)\n",
        );
    }
    out.push_str(
        "95 % intervals by bootstrap over claims; best F1: these labels choose the threshold\n",
    );
    out
}
