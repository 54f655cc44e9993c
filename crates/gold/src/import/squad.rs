use std::{collections::BTreeSet, ops::Range, path::Path};

use fiel_text::Lang;
use fiel_text::quote_for;
use serde::Deserialize;

use super::{
    names::{Names, file, slug},
    report::{Imported, NewDocument, question},
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

/// SQuAD's JSON, v1.1 and 2.0 (Rajpurkar et al., 2016 and 2018). Each paragraph becomes a
/// document, each question one whose evidence is the sentence that holds the answer; several
/// annotators' sentences are alternatives. An impossible question becomes an unanswerable one: it
/// was judged against its own paragraph only.
///
/// # Errors
/// When the file cannot be read or is not of this form. A question whose answer is not in its
/// paragraph is refused and counted.
pub fn import_squad(path: &Path, lang: Lang) -> Result<Imported, Error> {
    let text = fiel_store::read_text(path)?;
    let squad: Squad = serde_json::from_str(&text).map_err(|e| Error::Import {
        path: path.to_owned(),
        message: format!("{e}; expected the JSON of SQuAD v1.1 or 2.0"),
    })?;
    let mut out = Imported::new(&["documents", "questions"]);
    let mut names = Names::default();
    let mut ids = BTreeSet::new();
    let mut impossible = 0;
    for (at, article) in squad.data.iter().enumerate() {
        let title = article.title.replace('_', " ");
        let base = match slug(&title) {
            slug if slug.is_empty() => format!("article-{}", at + 1),
            slug => slug,
        };
        for (number, paragraph) in article.paragraphs.iter().enumerate() {
            let id = format!("{base}-{:03}", number + 1);
            out.count("documents").read += 1;
            let name = names.add(&id).or_else(|| names.add(&format!("{id}-of-{}", at + 1)));
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
            let doc = file(&title, &lang.to_string(), &paragraph.context);
            // The file ends with the paragraph and a line end.
            let body = doc.len() - 1 - paragraph.context.trim_end().len()..doc.len() - 1;
            for qa in &paragraph.qas {
                out.count("questions").read += 1;
                let place = (path, line_of(&text, &qa.id));
                if !ids.insert(qa.id.clone()) {
                    out.refuse("questions", place, &qa.id, "the id occurs twice");
                    continue;
                }
                let mut asked = question(&qa.id, &qa.question, lang);
                if asked.question.is_empty() {
                    out.refuse("questions", place, &qa.id, "the question is empty");
                } else if qa.is_impossible {
                    impossible += 1;
                    asked.unanswerable = true;
                    out.write(asked);
                } else {
                    match evidence(&name, &doc, &body, &qa.answers) {
                        Ok((evidence, answers)) => {
                            (asked.evidence, asked.answers) = (evidence, answers);
                            out.write(asked);
                        }
                        Err(reason) => out.refuse("questions", place, &qa.id, reason),
                    }
                }
            }
            out.count("documents").written += 1;
            out.documents.push(NewDocument { id: name, text: doc });
        }
    }
    if impossible > 0 {
        out.report.notes.push(format!(
            "{impossible} questions are unanswerable from their own paragraph; another one may \
             answer them: `fiel gold lint` names the likely ones (G401)"
        ));
    }
    Ok(out)
}

/// The sentences of the answers, as alternatives, and the distinct answers.
fn evidence(
    doc: &str,
    text: &str,
    body: &Range<usize>,
    answers: &[SquadAnswer],
) -> Result<(Vec<Evidence>, Vec<String>), String> {
    let mut quotes: Vec<String> = Vec::new();
    let mut texts: Vec<String> = Vec::new();
    for answer in answers.iter().filter(|a| !a.text.trim().is_empty()) {
        let span = place(&text[body.clone()], answer)
            .ok_or_else(|| format!("\"{}\" is not in its paragraph", answer.text))?;
        let span = body.start + span.start..body.start + span.end;
        let quote = quote_for(text, body.clone(), span)
            .ok_or_else(|| format!("no stretch with \"{}\" stands there once", answer.text))?;
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

/// Bytes of an answer: where it says, in characters, or else the nearest place it stands at.
fn place(context: &str, answer: &SquadAnswer) -> Option<Range<usize>> {
    let start = context.char_indices().nth(answer.answer_start).map_or(context.len(), |(at, _)| at);
    let at = match context[start..].starts_with(&answer.text) {
        true => start,
        false => context
            .match_indices(&answer.text)
            .map(|(at, _)| at)
            .min_by_key(|at| at.abs_diff(start))?,
    };
    Some(at..at + answer.text.len())
}

/// Line of the first occurrence of a JSON string; 1 when it is written with escapes.
fn line_of(text: &str, string: &str) -> usize {
    let at = text.find(&format!("\"{string}\"")).unwrap_or(0);
    1 + text[..at].matches('\n').count()
}
