//! The contexts that a diagnosis reads a question from.

use fiel_corpus::KnowledgeBase;
use fiel_gold::{ResolvedGold, ResolvedQuestion};
use fiel_metrics::contains;
use fiel_reader::Pipeline;
use fiel_record::{QuestionRecord, RerunKind};
use fiel_runs::StoredRun;
use fiel_text::id::ChunkId;

use crate::{DiagnosisObstacle, Error};

/// The input of a diagnosis.
pub struct Diagnosing<'a> {
    /// The run.
    pub run: &'a StoredRun,
    /// The documents of the run.
    pub kb: &'a KnowledgeBase,
    /// The questions of the run, with their evidence located in the documents.
    pub gold: &'a ResolvedGold,
    /// The pipeline of the run.
    pub pipeline: &'a Pipeline,
    /// Pipelines with the settings of [`other_legs`](crate::other_legs).
    pub legs: &'a [(RerunKind, Pipeline)],
}

pub(super) fn obstacle(run: &StoredRun, reason: DiagnosisObstacle) -> Error {
    Error::Diagnose { run: run.summary.timing.run.clone(), reason }
}

/// Positions of the chunks with evidence, and of those that were read.
pub(super) struct Contexts<'a> {
    input: &'a Diagnosing<'a>,
    question: &'a ResolvedQuestion,
    /// A chunk per evidence group, or the chunks that its span touches.
    pub evidence: Vec<usize>,
    /// The context, without the chunks that the token budget cut off.
    pub read: Vec<usize>,
    /// The chunks of `read` with evidence.
    holding: Vec<usize>,
    /// The chunks of `evidence` with a group that `holding` lacks.
    lacking: Vec<usize>,
    /// Whether every group is in the context.
    pub was_read: bool,
    /// Whether every group is among the passages found.
    pub was_found: bool,
    /// Whether no chunk holds all of some group.
    pub is_cut: bool,
}

impl<'a> Contexts<'a> {
    pub fn new(
        input: &'a Diagnosing<'a>,
        record: &QuestionRecord,
        question: &'a ResolvedQuestion,
    ) -> Result<Self, Error> {
        let all = input.pipeline.retriever().chunks();
        let position = |id: &ChunkId| {
            // Chunks are sorted by id.
            all.binary_search_by(|chunk| chunk.id.cmp(id))
                .map_err(|_| obstacle(input.run, DiagnosisObstacle::NoChunk(id.clone())))
        };
        let hits = &record.retrieval.hits;
        let dropped = record.e2e.as_ref().map(|e2e| e2e.dropped.as_slice()).unwrap_or_default();
        let top = hits.iter().take(input.pipeline.settings().read.context_k);
        let mut read: Vec<usize> = if question.question.context.is_empty() {
            top.map(|hit| position(&hit.chunk)).collect::<Result<_, _>>()?
        } else {
            question.given_chunks(all)
        };
        read.retain(|at| !dropped.contains(&all[*at].id));
        let groups = |chunk: &usize| question.found_by(&all[*chunk], input.kb);
        let is_complete = |found: &[usize]| (0..question.groups()).all(|g| found.contains(&g));
        let all_groups =
            |chunks: &[usize]| -> Vec<usize> { chunks.iter().flat_map(groups).collect() };
        let evidence = question.evidence_chunks(all, input.kb);
        let holding: Vec<usize> = read.iter().copied().filter(|c| !groups(c).is_empty()).collect();
        let read_groups = all_groups(&holding);
        let lacks = |chunk: &&usize| {
            let groups = groups(chunk);
            !holding.contains(chunk)
                && (groups.is_empty() || groups.iter().any(|group| !read_groups.contains(group)))
        };
        let found: Vec<usize> = hits.iter().flat_map(|hit| hit.finds.clone()).collect();
        let is_given = !question.question.context.is_empty();
        Ok(Self {
            was_read: is_complete(&read_groups),
            was_found: !is_given && is_complete(&found),
            is_cut: question.is_cut(all, input.kb),
            lacking: evidence.iter().filter(lacks).copied().collect(),
            holding,
            evidence,
            read,
            input,
            question,
        })
    }

    /// The chunks of a rerun, best first; `None` where the rerun would show nothing.
    pub fn chunks(&self, kind: RerunKind) -> Result<Option<Vec<usize>>, Error> {
        let others = self.read.iter().filter(|c| !self.holding.contains(c));
        let chunks: Vec<usize> = match kind {
            RerunKind::Evidence => self.evidence.clone(),
            RerunKind::NoDistractors => self.holding.clone(),
            RerunKind::EvidenceFirst => {
                let others = others.filter(|c| !self.lacking.contains(c));
                let context_k = self.input.pipeline.settings().read.context_k;
                let chunks = self.holding.iter().chain(&self.lacking).chain(others);
                chunks.copied().take(context_k).collect()
            }
            RerunKind::NoEvidence if self.holding.is_empty() => Vec::new(),
            RerunKind::NoEvidence => others.copied().collect(),
            RerunKind::Bm25 | RerunKind::Dense => self.leg(kind)?,
        };
        Ok(Some(chunks).filter(|chunks| !chunks.is_empty()))
    }

    /// Whether a chunk of the context, or of another one, contains a reference.
    pub fn has_reference(&self, chunks: &[ChunkId]) -> bool {
        let all = self.input.pipeline.retriever().chunks();
        let question = &self.question.question;
        let read = all.iter().filter(|chunk| chunks.contains(&chunk.id));
        let mut texts = read.map(|chunk| chunk.passage());
        texts.any(|text| contains(&text, &question.answers, question.lang) == 1.0)
    }

    /// The best chunks of a leg, of a question that does not bring its context. Empty if they lack evidence, because a right answer would then not
    /// be due to the leg.
    fn leg(&self, kind: RerunKind) -> Result<Vec<usize>, Error> {
        let mut legs = self.input.legs.iter().filter(|_| self.question.question.context.is_empty());
        let Some((_, leg)) = legs.find(|(leg, _)| *leg == kind) else {
            return Ok(Vec::new());
        };
        let mut top = leg.top(&leg.retrieve(&self.question.question.question)?);
        let all = self.input.pipeline.retriever().chunks();
        let groups = top.iter().flat_map(|&at| self.question.found_by(&all[at], self.input.kb));
        let groups: Vec<usize> = groups.collect();
        if !(0..self.question.groups()).all(|group| groups.contains(&group)) {
            top.clear();
        }
        Ok(top)
    }
}
