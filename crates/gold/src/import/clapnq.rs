use std::{collections::BTreeSet, path::Path};

use fiel_store::read_json_lines;
use fiel_text::Lang;
use serde::Deserialize;

use super::{
    names::{Names, file},
    report::{Imported, NewDocument, judged, question},
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

/// JSON lines as CLAPnq has them (Rosenthal et al., 2024): `input`, `passages`, `output`, from one
/// or more files. Each question brings its passages with it: they become documents, and are read
/// for it instead of what is found. One without an answer is unanswerable from them.
///
/// # Errors
/// When a file cannot be read. A line that cannot be used is refused and counted.
pub fn import_clapnq(paths: &[impl AsRef<Path>], lang: Lang) -> Result<Imported, Error> {
    let mut out = Imported::new(&["documents", "questions"]);
    let mut names = Names::default();
    let mut ids = BTreeSet::new();
    for path in paths {
        let path = path.as_ref();
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
            for (number, passage) in row.passages.iter().enumerate() {
                out.count("documents").read += 1;
                let id = format!("{}-{}", row.id, number + 1);
                match names.add(&id).filter(|_| !passage.text.trim().is_empty()) {
                    None => out.refuse("documents", place, &id, "the passage is empty"),
                    Some(name) => {
                        asked.context.push(name.as_str().into());
                        out.count("documents").written += 1;
                        out.documents.push(NewDocument {
                            id: name,
                            text: file(&passage.title, &lang.to_string(), &passage.text),
                        });
                    }
                }
            }
            if asked.context.is_empty() {
                out.refuse("questions", place, &row.id, "it has no passage");
                continue;
            }
            let answers = row.output.into_iter().map(|o| o.answer.trim().to_owned());
            asked.answers = answers.filter(|a| !a.is_empty()).collect();
            asked.unanswerable = asked.answers.is_empty();
            if !asked.unanswerable {
                asked.evidence = asked.context.iter().map(|doc| judged(doc, 1)).collect();
            }
            out.write(asked);
        }
    }
    Ok(out)
}
