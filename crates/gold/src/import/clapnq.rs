//! CLAPnq (Rosenthal et al., 2024).

use std::{collections::BTreeSet, path::Path};

use fiel_store::read_json_lines;
use fiel_text::Lang;
use serde::Deserialize;

use super::{
    imported::{Imported, judged, question},
    names::{Names, markdown_file},
};
use crate::Error;

#[derive(Deserialize)]
struct ClapnqRow {
    id: String,
    input: String,
    passages: Vec<ClapnqPassage>,
    #[serde(default)]
    output: Vec<ClapnqOutput>,
}

#[derive(Deserialize)]
struct ClapnqPassage {
    #[serde(default)]
    title: String,
    text: String,
}

#[derive(Deserialize)]
struct ClapnqOutput {
    #[serde(default)]
    answer: String,
}

/// Imports JSON Lines of CLAPnq: `input`, `passages`, `output`. The passages of a question become
/// documents, which the reader is given instead of retrieved passages. A question without an answer
/// is unanswerable from them.
///
/// # Errors
/// [`Error::Store`] if a file cannot be read. Faulty lines are refused and counted.
pub fn import_clapnq(paths: &[impl AsRef<Path>], lang: Lang) -> Result<Imported, Error> {
    let mut out = Imported::new(&["documents", "questions"]);
    let mut names = Names::default();
    let mut ids = BTreeSet::new();
    for path in paths.iter().map(AsRef::as_ref) {
        for (line, row) in read_json_lines::<ClapnqRow>(path)? {
            let place = (path, line);
            out.count("questions").read += 1;
            let row = match row {
                Ok(row) => row,
                Err(e) => {
                    out.refuse("questions", place, "", e.to_string());
                    continue;
                }
            };
            let mut asked = question(&row.id, &row.input, lang);
            if asked.question.is_empty() {
                out.refuse("questions", place, &row.id, "the question is empty");
                continue;
            }
            if !ids.insert(row.id.clone()) {
                out.refuse("questions", place, &row.id, "the id occurs twice");
                continue;
            }
            for (number, passage) in (1..).zip(&row.passages) {
                out.count("documents").read += 1;
                let id = format!("{}-{number}", row.id);
                match names.add(&id).filter(|_| !passage.text.trim().is_empty()) {
                    None => out.refuse("documents", place, &id, "the passage is empty"),
                    Some(name) => {
                        asked.context.push(name.as_str().into());
                        let text = markdown_file(&passage.title, lang, &passage.text);
                        out.add_document(name, text);
                    }
                }
            }
            if asked.context.is_empty() {
                out.refuse("questions", place, &row.id, "it has no passage");
                continue;
            }
            let answers = row.output.into_iter().map(|output| output.answer.trim().to_owned());
            asked.answers = answers.filter(|answer| !answer.is_empty()).collect();
            asked.unanswerable = asked.answers.is_empty();
            if !asked.unanswerable {
                asked.evidence = asked.context.iter().map(|doc| judged(doc, 1)).collect();
            }
            out.add_question(asked);
        }
    }
    Ok(out)
}
