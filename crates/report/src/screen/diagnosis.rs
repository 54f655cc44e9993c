//! A diagnosis on the terminal and as Markdown.

use std::fmt::Write;

use fiel_record::{
    Class, Cluster, ClusterKind, DiagnosedQuestion, Diagnosis, Proof, Repair, TagClasses, counted,
    one_line,
};

use crate::{Style, markdown::escape, p_value};

/// Level of the tests after correction.
const ALPHA: f64 = 0.05;
/// Clusters shown.
const CLUSTERS: usize = 8;
/// Questions of a tag from which on it has a line.
const TAGGED: usize = 5;
/// Share of unexplained answers that is too many.
const UNEXPLAINED: f64 = 0.10;

/// A diagnosis on the terminal: what misses have in common, what could be won, and then each.
pub fn diagnosis_screen(d: &Diagnosis, style: Style) -> String {
    let mut out = format!("{}\n", style.bold(&headline(d)));
    if d.wrong.is_empty() {
        return out;
    }
    let _ = writeln!(out, "\n{}", style.bold("Where the misses cluster"));
    for (cluster, line) in shown(d) {
        let line = format!("  {line}");
        let _ = match cluster.p_holm < ALPHA {
            true => writeln!(out, "{}", style.bad(&line)),
            false => writeln!(out, "{line}"),
        };
    }
    let _ = writeln!(out, "  {}", style.dim(&tested(d)));

    let _ = writeln!(out, "\n{}", style.bold("What each repair could still win"));
    let repairs = used(d);
    let mut head = format!("  {:<20} {:>5}", "class", "wrong");
    for repair in &repairs {
        let _ = write!(head, "  {repair:>9}");
    }
    let _ = writeln!(out, "{}", style.bold(&format!("{head}  try first")));
    for row in &d.classes {
        let mut line = format!("  {:<20} {:>5}", row.class.to_string(), row.wrong);
        for repair in &repairs {
            let n = row.ceilings.get(repair).map_or("·".to_owned(), ToString::to_string);
            let _ = write!(line, "  {n:>9}");
        }
        let first = row.first.map_or("-".to_owned(), |first| first.to_string());
        let _ = writeln!(out, "{line}  {first}");
    }
    let mut line = format!("  {:<20} {:>5}", "all", d.wrong.len());
    for repair in &repairs {
        let _ = write!(line, "  {:>9}", d.ceiling(*repair));
    }
    let _ = writeln!(out, "{line}");
    for repair in &repairs {
        let text = format!("  {repair}: {}", meaning(*repair));
        let _ = writeln!(out, "{}", style.dim(&text));
    }

    let _ = writeln!(out, "\n{}", style.bold("By tag"));
    let classes: Vec<Class> = d.classes.iter().map(|row| row.class).collect();
    let large = large(d);
    let width = large.iter().map(|(tag, _)| tag.chars().count()).max();
    let width = width.unwrap_or(0).max(3);
    let mut head = format!("  {:<width$} {:>4}", "tag", "n");
    for class in &classes {
        let _ = write!(head, "  {:>8}", short(*class));
    }
    let _ = writeln!(out, "{}", style.bold(&head));
    for (tag, of) in large {
        let mut line = format!("  {tag:<width$} {:>4}", of.questions);
        for class in &classes {
            let n = of.wrong.get(class).map_or("·".to_owned(), ToString::to_string);
            let _ = write!(line, "  {n:>8}");
        }
        let _ = writeln!(out, "{line}");
    }

    if let Some(rest) = small(d) {
        let _ = writeln!(out, "  {}", style.dim(&rest));
    }

    let _ = writeln!(out, "\n{}", style.bold("Wrong answers"));
    for class in classes {
        for q in d.wrong.iter().filter(|q| q.class == class) {
            let line = format!("{} [{class}, shown by {}] {}", q.id, proof(q), q.question);
            let _ = writeln!(out, "  {}", one_line(&line, style.width.saturating_sub(2)));
            let wanted = q.references.first().map_or("", String::as_str);
            let line = format!("wanted: {wanted}; came: {}; {}", q.answer, wins(q));
            let line = one_line(&line, style.width.saturating_sub(6));
            let _ = writeln!(out, "      {}", style.dim(&line));
        }
    }
    let unexplained = format!("\nunexplained: {}", unexplained(d));
    let _ = match d.unexplained() > UNEXPLAINED {
        true => writeln!(out, "{}", style.bad(&unexplained)),
        false => writeln!(out, "{unexplained}"),
    };
    out
}

/// A diagnosis as Markdown, for a pull request.
pub fn diagnosis_markdown(d: &Diagnosis) -> String {
    let mut out = format!("## {}\n", escape(&headline(d)));
    if d.wrong.is_empty() {
        return out;
    }
    out.push_str("\n### Where the misses cluster\n\n");
    for (_, line) in shown(d) {
        let _ = writeln!(out, "- {}", escape(&line));
    }
    let _ = writeln!(out, "\n{}", escape(&tested(d)));
    out.push_str("\n### What each repair could still win\n\n");
    let repairs = used(d);
    let mut head = "| class | wrong |".to_owned();
    for repair in &repairs {
        let _ = write!(head, " {repair} |");
    }
    let _ = writeln!(out, "{head} try first |");
    out.push_str("|---|---:|");
    out.push_str(&"---:|".repeat(repairs.len()));
    out.push_str("---|\n");
    for row in &d.classes {
        let _ = write!(out, "| {} | {} |", row.class, row.wrong);
        for repair in &repairs {
            let n = row.ceilings.get(repair).map_or(String::new(), ToString::to_string);
            let _ = write!(out, " {n} |");
        }
        let first = row.first.map_or(String::new(), |first| first.to_string());
        let _ = writeln!(out, " {first} |");
    }
    let _ = write!(out, "| **all** | {} |", d.wrong.len());
    for repair in &repairs {
        let _ = write!(out, " {} |", d.ceiling(*repair));
    }
    out.push_str(" |\n\n");
    for repair in &repairs {
        let _ = writeln!(out, "- *{repair}*: {}", meaning(*repair));
    }
    out.push_str("\n### By tag\n\n| tag | n |");
    for row in &d.classes {
        let _ = write!(out, " {} |", row.class);
    }
    out.push_str("\n|---|---:|");
    out.push_str(&"---:|".repeat(d.classes.len()));
    out.push('\n');
    for (tag, of) in large(d) {
        let _ = write!(out, "| {} | {} |", escape(tag), of.questions);
        for row in &d.classes {
            let n = of.wrong.get(&row.class).map_or(String::new(), ToString::to_string);
            let _ = write!(out, " {n} |");
        }
        out.push('\n');
    }
    if let Some(rest) = small(d) {
        let _ = writeln!(out, "\n{rest}");
    }
    out.push_str("\n### Wrong answers\n\n| question | class | shown by | wanted | came | reruns |\n|---|---|---|---|---|---|\n");
    for q in &d.wrong {
        let wanted = q.references.first().map_or("", String::as_str);
        let _ = writeln!(
            out,
            "| {}: {} | {} | {} | {} | {} | {} |",
            escape(&q.id),
            escape(&q.question),
            q.class,
            proof(q),
            escape(wanted),
            escape(&q.answer),
            wins(q)
        );
    }
    let _ = writeln!(out, "\nUnexplained: {}", escape(&unexplained(d)));
    out
}

fn headline(d: &Diagnosis) -> String {
    format!("{} on {}: {} of {} answers are wrong", d.gold, d.kb, d.wrong.len(), d.questions)
}

/// The clusters worth a line: those below the level before correction, the rest is only counted.
fn shown(d: &Diagnosis) -> Vec<(&Cluster, String)> {
    let some = d.clusters.iter().filter(|c| c.p < ALPHA).take(CLUSTERS);
    let line = |c: &Cluster| {
        let kind = match c.kind {
            ClusterKind::Tag => "tag",
            ClusterKind::Document => "document",
        };
        format!(
            "{kind} {}: {} of {} wrong, p {}, by Holm {}",
            c.name,
            c.wrong,
            c.questions,
            p_value(c.p),
            p_value(c.p_holm)
        )
    };
    some.map(|c| (c, line(c))).collect()
}

fn tested(d: &Diagnosis) -> String {
    let of = |kind| d.clusters.iter().filter(|c| c.kind == kind).count();
    let (tags, documents) = (of(ClusterKind::Tag), of(ClusterKind::Document));
    let beyond = d.clusters.iter().filter(|c| c.p_holm < ALPHA).count();
    format!(
        "{beyond} beyond chance after Holm, of {tags} tags and {documents} documents large enough to \
         be tested; exact test of over-representation"
    )
}

/// Tags with questions enough for a line.
fn large(d: &Diagnosis) -> Vec<(&String, &TagClasses)> {
    d.tags.iter().filter(|(_, of)| of.questions >= TAGGED).collect()
}

/// The other tags, counted.
fn small(d: &Diagnosis) -> Option<String> {
    let small = d.tags.len() - large(d).len();
    let text = format!(
        "{} of fewer than {TAGGED} questions: diagnosis.json has them",
        counted(small, "tag")
    );
    (small > 0).then_some(text)
}

/// The repairs that win something.
fn used(d: &Diagnosis) -> Vec<Repair> {
    let wins = |repair: &Repair| d.ceiling(*repair) > 0;
    Repair::ALL.into_iter().filter(wins).collect()
}

fn meaning(repair: Repair) -> &'static str {
    match repair {
        Repair::Chunking => {
            "no chunk holds the evidence whole, or the token budget cut it off; right from the evidence alone"
        }
        Repair::OtherLeg => "right from what one leg finds alone",
        Repair::Order => "the evidence was read; right with it in the first place",
        Repair::Rerank => {
            "the evidence was found; right without the passages beside it or, where it was not read, in the first place"
        }
        Repair::Retrieval => "right from the evidence alone, and by none of the above",
        Repair::Prompt => "wrong in every rerun: prompt or reader",
        Repair::Gold => {
            "wrong in every rerun, supported, and the same from the evidence alone: look at the references"
        }
    }
}

fn short(class: Class) -> &'static str {
    match class {
        Class::Failed => "failed",
        Class::RetrievalMiss => "miss",
        Class::ContextCut => "cut",
        Class::OverRefusal => "refusal",
        Class::ReaderHallucination => "halluc.",
        Class::RetrievalDistract => "distract",
        Class::ReaderMiss => "reader",
        Class::Unexplained => "unexpl.",
    }
}

fn proof(q: &DiagnosedQuestion) -> String {
    match (q.shown_by, q.evidence_rank) {
        (Proof::Error, _) => "the failure".to_owned(),
        (Proof::Ranks, Some(rank)) => format!("ranks: evidence at {rank}"),
        (Proof::Ranks, None) => "ranks: no evidence found".to_owned(),
        (Proof::Context, _) => "the context: evidence dropped".to_owned(),
        (Proof::Answer, _) => "the refusal".to_owned(),
        (Proof::Claims, _) => "a claim without support".to_owned(),
        (Proof::NoDistractors, _) => "right without distractors".to_owned(),
        (Proof::Evidence, _) => "wrong from the evidence alone".to_owned(),
        (Proof::None, _) => "nothing".to_owned(),
    }
}

/// The reruns that gave the right answer.
fn wins(q: &DiagnosedQuestion) -> String {
    let right = q.reruns.iter().filter(|rerun| rerun.right);
    let names: Vec<String> = right.map(|rerun| rerun.kind.to_string()).collect();
    match names.is_empty() {
        true => "wrong in every rerun".to_owned(),
        false => format!("right: {}", names.join(", ")),
    }
}

fn unexplained(d: &Diagnosis) -> String {
    let ids = d.wrong.iter().filter(|q| q.class == Class::Unexplained);
    let ids: Vec<&str> = ids.map(|q| q.id.as_str()).collect();
    let share = format!("{} of {}", ids.len(), d.wrong.len());
    match ids.is_empty() {
        true => share,
        false => format!("{share}: {}", ids.join(", ")),
    }
}
