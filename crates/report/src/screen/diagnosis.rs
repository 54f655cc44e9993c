//! `fiel diagnose`, on the terminal and as Markdown.

use std::fmt::Write;

use fiel_record::{
    Class, Cluster, ClusterKind, DiagnosedQuestion, Diagnosis, Proof, Repair, TagClasses, counted,
    one_line,
};

use crate::{Style, markdown::escape, p_value};

/// Significance level.
const ALPHA: f64 = 0.05;
/// Maximum number of clusters shown.
const CLUSTERS: usize = 8;
/// Minimum number of questions of a tag in the table.
const MIN_QUESTIONS: usize = 5;
/// Share of unexplained answers above which the line is highlighted.
const UNEXPLAINED: f64 = 0.10;

/// Renders clusters of wrong answers, what each repair could correct, tags, and each wrong answer.
pub fn diagnosis_screen(d: &Diagnosis, style: Style) -> String {
    let mut out = format!("{}\n", style.bold(&headline(d)));
    if d.wrong.is_empty() {
        return out;
    }
    let _ = writeln!(out, "\n{}", style.bold("Clusters of wrong answers"));
    for (cluster, line) in cluster_lines(d) {
        let line = if cluster.p_holm < ALPHA { style.bad(&line) } else { line };
        let _ = writeln!(out, "  {line}");
    }
    let _ = writeln!(out, "  {}", style.dim(&tests(d)));

    let _ = writeln!(out, "\n{}", style.bold("Answers that each repair could correct"));
    let repairs = useful_repairs(d);
    let mut rows = repair_rows(d, &repairs, "·").into_iter().map(|row| columns(&row, [20, 5, 9]));
    let _ = writeln!(out, "{}", style.bold(&rows.next().unwrap_or_default()));
    out.extend(rows.map(|row| row + "\n"));
    for repair in &repairs {
        let text = format!("  {repair}: {}", meaning(*repair));
        let _ = writeln!(out, "{}", style.dim(&text));
    }

    let _ = writeln!(out, "\n{}", style.bold("By tag"));
    let rows = tag_rows(d, short, "·");
    let width = rows.iter().map(|row| row[0].chars().count()).max().unwrap_or(0);
    let mut rows = rows.into_iter().map(|row| columns(&row, [width, 4, 8]));
    let _ = writeln!(out, "{}", style.bold(&rows.next().unwrap_or_default()));
    out.extend(rows.map(|row| row + "\n"));
    if let Some(rest) = small_tags(d) {
        let _ = writeln!(out, "  {}", style.dim(&rest));
    }

    let _ = writeln!(out, "\n{}", style.bold("Wrong answers"));
    for row in &d.classes {
        let class = row.class;
        for q in d.wrong.iter().filter(|q| q.class == class) {
            let line = format!("{} [{class}, shown by {}] {}", q.id, proof(q), q.question);
            let _ = writeln!(out, "  {}", one_line(&line, style.width.saturating_sub(2)));
            let line = format!("expected: {}; got: {}; {}", expected(q), q.answer, right_reruns(q));
            let line = one_line(&line, style.width.saturating_sub(6));
            let _ = writeln!(out, "      {}", style.dim(&line));
        }
    }
    let unexplained = format!("\nunexplained: {}", unexplained(d));
    let is_high = d.unexplained() > UNEXPLAINED;
    let _ = writeln!(out, "{}", if is_high { style.bad(&unexplained) } else { unexplained });
    out
}

/// Renders a diagnosis as Markdown, for example for a pull request.
pub fn diagnosis_markdown(d: &Diagnosis) -> String {
    let mut out = format!("## {}\n", escape(&headline(d)));
    if d.wrong.is_empty() {
        return out;
    }
    out.push_str("\n### Clusters of wrong answers\n\n");
    for (_, line) in cluster_lines(d) {
        let _ = writeln!(out, "- {}", escape(&line));
    }
    let _ = writeln!(out, "\n{}", escape(&tests(d)));
    out.push_str("\n### Answers that each repair could correct\n\n");
    let repairs = useful_repairs(d);
    out.push_str(&markdown_table(&repair_rows(d, &repairs, "")));
    out.push('\n');
    for repair in &repairs {
        let _ = writeln!(out, "- *{repair}*: {}", meaning(*repair));
    }
    out.push_str("\n### By tag\n\n");
    out.push_str(&markdown_table(&tag_rows(d, |class| class.to_string(), "")));
    if let Some(rest) = small_tags(d) {
        let _ = writeln!(out, "\n{rest}");
    }
    out.push_str("\n### Wrong answers\n\n| question | class | shown by | expected | got | reruns |\n|---|---|---|---|---|---|\n");
    for q in &d.wrong {
        let _ = writeln!(
            out,
            "| {}: {} | {} | {} | {} | {} | {} |",
            escape(&q.id),
            escape(&q.question),
            q.class,
            proof(q),
            escape(expected(q)),
            escape(&q.answer),
            right_reruns(q)
        );
    }
    let _ = writeln!(out, "\nUnexplained: {}", escape(&unexplained(d)));
    out
}

/// Classes by what each repair could correct, below a head; `none` stands for no answer.
fn repair_rows(d: &Diagnosis, repairs: &[Repair], none: &str) -> Vec<Vec<String>> {
    let row = |class: String, wrong: String, cells: Vec<String>, first: String| {
        [class, wrong].into_iter().chain(cells).chain([first]).collect()
    };
    let cells = |cell: &dyn Fn(&Repair) -> String| repairs.iter().map(cell).collect();
    let names = cells(&|repair| repair.to_string());
    let mut rows = vec![row("class".into(), "wrong".into(), names, "try first".into())];
    rows.extend(d.classes.iter().map(|of| {
        let counts =
            cells(&|repair| of.ceilings.get(repair).map_or(none.to_owned(), ToString::to_string));
        let first = of.first.map_or(none.to_owned(), |first| first.to_string());
        row(of.class.to_string(), of.wrong.to_string(), counts, first)
    }));
    let all = cells(&|repair| d.ceiling(*repair).to_string());
    rows.push(row("all".into(), d.wrong.len().to_string(), all, String::new()));
    rows
}

/// Large tags by class, below a head of classes.
fn tag_rows(d: &Diagnosis, name: impl Fn(Class) -> String, none: &str) -> Vec<Vec<String>> {
    let classes = || d.classes.iter().map(|row| row.class);
    let head = ["tag".to_owned(), "n".to_owned()].into_iter().chain(classes().map(name));
    let mut rows = vec![head.collect()];
    rows.extend(large_tags(d).into_iter().map(|(tag, counts)| {
        let count = |class| counts.wrong.get(&class).map_or(none.to_owned(), ToString::to_string);
        [tag.clone(), counts.questions.to_string()]
            .into_iter()
            .chain(classes().map(count))
            .collect()
    }));
    rows
}

/// A row with the widths of the first, the second and the other columns.
fn columns(row: &[String], [first, second, other]: [usize; 3]) -> String {
    let mut line = format!("  {:<first$} {:>second$}", row[0], row[1]);
    for cell in &row[2..] {
        let _ = write!(line, "  {cell:>other$}");
    }
    line.trim_end().to_owned()
}

/// A table whose first row is the head. All columns but the first hold numbers.
fn markdown_table(rows: &[Vec<String>]) -> String {
    let line = |row: &Vec<String>| {
        let cells: Vec<String> = row.iter().map(|cell| escape(cell)).collect();
        format!("| {} |\n", cells.join(" | "))
    };
    let rule = format!("|---|{}\n", "---:|".repeat(rows[0].len() - 1));
    line(&rows[0]) + &rule + &rows[1..].iter().map(line).collect::<String>()
}

fn headline(d: &Diagnosis) -> String {
    format!("{} on {}: {} of {} answers are wrong", d.gold, d.kb, d.wrong.len(), d.questions)
}

/// The first reference answer.
fn expected(question: &DiagnosedQuestion) -> &str {
    question.references.first().map_or("", String::as_str)
}

/// The clusters that are significant before correction.
fn cluster_lines(d: &Diagnosis) -> Vec<(&Cluster, String)> {
    let line = |c: &Cluster| {
        let kind = match c.kind {
            ClusterKind::Tag => "tag",
            ClusterKind::Document => "document",
        };
        format!(
            "{kind} {}: {} of {} wrong, p {}, corrected by Holm {}",
            c.name,
            c.wrong,
            c.questions,
            p_value(c.p),
            p_value(c.p_holm)
        )
    };
    let significant = d.clusters.iter().filter(|c| c.p < ALPHA);
    significant.take(CLUSTERS).map(|c| (c, line(c))).collect()
}

fn tests(d: &Diagnosis) -> String {
    let count = |kind| d.clusters.iter().filter(|c| c.kind == kind).count();
    let (tags, documents) = (count(ClusterKind::Tag), count(ClusterKind::Document));
    let significant = d.clusters.iter().filter(|c| c.p_holm < ALPHA).count();
    format!(
        "{significant} significant after Holm, of {tags} tags and {documents} documents that are large \
         enough to test; exact test of over-representation"
    )
}

/// Tags with at least [`MIN_QUESTIONS`] questions.
fn large_tags(d: &Diagnosis) -> Vec<(&String, &TagClasses)> {
    d.tags.iter().filter(|(_, counts)| counts.questions >= MIN_QUESTIONS).collect()
}

/// The number of other tags.
fn small_tags(d: &Diagnosis) -> Option<String> {
    let small = d.tags.len() - large_tags(d).len();
    let tags = counted(small, "tag");
    (small > 0)
        .then(|| format!("{tags} with fewer than {MIN_QUESTIONS} questions: see diagnosis.json"))
}

/// The repairs that could correct an answer.
fn useful_repairs(d: &Diagnosis) -> Vec<Repair> {
    Repair::ALL.into_iter().filter(|repair| d.ceiling(*repair) > 0).collect()
}

fn meaning(repair: Repair) -> &'static str {
    match repair {
        Repair::Chunking => {
            "no chunk contains the whole evidence, or the token limit cut it off; right with the evidence alone"
        }
        Repair::OtherLeg => "right with what BM25 or dense retrieval alone finds",
        Repair::Order => "the evidence was read; right if it comes first",
        Repair::Rerank => "the evidence was found but not read; right with the evidence first",
        Repair::FewerPassages => {
            "the evidence was read; right without the other passages, but not with the evidence before them"
        }
        Repair::Retrieval => "right with the evidence alone or first, and by none of the above",
        Repair::Prompt => "wrong in every rerun: improve prompt or reader",
        Repair::Gold => {
            "wrong in every rerun, but supported and the same with the evidence alone: check the references"
        }
    }
}

fn short(class: Class) -> String {
    let name = match class {
        Class::Failed => "failed",
        Class::RetrievalMiss => "miss",
        Class::ContextCut => "cut",
        Class::OverRefusal => "refusal",
        Class::ReaderHallucination => "halluc.",
        Class::RetrievalDistract => "distract",
        Class::ReaderMiss => "reader",
        Class::Unexplained => "unexpl.",
    };
    name.to_owned()
}

/// `evidence at 1 and 7`, `evidence at 1, 1 of 2 needed pieces not found`.
fn places(ranks: &[Option<usize>]) -> String {
    let found: Vec<String> = ranks.iter().flatten().map(usize::to_string).collect();
    let at = format!("evidence at {}", found.join(" and "));
    match ranks.len() - found.len() {
        0 => at,
        missing => format!("{at}, {missing} of {} needed pieces not found", ranks.len()),
    }
}

fn proof(q: &DiagnosedQuestion) -> String {
    match (q.shown_by, q.evidence_rank) {
        (Proof::Error, _) => "the error".to_owned(),
        (Proof::Ranks, Some(_)) => format!("ranks: {}", places(&q.group_ranks)),
        (Proof::Ranks, None) => "ranks: no evidence found".to_owned(),
        (Proof::Context, _) => "the context: evidence dropped".to_owned(),
        (Proof::Answer, _) => "the abstention".to_owned(),
        (Proof::Claims, _) => "a claim without support".to_owned(),
        (Proof::NoDistractors, _) => "right without distractors".to_owned(),
        (Proof::Evidence, _) => "wrong with the evidence alone".to_owned(),
        (Proof::None, _) => "nothing".to_owned(),
    }
}

fn right_reruns(q: &DiagnosedQuestion) -> String {
    let right = q.reruns.iter().filter(|rerun| rerun.right);
    let names: Vec<String> = right.map(|rerun| rerun.kind.to_string()).collect();
    if names.is_empty() {
        "wrong in every rerun".to_owned()
    } else {
        format!("right: {}", names.join(", "))
    }
}

fn unexplained(d: &Diagnosis) -> String {
    let ids = d.wrong.iter().filter(|q| q.class == Class::Unexplained);
    let ids: Vec<&str> = ids.map(|q| q.id.as_str()).collect();
    let share = format!("{} of {}", ids.len(), d.wrong.len());
    if ids.is_empty() { share } else { format!("{share}: {}", ids.join(", ")) }
}
