use std::{collections::BTreeMap, fmt::Write};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Column, Style, Summary, headline};

/// A run in a row.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RunRow {
    /// Its id.
    pub run: String,
    /// Start, in UTC; absent in a run that was killed.
    pub started: Option<String>,
    /// Gold set, and which of its questions.
    pub gold: String,
    /// Questions answered, and those that were to be.
    pub questions: usize,
    /// More than `questions` in a run that was killed or stopped.
    pub planned: usize,
    /// The reader, or the other system that was scored.
    pub reader: Option<String>,
    /// Means by measure.
    pub means: BTreeMap<Column, f64>,
    /// Commit.
    pub git: Option<String>,
    /// Whether files differed from the commit.
    pub dirty: bool,
    /// What was written about it.
    pub note: Option<String>,
}

impl RunRow {
    /// The row of a run from its summary.
    pub fn of(summary: &Summary) -> Self {
        let manifest = &summary.manifest;
        let mut means = BTreeMap::new();
        for (mode, measures) in &summary.measures {
            for (&measure, estimate) in measures {
                if let (Ok(mode), Some(mean)) = (mode.parse(), estimate.mean.mean) {
                    means.insert(Column { mode, measure }, mean);
                }
            }
        }
        let git = summary.timing.git.as_deref();
        let commit = git.map(|git| git.strip_suffix("-dirty").unwrap_or(git).to_owned());
        Self {
            run: summary.timing.run.clone(),
            started: Some(summary.timing.started.clone()),
            gold: format!("{} {}", manifest.gold, manifest.questions),
            questions: summary.answerable + summary.unanswerable,
            planned: summary.planned,
            reader: manifest.system.clone().or(manifest.reader.clone()),
            means,
            dirty: git.is_some_and(|git| git.ends_with("-dirty")),
            git: commit,
            note: summary.timing.note.clone(),
        }
    }
}

/// Runs in a table, one a row, a headline measure a column where any run has it.
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
    let title = |column: &Column| {
        let measure = column.measure.mean_name();
        match column.mode {
            crate::EvalMode::Retrieval => measure,
            mode => format!("{mode}.{measure}"),
        }
    };
    for column in &columns {
        let _ = write!(head, "  {}", title(column));
    }
    head.push_str("  commit         note");
    let mut out = style.bold(&head) + "\n";
    for row in rows {
        let questions = match row.questions < row.planned {
            true => format!("{}/{}", row.questions, row.planned),
            false => row.questions.to_string(),
        };
        let mut line = format!("{:<run$}  {:<gold$} {questions:>9}", row.run, row.gold);
        for column in &columns {
            let width = title(column).chars().count();
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
            let _ = write!(line, "  {}", crate::one_line(note, 60));
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

/// The headline measures by tag; a mark where a slice has fewer than ten questions.
pub fn slices_screen(summary: &Summary, style: Style) -> String {
    let columns: Vec<Column> = headline()
        .into_iter()
        .filter(|column| summary.estimate(*column).is_some())
        .collect();
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
            let Some(mean) = estimate.mean.mean else {
                continue;
            };
            let n = estimate.mean.n;
            let interval = estimate
                .interval
                .map_or(String::new(), |i| format!("[{:.3}, {:.3}]", i.low, i.high));
            let mark = if n < 10 { " *" } else { "" };
            small |= n < 10;
            let line = format!("  {tag:<width$}  {mean:.3} {interval:<14}  n {n}{mark}");
            let _ = writeln!(out, "{}", if n < 10 { style.dim(&line) } else { line });
        }
    }
    if small {
        out.push_str("* fewer than 10 questions: the figure says little\n");
    }
    out
}
