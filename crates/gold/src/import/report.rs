use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use fiel_store::sha256_hex;
use fiel_text::Lang;
use serde::Serialize;

use crate::{Evidence, Question, Split};

/// Name and version of the report of an import.
pub const IMPORT_SCHEMA: &str = "fiel.import/1";

/// What was read and what became of it: `read = written + merged + refused`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// In the source.
    pub read: usize,
    /// In the result.
    pub written: usize,
    /// Rows that became one question with an earlier row.
    pub merged: usize,
    /// Left out, each with its reason.
    pub refused: usize,
}

/// Something of the source that is not in the result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Refused {
    /// The file.
    pub file: PathBuf,
    /// Its line, from 1.
    pub line: usize,
    /// `document`, `question` or `judgement`, and its id.
    pub what: String,
    /// Why.
    pub reason: String,
}

/// The account of an import.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ImportReport {
    /// [`IMPORT_SCHEMA`].
    pub schema: &'static str,
    /// By kind: documents, questions, judgements.
    pub counts: BTreeMap<&'static str, Counts>,
    /// What was left out, in the order of the source.
    pub refused: Vec<Refused>,
    /// Document ids that cannot be file names, and what they became.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub renamed: BTreeMap<String, String>,
    /// What else was not taken over.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// A document of a knowledge base that is to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewDocument {
    /// Its id, which is the name of its file.
    pub id: String,
    /// The whole file.
    pub text: String,
}

/// Documents and questions that are to be written.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Imported {
    /// Of a new knowledge base; none when the questions are for one that is there.
    pub documents: Vec<NewDocument>,
    /// Of a new gold set.
    pub questions: Vec<Question>,
    /// What became of everything.
    pub report: ImportReport,
}

impl Imported {
    pub(super) fn new(kinds: &[&'static str]) -> Self {
        let report = ImportReport {
            schema: IMPORT_SCHEMA,
            counts: kinds.iter().map(|k| (*k, Counts::default())).collect(),
            ..ImportReport::default()
        };
        Self { report, ..Self::default() }
    }

    /// Counts for a kind: `documents`, `questions` or `judgements`.
    pub(super) fn count(&mut self, kind: &'static str) -> &mut Counts {
        self.report.counts.entry(kind).or_default()
    }

    /// Counts and lists what is left out; `kind` is the plural of `what`.
    pub(super) fn refuse(
        &mut self,
        kind: &'static str,
        (file, line): (&Path, usize),
        id: &str,
        reason: impl Into<String>,
    ) {
        self.count(kind).refused += 1;
        self.report.refused.push(Refused {
            file: file.to_owned(),
            line,
            what: format!("{} {id}", kind.trim_end_matches('s')).trim().to_owned(),
            reason: reason.into(),
        });
    }

    /// Keeps as many questions for development and for test as asked, in the order of the SHA-256
    /// of their ids, and leaves out the others; documents stay.
    pub fn sample(&mut self, dev: usize, test: usize) {
        let mut order: Vec<(String, usize)> = (0..self.questions.len())
            .map(|at| (sha256_hex(self.questions[at].id.as_bytes()), at))
            .collect();
        order.sort();
        let mut part: BTreeMap<usize, Split> = BTreeMap::new();
        for (place, (_, at)) in order.iter().take(dev + test).enumerate() {
            part.insert(*at, if place < dev { Split::Dev } else { Split::Test });
        }
        let all = std::mem::take(&mut self.questions).into_iter().enumerate();
        self.questions = all
            .filter_map(|(at, question)| {
                let split = *part.get(&at)?;
                Some(Question { split, ..question })
            })
            .collect();
        let left_out = self.count("questions").written - self.questions.len();
        self.count("questions").written = self.questions.len();
        self.count("questions").merged = 0;
        self.report.notes.push(format!(
            "{dev} questions for development, {test} for test, by the SHA-256 of their ids; \
             {left_out} were not taken"
        ));
    }

    pub(super) fn write(&mut self, question: Question) {
        self.count("questions").written += 1;
        self.questions.push(question);
    }
}

/// Its part of a set: `dev` when the first eight hexadecimal digits of the SHA-256 of its id are
/// divisible by 3.
pub(crate) fn split_of(id: &str) -> Split {
    let digest = sha256_hex(id.as_bytes());
    match u32::from_str_radix(&digest[..8], 16) {
        Ok(number) if number % 3 == 0 => Split::Dev,
        _ => Split::Test,
    }
}

/// A question without answers or evidence.
pub(super) fn question(id: &str, text: &str, lang: Lang) -> Question {
    Question {
        id: id.into(),
        question: text.split_whitespace().collect::<Vec<_>>().join(" "),
        lang,
        evidence: Vec::new(),
        answers: Vec::new(),
        answer_contains: Vec::new(),
        context: Vec::new(),
        tags: Vec::new(),
        unanswerable: false,
        split: split_of(id),
    }
}

/// A document as a whole; grade 1 is what is meant when none is given.
pub(super) fn judged(doc: &str, grade: i32) -> Evidence {
    Evidence { doc: doc.into(), quote: None, group: None, grade: (grade != 1).then_some(grade) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_third_of_the_ids_is_for_development() {
        let dev = (0..3000).filter(|i| split_of(&format!("q{i}")) == Split::Dev);
        assert!((900..1100).contains(&dev.count()));
        // SHA-256 of "abc" begins with ba7816bf.
        assert_eq!(split_of("abc"), Split::Dev);
    }
}
