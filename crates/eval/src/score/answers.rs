//! Files with the answers of another system.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

use fiel_gold::GoldFault;
use fiel_store::{read_text, sha256_hex};
use serde_json::{Map, Value as Json};

use super::file_name;
use crate::{
    Error,
    lines::{empty_file, parse_lines},
};

/// The output of another system for one question.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SystemAnswer {
    /// Line of the file, from 1.
    pub line: usize,
    /// Id in the gold set.
    pub id: Option<String>,
    /// Text of the question; used if there is no id.
    pub question: Option<String>,
    /// Contexts, best first; `None` if the row has no list of contexts.
    pub contexts: Option<Vec<SystemContext>>,
    /// The answer.
    pub answer: Option<String>,
    /// Whether the system refused; `None` if that is for Fiel to recognise.
    pub abstained: Option<bool>,
    /// Ids, or numbers from 1, of the contexts that the answer cites, if they are not in the answer
    /// itself.
    pub citations: Option<Vec<String>>,
}

/// A context that another system read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SystemContext {
    /// The id that citations use.
    pub id: Option<String>,
    /// The text.
    pub text: String,
}

/// The output of another system: a file with one JSON object per line.
#[derive(Clone, Debug, PartialEq)]
pub struct SystemOutput {
    /// Name of the file.
    pub name: String,
    /// SHA-256 of the file.
    pub sha256: String,
    /// The rows.
    pub rows: Vec<SystemAnswer>,
    /// Names of unknown columns, which are not read.
    pub ignored: BTreeSet<String>,
}

/// Names of columns in Fiel and in ragas.
const ID: &[&str] = &["id"];
const QUESTION: &[&str] = &["question", "user_input"];
const CONTEXTS: &[&str] = &["contexts", "retrieved_contexts"];
const ANSWER: &[&str] = &["answer", "response"];
const CITATIONS: &[&str] = &["citations"];
const ABSTAINED: &[&str] = &["abstained"];
/// Known but not read; references come from the gold set.
const REFERENCE: &[&str] = &["reference", "ground_truth", "ground_truths"];

impl SystemOutput {
    /// Loads a file.
    ///
    /// # Errors
    /// [`Error::Gold`] with every faulty line.
    pub fn load(path: &Path) -> Result<Self, Error> {
        let text = read_text(path)?;
        let mut ignored = BTreeSet::new();
        let rows =
            parse_lines(path, &text, |line, fields| row(line, &fields, &mut ignored).map(Some))?;
        if rows.is_empty() {
            return Err(empty_file(path, "the file has no answers"));
        }
        Ok(Self { name: file_name(path), sha256: sha256_hex(text.as_bytes()), rows, ignored })
    }
}

fn row(
    line: usize,
    fields: &Map<String, Json>,
    ignored: &mut BTreeSet<String>,
) -> Result<SystemAnswer, String> {
    let known = [ID, QUESTION, CONTEXTS, ANSWER, CITATIONS, ABSTAINED, REFERENCE];
    let unknown =
        fields.keys().filter(|name| !known.iter().any(|names| names.contains(&name.as_str())));
    ignored.extend(unknown.cloned());
    let get = |names: &[&'static str]| {
        let column = names.iter().find_map(|name| Some((*name, fields.get(*name)?)));
        column.filter(|(_, value)| !value.is_null())
    };
    let string = |names| {
        let column = get(names);
        let wrong =
            |name: &str, value: &Json| format!("`{name}` is {}, expected a text", kind(value));
        column.map(|(name, value)| scalar(value).ok_or_else(|| wrong(name, value))).transpose()
    };
    let list = |names| match get(names) {
        None => Ok(None),
        Some((_, Json::Array(items))) => Ok(Some(items)),
        Some((name, other)) => Err(format!("`{name}` is {}, expected a list", kind(other))),
    };
    let abstained = match get(ABSTAINED) {
        None => None,
        Some((_, Json::Bool(abstained))) => Some(*abstained),
        Some((name, other)) => {
            return Err(format!("`{name}` is {}, expected true or false", kind(other)));
        }
    };
    let row = SystemAnswer {
        line,
        id: string(ID)?,
        question: string(QUESTION)?,
        contexts: list(CONTEXTS)?
            .map(|c| c.iter().map(context).collect::<Result<_, String>>())
            .transpose()?,
        answer: string(ANSWER)?,
        abstained,
        citations: list(CITATIONS)?
            .map(|c| c.iter().map(citation).collect::<Result<_, String>>())
            .transpose()?,
    };
    if row.id.is_none() && row.question.is_none() {
        return Err("the row has neither `id` nor `question`".to_owned());
    }
    if row.contexts.is_none() && row.answer.is_none() {
        return Err("the row has neither `contexts` nor `answer`".to_owned());
    }
    Ok(row)
}

/// A text, or a number as text.
fn scalar(value: &Json) -> Option<String> {
    match value {
        Json::String(text) => Some(text.clone()),
        Json::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// A context: a text, or an object with a text and an id.
fn context(item: &Json) -> Result<SystemContext, String> {
    let field = |names: &[&str]| scalar(names.iter().find_map(|name| item.get(*name))?);
    match item {
        Json::String(text) => Ok(SystemContext { id: None, text: text.clone() }),
        Json::Object(_) => match field(&["text", "content", "page_content"]) {
            Some(text) => Ok(SystemContext { id: field(&["id"]), text }),
            None => Err("a context has no `text`".to_owned()),
        },
        other => Err(format!(
            "a context is {}, expected a text or an object with `id` and `text`",
            kind(other)
        )),
    }
}

fn citation(item: &Json) -> Result<String, String> {
    scalar(item).ok_or_else(|| {
        format!("a citation is {}, expected the id or the number of a context", kind(item))
    })
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

/// Matches each row with the question that has its id, or else its words. Returns the rows by position
/// of their question, and the rows that match none.
pub(super) fn assign<'a>(
    rows: &'a [SystemAnswer],
    questions: &[(&str, &str)],
) -> (BTreeMap<usize, &'a SystemAnswer>, Vec<GoldFault>) {
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let by_id: BTreeMap<&str, usize> = (0..).zip(questions).map(|(at, q)| (q.0, at)).collect();
    let mut by_words: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (at, (_, question)) in questions.iter().enumerate() {
        by_words.entry(words(question)).or_default().push(at);
    }
    let (mut assigned, mut faults) = (BTreeMap::<_, &SystemAnswer>::new(), Vec::new());
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
                // The first row of a question counts.
                let first = *assigned.entry(at).or_insert(row);
                if first.line != row.line {
                    fault(format!("the question already has an answer in line {}", first.line));
                }
            }
            _ => fault("several questions have these words; give the id".to_owned()),
        }
    }
    (assigned, faults)
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
            Some(vec![
                SystemContext { id: None, text: "x".into() },
                SystemContext { id: Some("d#1".into()), text: "y".into() }
            ])
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
            "line 3: the row has neither `id` nor",
            "line 4: the row has neither `contexts`",
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
        assert!(faults[1].contains("already has an answer in line 1"), "{}", faults[1]);
        assert!(faults[2].contains("give the id"), "{}", faults[2]);
    }
}
