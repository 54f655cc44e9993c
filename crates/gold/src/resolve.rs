//! Evidence located in the documents.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
};

use fiel_corpus::{Chunk, KnowledgeBase};
use fiel_metrics::{finds, span_overlap};
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

    /// Positions of the chunks that contain the evidence. Per group, of the first alternative that
    /// any chunk finds, the chunk with most of it; if none has all of it, every chunk that touches it.
    /// If no chunk finds an alternative, every chunk that touches the first one, which for a whole
    /// document are all its chunks.
    pub fn evidence_chunks(&self, chunks: &[Chunk], kb: &KnowledgeBase) -> Vec<usize> {
        let mut out: Vec<usize> = Vec::new();
        for spans in &self.groups {
            let found = spans.iter().find_map(|span| Some((span, span.best_chunk(chunks, kb)?)));
            match found {
                Some((_, BestChunk { at, is_whole: true })) => out.push(at),
                Some((span, _)) => out.extend(span.touching(chunks)),
                None => out.extend(spans[0].touching(chunks)),
            }
        }
        let mut seen = BTreeSet::new();
        out.retain(|at| seen.insert(*at));
        out
    }
}

impl ResolvedQuestion {
    /// Whether no chunk holds the whole of some piece of evidence that is quoted.
    pub fn is_cut(&self, chunks: &[Chunk], kb: &KnowledgeBase) -> bool {
        let is_whole = |span: &EvidenceSpan| {
            span.range.is_none() || span.best_chunk(chunks, kb).is_some_and(|best| best.is_whole)
        };
        self.groups.iter().any(|spans| !spans.iter().any(is_whole))
    }
}

/// The chunk with most of a quote.
struct BestChunk {
    at: usize,
    /// Whether it holds the whole quote.
    is_whole: bool,
}

impl EvidenceSpan {
    /// The first of the chunks with most of a quote. `None` if none finds it, and for a whole
    /// document.
    fn best_chunk(&self, chunks: &[Chunk], kb: &KnowledgeBase) -> Option<BestChunk> {
        let range = self.range.as_ref()?;
        let doc = kb.document(&self.doc)?;
        let mut best: Option<(usize, usize)> = None;
        let mut total = 0;
        for (at, chunk) in chunks.iter().enumerate().filter(|(_, chunk)| self.touches(chunk)) {
            let (inside, all) = span_overlap(&doc.text, chunk.span.clone(), range.clone());
            total = all;
            if best.is_none_or(|(_, most)| inside > most) {
                best = Some((at, inside));
            }
        }
        let (at, inside) = best.filter(|(_, inside)| total > 0 && 2 * inside >= total)?;
        Some(BestChunk { at, is_whole: inside == total })
    }

    /// Positions of the chunks that share text with the evidence.
    fn touching(&self, chunks: &[Chunk]) -> impl Iterator<Item = usize> {
        let is_touched = |(_, chunk): &(usize, &Chunk)| self.touches(chunk);
        chunks.iter().enumerate().filter(is_touched).map(|(at, _)| at)
    }

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

#[cfg(test)]
mod tests {
    use fiel_corpus::{Document, KnowledgeBaseInfo};

    use super::*;

    const TEXT: &str = "One two three four five six seven eight.";

    fn chunks(spans: &[Range<usize>]) -> Vec<Chunk> {
        let chunk = |(at, span): (usize, &Range<usize>)| Chunk {
            id: fiel_text::id::ChunkId::new("d", at),
            doc: "d".into(),
            ordinal: at,
            span: span.clone(),
            heading: Vec::new(),
            text: TEXT[span.clone()].to_owned(),
            entries: Vec::new(),
        };
        (1..).zip(spans).map(chunk).collect()
    }

    fn question(quote: &str) -> (ResolvedQuestion, KnowledgeBase) {
        let kb = KnowledgeBase {
            name: "kb".to_owned(),
            info: KnowledgeBaseInfo::default(),
            documents: vec![Document::plain("d", TEXT)],
            left_out: Vec::new(),
        };
        let evidence =
            Evidence { doc: "d".into(), quote: Some(quote.to_owned()), ..Evidence::default() };
        let question = Question { evidence: vec![evidence], ..Question::default() };
        (ResolvedQuestion::resolve(&question, &kb).0, kb)
    }

    #[test]
    fn the_evidence_is_the_chunk_with_most_of_it_or_all_that_touch_it() {
        let (asked, kb) = question("three four five six");
        // Windows that overlap: the second has half of the quote, the third all of it.
        let windows = chunks(&[0..7, 4..18, 8..30, 24..40]);
        assert_eq!(asked.evidence_chunks(&windows, &kb), [2]);
        assert!(!asked.is_cut(&windows, &kb));
        let cut = chunks(&[0..7, 4..18, 14..23, 24..40]);
        assert_eq!(asked.evidence_chunks(&cut, &kb), [1, 2, 3]);
        assert!(asked.is_cut(&cut, &kb));
    }
}
