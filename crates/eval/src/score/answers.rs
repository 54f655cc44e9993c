use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

use fiel_store::{json_lines, read_text, sha256_hex};
use serde_json::{Map, Value as Json};

use super::file_name;
use crate::Error;
use fiel_gold::GoldFault;

/// What another system gave for one question.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SystemAnswer {
    /// Line of the file, from 1.
    pub line: usize,
    /// Id in the gold set.
    pub id: Option<String>,
    /// As asked; used where there is no id.
    pub question: Option<String>,
    /// Contexts with the id each is cited by, best first; `None` where the row says nothing of
    /// contexts.
    pub contexts: Option<Vec<(Option<String>, String)>>,
    /// The answer.
    pub answer: Option<String>,
    /// Ids, or numbers from 1, of the contexts that the answer cites, where they do not stand in
    /// the answer itself.
    pub citations: Option<Vec<String>>,
}

/// The file of another system: one JSON object a line.
#[derive(Clone, Debug, PartialEq)]
pub struct SystemOutput {
    /// Name of the file.
    pub name: String,
    /// SHA-256 of it.
    pub sha256: String,
    /// Its rows.
    pub rows: Vec<SystemAnswer>,
    /// Columns that are not read.
    pub ignored: BTreeSet<String>,
}

/// Columns by what they are called here and in ragas.
const ID: &[&str] = &["id"];
const QUESTION: &[&str] = &["question", "user_input"];
const CONTEXTS: &[&str] = &["contexts", "retrieved_contexts"];
const ANSWER: &[&str] = &["answer", "response"];
const CITATIONS: &[&str] = &["citations"];
/// References are the gold set's.
const REFERENCE: &[&str] = &["reference", "ground_truth", "ground_truths"];

impl SystemOutput {
    /// Reads the file.
    ///
    /// # Errors
    /// [`Error::Gold`] with every faulty line.
    pub fn load(path: &Path) -> Result<Self, Error> {
        let text = read_text(path)?;
        let mut out = Self {
            name: file_name(path),
            sha256: sha256_hex(text.as_bytes()),
            rows: Vec::new(),
            ignored: BTreeSet::new(),
        };
        let mut faults = Vec::new();
        for (line, fields) in json_lines::<Map<String, Json>>(&text) {
            let row = fields
                .map_err(|e| e.to_string())
                .and_then(|fields| row(line, &fields, &mut out.ignored));
            match row {
                Ok(row) => out.rows.push(row),
                Err(message) => faults.push(GoldFault { line, question: None, message }),
            }
        }
        if out.rows.is_empty() && faults.is_empty() {
            faults.push(GoldFault {
                line: 1,
                question: None,
                message: "the file holds no answers".to_owned(),
            });
        }
        match faults[..] {
            [] => Ok(out),
            _ => Err(fiel_gold::Error::Gold { path: path.to_owned(), faults }.into()),
        }
    }
}

fn row(
    line: usize,
    fields: &Map<String, Json>,
    ignored: &mut BTreeSet<String>,
) -> Result<SystemAnswer, String> {
    let known = [ID, QUESTION, CONTEXTS, ANSWER, CITATIONS, REFERENCE];
    let unknown =
        fields.keys().filter(|name| !known.iter().any(|names| names.contains(&name.as_str())));
    ignored.extend(unknown.cloned());
    let get = |names: &[&str]| {
        let found = names.iter().find_map(|name| Some((*name, fields.get(*name)?)));
        found.filter(|(_, value)| !value.is_null()).map(|(name, value)| (name.to_owned(), value))
    };
    let text = |names: &[&str]| -> Result<Option<String>, String> {
        match get(names) {
            None => Ok(None),
            Some((_, Json::String(text))) => Ok(Some(text.clone())),
            Some((_, Json::Number(number))) => Ok(Some(number.to_string())),
            Some((name, other)) => Err(format!("`{name}` is {}, expected a text", kind(other))),
        }
    };
    let list = |names: &[&str]| match get(names) {
        None => Ok(None),
        Some((_, Json::Array(items))) => Ok(Some(items.clone())),
        Some((name, other)) => Err(format!("`{name}` is {}, expected a list", kind(other))),
    };
    let row = SystemAnswer {
        line,
        id: text(ID)?,
        question: text(QUESTION)?,
        contexts: list(CONTEXTS)?
            .map(|items| items.iter().map(context).collect::<Result<_, String>>())
            .transpose()?,
        answer: text(ANSWER)?,
        citations: list(CITATIONS)?
            .map(|items| items.iter().map(citation).collect::<Result<_, String>>())
            .transpose()?,
    };
    if row.id.is_none() && row.question.is_none() {
        return Err("it has neither `id` nor `question`: whose answer is it?".to_owned());
    }
    if row.contexts.is_none() && row.answer.is_none() {
        return Err("it has neither `contexts` nor `answer`: there is nothing to score".to_owned());
    }
    Ok(row)
}

/// A text, or an object with a text and an id.
fn context(item: &Json) -> Result<(Option<String>, String), String> {
    let field = |names: &[&str]| {
        let value = names.iter().find_map(|name| item.get(*name))?;
        match value {
            Json::String(text) => Some(text.clone()),
            Json::Number(number) => Some(number.to_string()),
            _ => None,
        }
    };
    match item {
        Json::String(text) => Ok((None, text.clone())),
        Json::Object(_) => match field(&["text", "content", "page_content"]) {
            Some(text) => Ok((field(&["id"]), text)),
            None => Err("a context has no `text`".to_owned()),
        },
        other => Err(format!(
            "a context is {}, expected a text or an object with `id` and `text`",
            kind(other)
        )),
    }
}

fn citation(item: &Json) -> Result<String, String> {
    match item {
        Json::String(id) => Ok(id.clone()),
        Json::Number(number) => Ok(number.to_string()),
        other => Err(format!(
            "a citation is {}, expected the id or the number of a context",
            kind(other)
        )),
    }
}

fn kind(value: &Json) -> &'static str {
    match value {
        Json::Null => "null",
        Json::Bool(_) => "true or false",
        Json::Number(_) => "a number",
        Json::String(_) => "a text",
        Json::Array(_) => "a list",
        Json::Object(_) => "an object",
    }
}

/// Rows by the position of their question; and what could not be given to any.
pub(super) type Assigned<'a> = (BTreeMap<usize, &'a SystemAnswer>, Vec<GoldFault>);

/// Gives each row to the question with its id, or else with its words.
pub(super) fn assign<'a>(rows: &'a [SystemAnswer], questions: &[(&str, &str)]) -> Assigned<'a> {
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let by_id: BTreeMap<&str, usize> = (0..).zip(questions).map(|(at, q)| (q.0, at)).collect();
    let mut by_words: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (at, (_, question)) in questions.iter().enumerate() {
        by_words.entry(words(question)).or_default().push(at);
    }
    let (mut out, mut faults) = (BTreeMap::new(), Vec::new());
    for row in rows {
        let mut fault = |message: String| {
            faults.push(GoldFault {
                line: row.line,
                question: row.id.clone().map(Into::into),
                message,
            });
        };
        let found = match (&row.id, &row.question) {
            (Some(id), _) => by_id.get(id.as_str()).map_or(&[][..], std::slice::from_ref),
            (None, Some(text)) => by_words.get(&words(text)).map_or(&[][..], Vec::as_slice),
            (None, None) => &[],
        };
        match *found {
            [] => fault("no question of the gold set has this id or these words".to_owned()),
            [at] => {
                if let Some(first) = out.insert(at, row) {
                    let first: &SystemAnswer = first;
                    fault(format!("the question has an answer in line {} already", first.line));
                }
            }
            _ => fault("several questions have these words; give the id".to_owned()),
        }
    }
    (out, faults)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(text: &str) -> Result<SystemOutput, Error> {
        let dir = tempfile::tempdir().expect("temporary folder");
        let path = dir.path().join("out.jsonl");
        std::fs::write(&path, text).expect("written");
        SystemOutput::load(&path)
    }

    #[test]
    fn columns_of_ragas_are_read_as_well() {
        let own =
            r#"{"id":"a","contexts":["x",{"id":"d#1","text":"y"}],"answer":"z","citations":[2]}"#;
        let ragas = r#"{"user_input":"Q?","retrieved_contexts":["x"],"response":"z","reference":"r","rubric":1}"#;
        let out = load(&format!("{own}\n\n{ragas}\n")).expect("read");
        assert_eq!(
            out.rows[0].contexts,
            Some(vec![(None, "x".into()), (Some("d#1".into()), "y".into())])
        );
        assert_eq!(out.rows[0].citations, Some(vec!["2".into()]));
        let second = &out.rows[1];
        assert_eq!(
            (second.line, second.question.as_deref(), second.answer.as_deref()),
            (3, Some("Q?"), Some("z"))
        );
        assert_eq!(out.ignored, BTreeSet::from(["rubric".to_owned()]));
    }

    #[test]
    fn every_faulty_line_is_listed() {
        let message =
            load("{\n[]\n{\"answer\":\"x\"}\n{\"id\":\"a\"}\n{\"id\":\"a\",\"contexts\":\"x\"}\n")
                .expect_err("faulty")
                .to_string();
        for part in [
            "line 1: EOF",
            "line 2: invalid type",
            "line 3: it has neither `id` nor",
            "line 4: it has neither `contexts`",
            "line 5: `contexts` is a text",
        ] {
            assert!(message.contains(part), "{part} in {message}");
        }
        assert!(load("\n").is_err());
    }

    #[test]
    fn rows_find_their_questions() {
        let rows: Vec<SystemAnswer> = [
            (Some("b"), None),
            (None, Some("What  is\nit?")),
            (Some("x"), None),
            (Some("b"), None),
            (None, Some("Same?")),
        ]
        .into_iter()
        .zip(1..)
        .map(|((id, question), line)| SystemAnswer {
            line,
            id: id.map(str::to_owned),
            question: question.map(str::to_owned),
            ..SystemAnswer::default()
        })
        .collect();
        let questions = [("a", "What is it?"), ("b", "Q?"), ("c", "Same?"), ("d", "Same?")];
        let (found, faults) = assign(&rows, &questions);
        assert_eq!(found.into_keys().collect::<Vec<_>>(), [0, 1]);
        let faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
        assert_eq!(faults.len(), 3);
        assert!(faults[0].starts_with("line 3, x: no question"), "{}", faults[0]);
        assert!(faults[1].contains("in line 1 already"), "{}", faults[1]);
        assert!(faults[2].contains("give the id"), "{}", faults[2]);
    }
}
