//! One question of a run on the terminal.

use std::{collections::BTreeMap, fmt::Write};

use fiel_metrics::{Measure, Value};
use fiel_record::{EvalMode, LegRecord, QuestionRecord, ReadRecord, one_line};

use crate::Style;

/// Texts of chunks by id, or the reason why they are not available. Records do not contain them.
pub type Texts = Result<BTreeMap<String, String>, String>;

/// Renders one question of a run with its passages, answers, claims and values.
pub fn question_screen(record: &QuestionRecord, texts: &Texts, style: Style) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "{}  {}", style.bold(&record.id), one_line(&record.question, usize::MAX));
    let _ = writeln!(out, "  {}, {}: {}", record.split, record.lang, record.tags.join(" "));
    if record.unanswerable {
        out.push_str("  expected: an abstention, because the knowledge base holds no answer\n");
    } else {
        let _ = writeln!(out, "  expected: {}", record.references.join(" | "));
    }
    if let Some(class) = record.class {
        let _ = writeln!(out, "  class: {}", style.bad(&class.to_string()));
    }
    if !record.marks.is_empty() {
        let marks: Vec<String> = record.marks.iter().map(ToString::to_string).collect();
        let _ = writeln!(out, "  marks: {}", marks.join(", "));
    }
    hits(&mut out, record, texts, style);
    for (mode, title) in [(EvalMode::Oracle, "Oracle context"), (EvalMode::E2e, "End to end")] {
        if let Some(read) = record.read(mode) {
            reading(&mut out, title, read, record, style);
        }
    }
    if let Err(why) = texts {
        let _ = writeln!(out, "\ntexts of passages are not shown: {why}");
    }
    out
}

fn hits(out: &mut String, record: &QuestionRecord, texts: &Texts, style: Style) {
    let retrieval = &record.retrieval;
    let _ = writeln!(out, "\n{}", style.bold("Retrieval"));
    if let Some(error) = &retrieval.error {
        let _ = writeln!(out, "  {}", style.bad(&format!("failed: {error}")));
    }
    if !retrieval.evidence.is_empty() {
        let _ = writeln!(out, "  evidence in {}", retrieval.evidence.join(", "));
    }
    values(out, record.measures(EvalMode::Retrieval));
    let text_line = |chunk: &str| {
        let text = texts.as_ref().ok().and_then(|texts| texts.get(chunk));
        text.map_or(String::new(), |text| {
            let text = one_line(text, style.width.saturating_sub(6));
            format!("      {}\n", style.dim(&text))
        })
    };
    let leg = |leg: Option<LegRecord>| {
        leg.map_or("-".to_owned(), |l| format!("{} ({:.3})", l.rank, l.score))
    };
    for hit in &retrieval.hits {
        let mark = if hit.finds.is_empty() { " " } else { "✓" };
        let line = format!(
            "{mark} {:>2}. {}  score {:.4}, bm25 {}, dense {}",
            hit.rank,
            hit.chunk,
            hit.score,
            leg(hit.bm25),
            leg(hit.dense)
        );
        let line = match hit.finds[..] {
            [] => line,
            _ => {
                let groups: Vec<String> = hit.finds.iter().map(|g| (g + 1).to_string()).collect();
                style.good(&format!("{line}, contains evidence {}", groups.join(", ")))
            }
        };
        let _ = write!(out, "{line}\n{}", text_line(&hit.chunk));
    }
    let missing = retrieval
        .evidence
        .iter()
        .filter(|chunk| !retrieval.hits.iter().any(|hit| hit.chunk == **chunk));
    for chunk in missing {
        let line = style.bad(&format!("✗  -. {chunk}  not retrieved"));
        let _ = write!(out, "{line}\n{}", text_line(chunk));
    }
}

fn reading(
    out: &mut String,
    title: &str,
    read: &ReadRecord,
    record: &QuestionRecord,
    style: Style,
) {
    let _ = writeln!(out, "\n{}", style.bold(title));
    if let Some(error) = &read.error {
        let _ = writeln!(out, "  {}", style.bad(&format!("failed: {error}")));
        return;
    }
    let context: Vec<String> =
        read.passages.iter().map(|p| format!("[{}] {}", p.id, p.chunk)).collect();
    let _ = writeln!(out, "  context: {}", context.join(", "));
    if !read.dropped.is_empty() {
        let _ = writeln!(out, "  dropped by the token limit: {}", read.dropped.join(", "));
    }
    if !read.prompt.is_empty() {
        let _ = writeln!(out, "  prompt, {} tokens:", read.prompt_tokens);
        for line in read.prompt.lines() {
            let _ = writeln!(out, "  | {}", style.dim(&one_line(line, usize::MAX)));
        }
    }
    let verdict = match (record.unanswerable, read.abstained, read.right) {
        (true, true, _) => style.good("correct abstention"),
        (true, false, _) => style.bad("false answer"),
        (false, true, _) => style.bad("abstention"),
        (false, false, true) => style.good("right"),
        (false, false, false) => style.bad("wrong"),
    };
    let answer = one_line(&read.answer, usize::MAX);
    let _ = writeln!(out, "  answer: {answer}  ({verdict})");
    values(out, Some(&read.measures));
    if let Some(split) = read.split.filter(|split| split.refused > 0) {
        let _ = writeln!(
            out,
            "  {} of {} sentences were split into clauses, because the claims of the model added or \
             dropped content",
            split.refused, split.sentences
        );
    }
    for claim in &read.claims {
        let support = match (claim.strict, claim.loose) {
            (true, _) => style.good("supported by the cited passages"),
            (false, true) if claim.cites.is_empty() => {
                "supported by the context, but cites nothing".to_owned()
            }
            (false, true) => "supported by the context, but not by the cited passages".to_owned(),
            (false, false) => style.bad(claim.reason.as_deref().unwrap_or("not supported")),
        };
        let text = one_line(&claim.text, usize::MAX);
        let cites = if claim.cites.is_empty() {
            String::new()
        } else {
            format!(" [{}]", claim.cites.join(", "))
        };
        let _ = writeln!(
            out,
            "  claim: {text}{cites}: {support}; word overlap with the context {:.0}%",
            claim.share * 100.0
        );
    }
}

fn values(out: &mut String, values: Option<&BTreeMap<Measure, Value>>) {
    let parts: Vec<String> = values
        .into_iter()
        .flatten()
        .map(|(measure, value)| match value {
            // Adding 0 turns -0 into 0.
            Value::Ok(score) => format!("{measure} {:.3}", score + 0.0),
            Value::Undefined => format!("{measure} undefined"),
            Value::Failed => format!("{measure} failed"),
        })
        .collect();
    if !parts.is_empty() {
        let _ = writeln!(out, "  {}", parts.join(", "));
    }
}
