//! A question of the page and the evidence in its passages.

use std::collections::BTreeMap;

use fiel_text::{Lang, id::doc_of};
use serde::Serialize;

use super::quote::locate_most;
use fiel_record::{Evidence, QuestionRecord, Split};

#[derive(Serialize)]
pub(super) struct Question<'a> {
    id: &'a str,
    #[serde(rename = "q")]
    question: &'a str,
    lang: Lang,
    split: Split,
    tags: &'a [String],
    #[serde(rename = "un")]
    unanswerable: bool,
    #[serde(rename = "refs")]
    references: &'a [String],
    evidence: &'a [Evidence],
    /// Number of evidence groups.
    groups: usize,
    /// By position of a chunk, the evidence in its text as UTF-16 offsets: `[start, end, …]`.
    marks: BTreeMap<usize, Vec<usize>>,
}

impl<'a> Question<'a> {
    pub(super) fn new(record: &'a QuestionRecord, evidence: &'a [Evidence]) -> Self {
        Self {
            id: &record.id,
            question: &record.question,
            lang: record.lang,
            split: record.split,
            tags: &record.tags,
            unanswerable: record.unanswerable,
            references: &record.references,
            evidence,
            groups: record.retrieval.groups,
            marks: BTreeMap::new(),
        }
    }

    pub(super) fn mark_evidence(&mut self, id: &str, chunk: usize, text: &str) {
        if self.marks.contains_key(&chunk) {
            return;
        }
        let doc = doc_of(id);
        let of_doc = self.evidence.iter().filter(|e| e.doc == doc);
        let places = of_doc
            .filter_map(|e| locate_most(text, e.quote.as_deref()?))
            .flat_map(|place| [place.start, place.end])
            .collect();
        self.marks.insert(chunk, places);
    }
}
