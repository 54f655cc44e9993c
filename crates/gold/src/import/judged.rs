//! Queries and relevance judgements of whole documents, as BEIR and TREC have them.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

use fiel_record::counted;
use fiel_store::read_text;
use fiel_text::Lang;

use super::imported::{Imported, judged, question};
use crate::{Error, Evidence, Question, Split};

/// The queries of a collection, with their judgements as evidence.
pub(super) struct Queries<'a> {
    path: &'a Path,
    lang: Lang,
    by_id: BTreeMap<String, Question>,
    /// Lines and ids in the order of the source.
    order: Vec<(usize, String)>,
    /// Pairs of query and document that are judged.
    pairs: BTreeSet<(String, String)>,
}

impl<'a> Queries<'a> {
    /// Without queries; `path` is their file.
    pub(super) fn new(path: &'a Path, lang: Lang) -> Self {
        Self { path, lang, by_id: BTreeMap::new(), order: Vec::new(), pairs: BTreeSet::new() }
    }

    /// Adds a query, or refuses it if it has no id or no text, or its id occurs before.
    pub(super) fn add(&mut self, line: usize, id: String, text: &str, out: &mut Imported) {
        let fault = if id.is_empty() {
            "it has no id"
        } else if text.trim().is_empty() {
            "it has no text"
        } else if self.by_id.contains_key(&id) {
            "the id occurs twice"
        } else {
            self.by_id.insert(id.clone(), question(&id, text, self.lang));
            self.order.push((line, id));
            return;
        };
        out.refuse("questions", (self.path, line), &id, fault);
    }

    /// Adds the judgements of a file in the three columns of BEIR, with an optional header, or in
    /// the four of TREC (topic, iteration, document, grade). `document` maps ids of the collection
    /// to ids of documents. Judged queries get the split, if any. Refuses faulty lines.
    ///
    /// # Errors
    /// [`Error::Store`] if the file cannot be read.
    pub(super) fn judge(
        &mut self,
        path: &Path,
        split: Option<Split>,
        document: &dyn Fn(&str) -> Option<String>,
        out: &mut Imported,
    ) -> Result<(), Error> {
        let text = read_text(path)?;
        let mut judgements = Vec::new();
        for (line, row) in (1..).zip(text.lines()) {
            let columns: Vec<&str> = row.split_whitespace().collect();
            let (query, doc, grade) = match columns[..] {
                [] => continue,
                [query, doc, grade] | [query, _, doc, grade] => (query, doc, grade),
                _ => {
                    out.count("judgements").read += 1;
                    let reason = format!(
                        "{}; expected query, document, grade or topic, iteration, document, grade",
                        counted(columns.len(), "column")
                    );
                    out.refuse("judgements", (path, line), "", reason);
                    continue;
                }
            };
            let number = grade.parse::<f64>();
            // The header of BEIR: `query-id corpus-id score`.
            if line == 1 && number.is_err() {
                continue;
            }
            out.count("judgements").read += 1;
            match number {
                Ok(n) if n.fract() == 0.0 && n.abs() <= f64::from(i32::MAX) => {
                    judgements.push((line, query, doc, n as i32));
                }
                _ => {
                    let reason = format!("the grade `{grade}` is not a whole number");
                    out.refuse("judgements", (path, line), &format!("{query} {doc}"), reason);
                }
            }
        }
        for (line, query, doc, grade) in judgements {
            let fault = match (self.by_id.get_mut(query), document(doc)) {
                (None, _) => "there is no such query",
                (_, None) => "there is no such document",
                (Some(question), Some(doc)) => {
                    if self.pairs.insert((query.to_owned(), doc.clone())) {
                        question.evidence.push(judged(&doc, grade));
                        question.split = split.unwrap_or(question.split);
                        out.count("judgements").written += 1;
                        continue;
                    }
                    "this pair is judged before"
                }
            };
            out.refuse("judgements", (path, line), &format!("{query} {doc}"), fault);
        }
        Ok(())
    }

    /// Leaves out of the list of each query the document of the same id, as BEIR measures; `document`
    /// maps ids of the collection to ids of documents.
    pub(super) fn exclude_own(
        &mut self,
        document: &dyn Fn(&str) -> Option<String>,
        out: &mut Imported,
    ) {
        let mut count = 0;
        for (id, question) in &mut self.by_id {
            // A relevant document of the same id is another one by chance.
            let is_relevant =
                |doc: &str| question.evidence.iter().any(|e| e.doc == doc && e.is_relevant());
            let is_judged = !question.evidence.is_empty();
            if let Some(own) = document(id).filter(|own| is_judged && !is_relevant(own)) {
                question.exclude.push(own.into());
                count += 1;
            }
        }
        if count > 0 {
            out.result.notes.push(format!(
                "queries that are a document of the collection: {count}; their lists leave it out, as \
                 BEIR measures"
            ));
        }
    }

    /// Forgets queries without a judgement, as if they were not in the source.
    pub(super) fn retain_judged(&mut self, out: &mut Imported) {
        self.by_id.retain(|_, question| !question.evidence.is_empty());
        let counts = out.count("questions");
        counts.read = counts.refused + self.by_id.len();
    }

    /// Adds the questions with a relevant document, in the order of the source, and refuses the
    /// others.
    pub(super) fn finish(mut self, out: &mut Imported) {
        for (line, id) in self.order {
            let Some(question) = self.by_id.remove(&id) else {
                continue;
            };
            if question.evidence.iter().any(Evidence::is_relevant) {
                out.add_question(question);
                continue;
            }
            let judgements = question.evidence.len();
            let counts = out.count("judgements");
            counts.written -= judgements;
            counts.refused += judgements;
            let reason = match judgements {
                0 => "no document is judged for it".to_owned(),
                n => format!("none of the {n} documents judged for it is relevant"),
            };
            out.refuse("questions", (self.path, line), &id, reason);
        }
    }
}
