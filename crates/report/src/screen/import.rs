//! `fiel gold import`

use std::fmt::Write;

use fiel_record::ImportResult;

/// Counts by kind, and what differs from the source.
pub fn import_screen(result: &ImportResult) -> String {
    let mut out = String::new();
    for (kind, counts) in &result.counts {
        let merged = match counts.merged {
            0 => String::new(),
            n => format!(", {n} merged into an earlier row"),
        };
        let _ = writeln!(
            out,
            "{kind}: {} read, {} written{merged}, {} left out",
            counts.read, counts.written, counts.refused
        );
    }
    if !result.renamed.is_empty() {
        let _ = writeln!(
            out,
            "{} document ids cannot be file names and were changed; --json lists them",
            result.renamed.len()
        );
    }
    for note in &result.notes {
        let _ = writeln!(out, "{note}");
    }
    out
}
