//! `fiel runs`, and the measures of a run by tag.

use std::fmt::Write;

use fiel_record::{Column, RunRow, Summary, headline, one_line};

use crate::{Style, column_title, mean_text};

/// Renders one row per run and one column per headline measure that a run has.
pub fn runs_screen(rows: &[RunRow], style: Style) -> String {
    let columns: Vec<Column> = headline()
        .into_iter()
        .filter(|column| rows.iter().any(|row| row.means.contains_key(column)))
        .collect();
    let width = |text: &dyn Fn(&RunRow) -> usize, least: usize| {
        rows.iter().map(text).max().unwrap_or(0).max(least)
    };
    let run = width(&|r| r.run.chars().count(), 3);
    let gold = width(&|r| r.gold.chars().count(), 4);
    let mut head = format!("{:<run$}  {:<gold$} {:>9}", "run", "gold", "questions");
    for column in &columns {
        let _ = write!(head, "  {}", column_title(*column));
    }
    head.push_str("  commit         note");
    let mut out = style.bold(&head) + "\n";
    for row in rows {
        let questions = if row.questions < row.planned {
            format!("{}/{}", row.questions, row.planned)
        } else {
            row.questions.to_string()
        };
        let mut line = format!("{:<run$}  {:<gold$} {questions:>9}", row.run, row.gold);
        for column in &columns {
            let width = column_title(*column).chars().count();
            let mean = row.means.get(column);
            let mean = mean.map_or("-".to_owned(), |mean| format!("{mean:.3}"));
            let _ = write!(line, "  {mean:>width$}");
        }
        let commit = row.git.as_deref().unwrap_or("-");
        let dirty = if row.dirty { " dirty" } else { "" };
        let _ = write!(line, "  {:<13}", format!("{commit}{dirty}"));
        if row.started.is_none() {
            line.push_str("  unfinished: `fiel eval --resume`");
        }
        if let Some(note) = &row.note {
            let _ = write!(line, "  {}", one_line(note, 60));
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

/// Renders the headline measures by tag; `*` marks tags with fewer than ten questions.
pub fn slices_screen(summary: &Summary, style: Style) -> String {
    let columns: Vec<Column> =
        headline().into_iter().filter(|column| summary.estimate(*column).is_some()).collect();
    let tags = summary.slices.keys().map(|tag| tag.chars().count());
    let width = tags.max().unwrap_or(0).max(3);
    let mut out = String::new();
    let mut small = false;
    for column in columns {
        let title = format!("{}.{}", column.mode, column.measure.mean_name());
        let _ = writeln!(out, "{}", style.bold(&title));
        let overall = summary.estimate(column).map(|e| ("all", e));
        let tags = summary.slices.iter();
        let tags = tags.filter_map(|(tag, of_tag)| Some((tag.as_str(), of_tag.get(&column)?)));
        for (tag, estimate) in overall.into_iter().chain(tags) {
            if estimate.mean.mean.is_none() {
                continue;
            }
            let (mean, n) = (mean_text(estimate, ""), estimate.mean.n);
            let line = format!("  {tag:<width$}  {mean:<20}  n {n}");
            if n < 10 {
                small = true;
                let _ = writeln!(out, "{}", style.dim(&format!("{line} *")));
            } else {
                let _ = writeln!(out, "{line}");
            }
        }
    }
    if small {
        out.push_str("* fewer than 10 questions: not reliable\n");
    }
    out
}
