use std::{collections::BTreeMap, ops::Range};

use fiel_corpus::{Chunk, KnowledgeBase, locate_quote};
use fiel_metrics::finds;

use crate::{Error, Gold, GoldFault, Question};

/// Where one quotation stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    doc: String,
    range: Range<usize>,
}

/// A question with its evidence anchored: by group, the alternatives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResolvedQuestion {
    /// As it was written.
    pub question: Question,
    groups: Vec<Vec<Span>>,
}

/// A gold set whose every quotation was found in its document.
#[derive(Clone, Debug, PartialEq)]
pub struct ResolvedGold {
    /// The set.
    pub gold: Gold,
    /// Its questions, in the order of the file.
    pub questions: Vec<ResolvedQuestion>,
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
            let mut groups: Vec<Vec<Span>> = Vec::new();
            let mut named: BTreeMap<&str, usize> = BTreeMap::new();
            for evidence in &question.evidence {
                let mut fault = |message: String| {
                    faults.push(GoldFault {
                        line: *line,
                        question: Some(question.id.clone()),
                        message,
                    });
                };
                let Some(doc) = kb.document(&evidence.doc) else {
                    fault(format!(
                        "there is no document `{}` in {}",
                        evidence.doc, kb.name
                    ));
                    continue;
                };
                let range = match locate_quote(&doc.text, &evidence.quote) {
                    Ok(range) => range,
                    Err(e) => {
                        fault(format!("{}: {e}: \"{}\"", evidence.doc, evidence.quote));
                        continue;
                    }
                };
                let span = Span {
                    doc: evidence.doc.clone(),
                    range,
                };
                let group = evidence
                    .group
                    .as_deref()
                    .and_then(|g| named.get(g).copied());
                match group {
                    Some(at) => groups[at].push(span),
                    None => {
                        if let Some(name) = evidence.group.as_deref() {
                            named.insert(name, groups.len());
                        }
                        groups.push(vec![span]);
                    }
                }
            }
            questions.push(ResolvedQuestion {
                question: question.clone(),
                groups,
            });
        }
        if !faults.is_empty() {
            return Err(Error::Gold {
                path: self.path.clone(),
                faults,
            });
        }
        Ok(ResolvedGold {
            gold: self,
            questions,
        })
    }
}

impl ResolvedQuestion {
    /// Number of evidence groups, all of which are needed.
    pub fn groups(&self) -> usize {
        self.groups.len()
    }

    /// The groups that a chunk finds: it holds at least half of one of their spans.
    pub fn found_by(&self, chunk: &Chunk, kb: &KnowledgeBase) -> Vec<usize> {
        let Some(doc) = kb.document(&chunk.doc) else {
            return Vec::new();
        };
        let finds_one = |spans: &Vec<Span>| {
            spans.iter().any(|s| {
                s.doc == chunk.doc && finds(&doc.text, chunk.span.clone(), s.range.clone())
            })
        };
        (0..self.groups.len())
            .filter(|&at| finds_one(&self.groups[at]))
            .collect()
    }

    /// Chunks that hold the evidence, one for each group: of the first alternative that a chunk
    /// finds, the first such chunk; of a span that no chunk finds, every chunk it touches.
    pub(crate) fn evidence_chunks(&self, chunks: &[Chunk], kb: &KnowledgeBase) -> Vec<usize> {
        let mut out: Vec<usize> = Vec::new();
        for spans in &self.groups {
            let holding = spans.iter().find_map(|span| {
                let doc = kb.document(&span.doc)?;
                chunks.iter().position(|c| {
                    c.doc == span.doc && finds(&doc.text, c.span.clone(), span.range.clone())
                })
            });
            let touching = || {
                let touches = |c: &Chunk, s: &Span| {
                    c.doc == s.doc && c.span.start < s.range.end && s.range.start < c.span.end
                };
                let first = spans.first();
                (0..chunks.len())
                    .filter(|&at| first.is_some_and(|s| touches(&chunks[at], s)))
                    .collect()
            };
            out.extend(holding.map_or_else(touching, |at| vec![at]));
        }
        let mut seen = std::collections::BTreeSet::new();
        out.retain(|at| seen.insert(*at));
        out
    }
}
