//! Evidence located in the documents.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
};

use fiel_corpus::{Chunk, KnowledgeBase};
use fiel_metrics::finds;
use fiel_text::{QuoteError, id::DocId, locate_quote};

use crate::{Error, Evidence, Gold, GoldFault, Question};

/// The place of a piece of evidence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EvidenceSpan {
    /// Id of the document.
    pub doc: DocId,
    /// Byte range in the document; `None`: the whole document.
    pub range: Option<Range<usize>>,
}

/// A question with the places of its evidence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResolvedQuestion {
    /// The question.
    pub question: Question,
    /// Evidence groups, each with its alternatives.
    groups: Vec<Vec<EvidenceSpan>>,
}

/// A gold set with the places of all its evidence.
#[derive(Clone, Debug, PartialEq)]
pub struct ResolvedGold {
    /// The set.
    pub gold: Gold,
    /// Its questions, in the order of the file.
    pub questions: Vec<ResolvedQuestion>,
}

impl Gold {
    /// Locates the evidence of every question.
    ///
    /// # Errors
    /// [`Error::Gold`] with every missing document and every quote that does not occur exactly
    /// once.
    pub fn resolve(self, kb: &KnowledgeBase) -> Result<ResolvedGold, Error> {
        let (mut questions, mut faults) = (Vec::new(), Vec::new());
        let no_document = |doc: &str| format!("there is no document `{doc}` in {}", kb.name);
        for (line, question) in &self.questions {
            let (resolved, unresolved) = ResolvedQuestion::resolve(question, kb);
            questions.push(resolved);
            let evidence = unresolved.into_iter().map(|(Evidence { doc, quote, .. }, fault)| {
                let quote = quote.as_deref().unwrap_or_default();
                fault.map_or_else(|| no_document(doc), |e| format!("{doc}: {e}: \"{quote}\""))
            });
            let context = question.context.iter().filter(|doc| kb.document(doc).is_none());
            let messages = evidence.chain(context.map(|d| format!("context: {}", no_document(d))));
            faults.extend(messages.map(|message| GoldFault::new(*line, question, message)));
        }
        if !faults.is_empty() {
            return Err(Error::Gold { path: self.path, faults });
        }
        Ok(ResolvedGold { gold: self, questions })
    }
}

impl ResolvedQuestion {
    /// Locates the evidence of a question. Also returns the pieces without a place, each with the
    /// fault of its quote; `None` if the knowledge base lacks its document.
    pub fn resolve<'a>(
        question: &'a Question,
        kb: &KnowledgeBase,
    ) -> (Self, Vec<(&'a Evidence, Option<QuoteError>)>) {
        let mut groups: Vec<Vec<EvidenceSpan>> = Vec::new();
        let mut named: BTreeMap<&str, usize> = BTreeMap::new();
        let mut unresolved = Vec::new();
        for evidence in &question.evidence {
            match EvidenceSpan::locate(evidence, kb) {
                Err(fault) => unresolved.push((evidence, fault)),
                Ok(_) if !evidence.is_relevant() => {}
                Ok(span) => {
                    let next = groups.len();
                    let group = evidence.group.as_deref();
                    let at = group.map_or(next, |name| *named.entry(name).or_insert(next));
                    if at == next {
                        groups.push(Vec::new());
                    }
                    groups[at].push(span);
                }
            }
        }
        (Self { question: question.clone(), groups }, unresolved)
    }

    /// Positions of the chunks of the documents in [`Question::context`], in their order.
    pub fn given_chunks(&self, chunks: &[Chunk]) -> Vec<usize> {
        let chunks_of = |doc: &DocId| -> Vec<usize> {
            (0..chunks.len()).filter(|&at| chunks[at].doc == *doc).collect()
        };
        self.question.context.iter().flat_map(chunks_of).collect()
    }

    /// Number of evidence groups, all of which are needed.
    pub fn groups(&self) -> usize {
        self.groups.len()
    }

    /// The places of all evidence.
    pub fn spans(&self) -> impl Iterator<Item = &EvidenceSpan> {
        self.groups.iter().flatten()
    }

    /// The quotes as they are in the documents: per group, its alternatives.
    pub fn quotes<'a>(&self, kb: &'a KnowledgeBase) -> Vec<Vec<&'a str>> {
        let quote = |span: &EvidenceSpan| kb.document(&span.doc)?.text.get(span.range.clone()?);
        self.groups.iter().map(|spans| spans.iter().filter_map(quote).collect()).collect()
    }

    /// Grades by document id, if whole documents are judged.
    pub fn judgements(&self) -> Option<BTreeMap<String, i32>> {
        let grade = |e: &Evidence| (e.doc.to_string(), e.grade.unwrap_or(1));
        self.question.is_judged().then(|| self.question.evidence.iter().map(grade).collect())
    }

    /// The groups with a span that `is_match` accepts.
    fn groups_with(&self, is_match: impl Fn(&EvidenceSpan) -> bool) -> Vec<usize> {
        (0..self.groups.len()).filter(|&at| self.groups[at].iter().any(&is_match)).collect()
    }

    /// The groups for which a document is evidence as a whole.
    pub fn groups_of_document(&self, doc: &str) -> Vec<usize> {
        self.groups_with(|span| span.doc == doc && span.range.is_none())
    }

    /// The groups that a chunk finds: it contains at least half of one of their spans, or belongs
    /// to a document that is evidence as a whole.
    pub fn found_by(&self, chunk: &Chunk, kb: &KnowledgeBase) -> Vec<usize> {
        self.groups_with(|span| span.found_by(chunk, kb))
    }

    /// Positions of the chunks that contain the evidence. Per group, the first chunk that finds
    /// the first alternative found by any; if no chunk finds one, every chunk that touches the
    /// first alternative, which for a whole document are all its chunks.
    pub fn evidence_chunks(&self, chunks: &[Chunk], kb: &KnowledgeBase) -> Vec<usize> {
        let mut out: Vec<usize> = Vec::new();
        for spans in &self.groups {
            let mut quoted = spans.iter().filter(|span| span.range.is_some());
            match quoted.find_map(|span| chunks.iter().position(|c| span.found_by(c, kb))) {
                Some(at) => out.push(at),
                None => out.extend((0..chunks.len()).filter(|&at| spans[0].touches(&chunks[at]))),
            }
        }
        let mut seen = BTreeSet::new();
        out.retain(|at| seen.insert(*at));
        out
    }
}

impl EvidenceSpan {
    fn locate(evidence: &Evidence, kb: &KnowledgeBase) -> Result<Self, Option<QuoteError>> {
        let doc = kb.document(&evidence.doc).ok_or(None)?;
        let range = evidence.quote.as_ref().map(|quote| locate_quote(&doc.text, quote));
        Ok(Self { doc: evidence.doc.clone(), range: range.transpose()? })
    }

    fn found_by(&self, chunk: &Chunk, kb: &KnowledgeBase) -> bool {
        let finds = |range: &Range<usize>| {
            let doc = kb.document(&chunk.doc);
            doc.is_some_and(|doc| finds(&doc.text, chunk.span.clone(), range.clone()))
        };
        self.doc == chunk.doc && self.range.as_ref().is_none_or(finds)
    }

    /// Whether the evidence and the chunk share text.
    pub fn touches(&self, chunk: &Chunk) -> bool {
        let overlaps = |r: &Range<usize>| chunk.span.start < r.end && r.start < chunk.span.end;
        self.doc == chunk.doc && self.range.as_ref().is_none_or(overlaps)
    }
}
