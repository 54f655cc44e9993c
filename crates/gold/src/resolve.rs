use std::{collections::BTreeMap, ops::Range};

use fiel_corpus::{Chunk, KnowledgeBase};
use fiel_metrics::finds;
use fiel_text::{QuoteError, id::DocId, locate_quote};

use crate::{Error, Evidence, Gold, GoldFault, Question};

/// Where one piece of evidence stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EvidenceSpan {
    /// Id of the document.
    pub doc: DocId,
    /// Bytes of the document; none: the document as a whole.
    pub range: Option<Range<usize>>,
}

/// Why a piece of evidence has no place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unanchored {
    /// The knowledge base has no such document.
    NoDocument,
    /// The quote does not occur exactly once.
    Quote(QuoteError),
}

/// A question with its evidence anchored: by group, the alternatives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResolvedQuestion {
    /// As it was written.
    pub question: Question,
    groups: Vec<Vec<EvidenceSpan>>,
}

/// A gold set whose every quotation was found in its document.
#[derive(Clone, Debug, PartialEq)]
pub struct ResolvedGold {
    /// The set.
    pub gold: Gold,
    /// Its questions, in the order of the file.
    pub questions: Vec<ResolvedQuestion>,
}

/// The place of a piece of evidence in the knowledge base.
fn anchor(evidence: &Evidence, kb: &KnowledgeBase) -> Result<EvidenceSpan, Unanchored> {
    let doc = kb.document(&evidence.doc).ok_or(Unanchored::NoDocument)?;
    let locate = |quote: &String| locate_quote(&doc.text, quote).map_err(Unanchored::Quote);
    Ok(EvidenceSpan {
        doc: evidence.doc.clone(),
        range: evidence.quote.as_ref().map(locate).transpose()?,
    })
}

impl Gold {
    /// Finds every quotation in its document.
    ///
    /// # Errors
    /// [`Error::Gold`] with every quotation that is not there exactly once.
    pub fn resolve(self, kb: &KnowledgeBase) -> Result<ResolvedGold, Error> {
        let mut faults = Vec::new();
        let mut questions = Vec::new();
        for (line, question) in &self.questions {
            let mut fault = |evidence: &Evidence, why| {
                let Evidence { doc, quote, .. } = evidence;
                let quote = quote.as_deref().unwrap_or_default();
                faults.push(GoldFault {
                    line: *line,
                    question: Some(question.id.clone()),
                    message: match why {
                        Unanchored::NoDocument => {
                            format!("there is no document `{doc}` in {}", kb.name)
                        }
                        Unanchored::Quote(e) => format!("{doc}: {e}: \"{quote}\""),
                    },
                });
            };
            questions.push(ResolvedQuestion::new(question, kb, &mut fault));
            for doc in question.context.iter().filter(|doc| kb.document(doc).is_none()) {
                faults.push(GoldFault {
                    line: *line,
                    question: Some(question.id.clone()),
                    message: format!("context: there is no document `{doc}` in {}", kb.name),
                });
            }
        }
        if !faults.is_empty() {
            return Err(Error::Gold { path: self.path.clone(), faults });
        }
        Ok(ResolvedGold { gold: self, questions })
    }
}

impl ResolvedQuestion {
    /// Anchors what can be anchored; the rest goes to `fault`.
    pub fn new(
        question: &Question,
        kb: &KnowledgeBase,
        fault: &mut dyn FnMut(&Evidence, Unanchored),
    ) -> Self {
        let mut groups: Vec<Vec<EvidenceSpan>> = Vec::new();
        let mut named: BTreeMap<&str, usize> = BTreeMap::new();
        for evidence in &question.evidence {
            let span = match anchor(evidence, kb) {
                Ok(_) if !evidence.is_relevant() => continue,
                Ok(span) => span,
                Err(why) => {
                    fault(evidence, why);
                    continue;
                }
            };
            let group = evidence.group.as_deref();
            match group.and_then(|g| named.get(g).copied()) {
                Some(at) => groups[at].push(span),
                None => {
                    if let Some(name) = group {
                        named.insert(name, groups.len());
                    }
                    groups.push(vec![span]);
                }
            }
        }
        Self { question: question.clone(), groups }
    }

    /// The chunks of the documents that the question brings with it, in their order.
    pub fn given_chunks(&self, chunks: &[Chunk]) -> Vec<usize> {
        let of = |doc: &DocId| -> Vec<usize> {
            let is_of = |at: &usize| chunks[*at].doc == *doc;
            (0..chunks.len()).filter(is_of).collect()
        };
        self.question.context.iter().flat_map(of).collect()
    }

    /// Number of evidence groups, all of which are needed.
    pub fn groups(&self) -> usize {
        self.groups.len()
    }

    /// Every place of its evidence.
    pub fn spans(&self) -> impl Iterator<Item = &EvidenceSpan> {
        self.groups.iter().flatten()
    }

    /// The words of its evidence as they stand in the documents: by group, the alternatives.
    pub fn quotes<'a>(&self, kb: &'a KnowledgeBase) -> Vec<Vec<&'a str>> {
        let words = |span: &EvidenceSpan| kb.document(&span.doc)?.text.get(span.range.clone()?);
        let groups = self.groups.iter();
        groups.map(|spans| spans.iter().filter_map(words).collect()).collect()
    }

    /// The grades of its documents, when they are judged as wholes.
    pub fn judgements(&self) -> Option<BTreeMap<String, i32>> {
        let grade = |e: &Evidence| (e.doc.to_string(), e.grade.unwrap_or(1));
        self.question.is_judged().then(|| self.question.evidence.iter().map(grade).collect())
    }

    /// The groups for which a document is evidence as a whole.
    pub fn groups_of_document(&self, doc: &str) -> Vec<usize> {
        let is_it = |span: &EvidenceSpan| span.doc == doc && span.range.is_none();
        (0..self.groups.len()).filter(|&at| self.groups[at].iter().any(is_it)).collect()
    }

    /// The groups that a chunk finds: it holds at least half of one of their spans, or belongs to
    /// the document that is evidence as a whole.
    pub fn found_by(&self, chunk: &Chunk, kb: &KnowledgeBase) -> Vec<usize> {
        (0..self.groups.len())
            .filter(|&at| self.groups[at].iter().any(|s| s.found_by(chunk, kb)))
            .collect()
    }

    /// Chunks that hold the evidence, one for each group: of the first alternative that a chunk
    /// finds, the first such chunk; of a span that no chunk finds, every chunk it touches; of a
    /// whole document, all its chunks.
    pub fn evidence_chunks(&self, chunks: &[Chunk], kb: &KnowledgeBase) -> Vec<usize> {
        let mut out: Vec<usize> = Vec::new();
        for spans in &self.groups {
            let quoted = spans.iter().filter(|span| span.range.is_some());
            let holding =
                quoted.filter_map(|span| chunks.iter().position(|c| span.found_by(c, kb))).next();
            let touching = || {
                let first = spans.first();
                (0..chunks.len())
                    .filter(|&at| first.is_some_and(|s| s.touches(&chunks[at])))
                    .collect()
            };
            out.extend(holding.map_or_else(touching, |at| vec![at]));
        }
        let mut seen = std::collections::BTreeSet::new();
        out.retain(|at| seen.insert(*at));
        out
    }
}

impl EvidenceSpan {
    fn found_by(&self, chunk: &Chunk, kb: &KnowledgeBase) -> bool {
        self.doc == chunk.doc
            && match (&self.range, kb.document(&chunk.doc)) {
                (None, _) => true,
                (Some(range), Some(doc)) => finds(&doc.text, chunk.span.clone(), range.clone()),
                (Some(_), None) => false,
            }
    }

    /// Whether the evidence and the chunk share text.
    pub fn touches(&self, chunk: &Chunk) -> bool {
        let overlaps = |r: &Range<usize>| chunk.span.start < r.end && r.start < chunk.span.end;
        self.doc == chunk.doc && self.range.as_ref().is_none_or(overlaps)
    }
}
