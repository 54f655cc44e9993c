//! The result of an import, before it is written.

use std::{collections::BTreeMap, path::Path};

use fiel_record::{IMPORT_SCHEMA, ImportCounts, ImportResult, LeftOut};
use fiel_store::sha256_hex;
use fiel_text::{Lang, fold_white_space};

use crate::{Evidence, Question, Split};

/// A document of a new knowledge base.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewDocument {
    /// Its id, which is the name of its file.
    pub id: String,
    /// Contents of the file.
    pub text: String,
}

/// Imported documents and questions.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Imported {
    /// Documents of a new knowledge base; empty if the questions are for an existing one.
    pub documents: Vec<NewDocument>,
    /// Questions of a new gold set.
    pub questions: Vec<Question>,
    /// The account of the import.
    pub result: ImportResult,
}

impl Imported {
    pub(super) fn new(kinds: &[&str]) -> Self {
        let counts = kinds.iter().map(|kind| ((*kind).to_owned(), ImportCounts::default()));
        let result = ImportResult {
            schema: IMPORT_SCHEMA.to_owned(),
            counts: counts.collect(),
            ..ImportResult::default()
        };
        Self { result, ..Self::default() }
    }

    /// The counts of a kind: `documents`, `questions` or `judgements`.
    pub(super) fn count(&mut self, kind: &str) -> &mut ImportCounts {
        self.result.counts.entry(kind.to_owned()).or_default()
    }

    /// Leaves out an entry of a kind.
    pub(super) fn refuse(
        &mut self,
        kind: &str,
        (file, line): (&Path, usize),
        id: &str,
        reason: impl Into<String>,
    ) {
        self.count(kind).refused += 1;
        self.result.refused.push(LeftOut {
            file: file.to_owned(),
            line,
            what: format!("{} {id}", kind.trim_end_matches('s')).trim().to_owned(),
            reason: reason.into(),
        });
    }

    pub(super) fn add_question(&mut self, question: Question) {
        self.count("questions").written += 1;
        self.questions.push(question);
    }

    pub(super) fn add_document(&mut self, id: String, text: String) {
        self.count("documents").written += 1;
        self.documents.push(NewDocument { id, text });
    }

    /// Keeps `dev` and `test` questions of each split, in the order of the SHA-256 of their ids.
    /// All documents stay.
    pub fn sample(&mut self, dev: usize, test: usize) {
        let read = self.questions.len();
        let mut order: Vec<usize> = (0..read).collect();
        order.sort_by_cached_key(|&at| sha256_hex(self.questions[at].id.as_bytes()));
        let chosen = order.into_iter().take(dev + test).enumerate();
        let splits: BTreeMap<usize, Split> = chosen
            .map(|(place, at)| (at, if place < dev { Split::Dev } else { Split::Test }))
            .collect();
        let questions = &mut self.questions;
        *questions = splits
            .into_iter()
            .map(|(at, split)| Question { split, ..std::mem::take(&mut questions[at]) })
            .collect();
        let written = self.questions.len();
        let counts = self.count("questions");
        let left_out = counts.written - written;
        (counts.written, counts.merged) = (written, 0);
        self.result.notes.push(format!(
            "{dev} dev and {test} test questions, chosen by the SHA-256 of their ids; {left_out} \
             left out"
        ));
    }
}

/// The split of a question: `dev` if the first eight hexadecimal digits of the SHA-256 of its id
/// are divisible by 3.
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
        question: fold_white_space(text),
        lang,
        split: split_of(id),
        ..Question::default()
    }
}

/// A whole document as evidence; grade 1 is the default and is not written.
pub(super) fn judged(doc: &str, grade: i32) -> Evidence {
    let grade = (grade != 1).then_some(grade);
    Evidence { doc: doc.into(), grade, ..Evidence::default() }
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
