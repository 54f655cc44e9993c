//! `fiel bless`

use std::fmt::Write;

use fiel_record::{BaselineUpdate, MeanChange, counted};

/// What `fiel bless` changed: means first, then ids of questions.
pub fn bless_screen(update: &BaselineUpdate) -> String {
    let (path, run, questions) =
        (update.path.display(), &update.run, counted(update.questions, "question"));
    let Some(before) = &update.before else {
        return format!("{path}: {questions} of run {run}\n");
    };
    let mut out = format!("{path}: run {before} → {run}, {questions}\n");
    let mean = |mean: Option<f64>| mean.map_or("none".to_owned(), |mean| format!("{mean:.3}"));
    for MeanChange(column, old, new) in &update.means {
        let _ = writeln!(out, "  {column}: {} → {}", mean(*old), mean(*new));
    }
    let ids =
        [("added", &update.added), ("removed", &update.removed), ("changed", &update.changed)];
    for (what, ids) in ids {
        if !ids.is_empty() {
            let _ = writeln!(out, "  {} {what}: {}", ids.len(), ids.join(", "));
        }
    }
    if update.means.is_empty() && ids.iter().all(|(_, ids)| ids.is_empty()) {
        out.push_str("  no value changed\n");
    }
    out
}
