//! SQuAD (Rajpurkar et al., 2016 and 2018).

use std::{collections::BTreeSet, ops::Range, path::Path};

use fiel_record::counted;
use fiel_store::read_text;
use fiel_text::{Lang, quote_for};
use serde::Deserialize;

use super::{
    imported::{Imported, question},
    names::{Names, markdown_file, slug},
};
use crate::{Error, Evidence};

#[derive(Deserialize)]
struct Squad {
    data: Vec<Article>,
}

#[derive(Deserialize)]
struct Article {
    #[serde(default)]
    title: String,
    paragraphs: Vec<Paragraph>,
}

#[derive(Deserialize)]
struct Paragraph {
    context: String,
    qas: Vec<Qa>,
}

#[derive(Deserialize)]
struct Qa {
    id: String,
    question: String,
    #[serde(default)]
    answers: Vec<SquadAnswer>,
    #[serde(default)]
    is_impossible: bool,
}

#[derive(Deserialize)]
struct SquadAnswer {
    text: String,
    answer_start: usize,
}

/// Imports JSON of SQuAD v1.1 or 2.0. Each paragraph becomes a document. The evidence of a question
/// is the sentence with the answer; the sentences of several annotators are alternatives. An
/// impossible question becomes unanswerable, although it was judged against its own paragraph only.
///
/// # Errors
/// [`Error::Format`] if the file is not JSON of SQuAD, [`Error::Store`] if it cannot be read. A
/// question whose answer is not in its paragraph is refused and counted.
pub fn import_squad(path: &Path, lang: Lang) -> Result<Imported, Error> {
    let text = read_text(path)?;
    let squad: Squad = serde_json::from_str(&text).map_err(|e| Error::Format {
        path: path.to_owned(),
        problem: e.to_string(),
        expected: "the JSON of SQuAD v1.1 or 2.0",
    })?;
    let mut out = Imported::new(&["documents", "questions"]);
    let mut names = Names::default();
    let mut ids = BTreeSet::new();
    let mut impossible = 0;
    for (at, article) in (1..).zip(&squad.data) {
        let title = article.title.replace('_', " ");
        let slug = slug(&title);
        let base = if slug.is_empty() { format!("article-{at}") } else { slug };
        for (number, paragraph) in (1..).zip(&article.paragraphs) {
            let id = format!("{base}-{number:03}");
            out.count("documents").read += 1;
            let name = names.add(&id).or_else(|| names.add(&format!("{id}-of-{at}")));
            let Some(name) = name.filter(|_| !paragraph.context.trim().is_empty()) else {
                let line = line_of(&text, &paragraph.context);
                out.refuse("documents", (path, line), &id, "the paragraph is empty");
                for qa in &paragraph.qas {
                    out.count("questions").read += 1;
                    let place = (path, line_of(&text, &qa.id));
                    out.refuse("questions", place, &qa.id, "its paragraph is empty");
                }
                continue;
            };
            let doc = markdown_file(&title, lang, &paragraph.context);
            // The file ends with the paragraph and a line feed.
            let body = doc.len() - 1 - paragraph.context.trim_end().len()..doc.len() - 1;
            for qa in &paragraph.qas {
                out.count("questions").read += 1;
                let mut asked = question(&qa.id, &qa.question, lang);
                let fault = if !ids.insert(&qa.id) {
                    Err("the id occurs twice".to_owned())
                } else if asked.question.is_empty() {
                    Err("the question is empty".to_owned())
                } else if qa.is_impossible {
                    impossible += 1;
                    asked.unanswerable = true;
                    Ok(())
                } else {
                    evidence(&name, &doc, &body, &qa.answers)
                        .map(|found| (asked.evidence, asked.answers) = found)
                };
                match fault {
                    Ok(()) => out.add_question(asked),
                    Err(reason) => {
                        out.refuse("questions", (path, line_of(&text, &qa.id)), &qa.id, reason);
                    }
                }
            }
            out.add_document(name, doc);
        }
    }
    if impossible > 0 {
        out.result.notes.push(format!(
            "{} marked as impossible, which another paragraph may answer: `fiel gold lint` lists \
             the likely ones (G401)",
            counted(impossible, "question")
        ));
    }
    Ok(out)
}

/// The sentences with the answers, as alternatives, and the distinct answers.
fn evidence(
    doc: &str,
    text: &str,
    body: &Range<usize>,
    answers: &[SquadAnswer],
) -> Result<(Vec<Evidence>, Vec<String>), String> {
    let mut quotes: Vec<String> = Vec::new();
    let mut texts: Vec<String> = Vec::new();
    for answer in answers.iter().filter(|answer| !answer.text.trim().is_empty()) {
        let start = position(&text[body.clone()], answer)
            .ok_or_else(|| format!("\"{}\" is not in its paragraph", answer.text))?;
        let start = body.start + start;
        let quote = quote_for(text, body.clone(), start..start + answer.text.len())
            .ok_or_else(|| format!("no quote with \"{}\" is unique in it", answer.text))?;
        if !quotes.contains(&quote) {
            quotes.push(quote);
        }
        let answer = answer.text.trim().to_owned();
        if !texts.contains(&answer) {
            texts.push(answer);
        }
    }
    if texts.is_empty() {
        return Err("it has no answer and is not marked as impossible".into());
    }
    let group = (quotes.len() > 1).then(|| "a".to_owned());
    let evidence =
        |quote| Evidence { doc: doc.into(), quote: Some(quote), group: group.clone(), grade: None };
    Ok((quotes.into_iter().map(evidence).collect(), texts))
}

/// Start of an answer in bytes: the declared start, which is in characters, or the nearest
/// occurrence.
fn position(context: &str, answer: &SquadAnswer) -> Option<usize> {
    let start = context.char_indices().nth(answer.answer_start).map_or(context.len(), |(at, _)| at);
    if context[start..].starts_with(&answer.text) {
        return Some(start);
    }
    let occurrences = context.match_indices(&answer.text).map(|(at, _)| at);
    occurrences.min_by_key(|at| at.abs_diff(start))
}

/// Line of the first occurrence of a JSON string; 1 if the file has it with escapes.
fn line_of(text: &str, string: &str) -> usize {
    let at = text.find(&format!("\"{string}\"")).unwrap_or(0);
    1 + text[..at].matches('\n').count()
}
