use std::collections::BTreeMap;

use fiel_metrics::{normalize_answer, score_answer};
use fiel_reader::{Observer, Pipeline, PipelineProgress, ReadRequest};
use fiel_record::{
    Class, DiagnosedQuestion, Mark, Proof, QuestionRecord, ReadRecord, Repair, Rerun, RerunKind,
};
use fiel_text::Lang;

use crate::{
    Error,
    diagnose::{Diagnosing, DiagnosisEvent},
};
use fiel_gold::ResolvedQuestion;

/// One wrong answer: the contexts it is read again from, and what they show.
pub(crate) fn diagnosed(
    input: &Diagnosing<'_>,
    record: &QuestionRecord,
    question: &ResolvedQuestion,
    on: &mut dyn FnMut(DiagnosisEvent),
) -> Result<DiagnosedQuestion, Error> {
    let e2e = record.e2e.clone().unwrap_or_default();
    let class = record.class.unwrap_or(Class::Unexplained);
    let hits = &record.retrieval.hits;
    let mut out = DiagnosedQuestion {
        id: record.id.clone(),
        question: record.question.clone(),
        tags: record.tags.clone(),
        references: record.references.clone(),
        answer: e2e.answer.clone(),
        class,
        shown_by: Proof::Error,
        marks: record.marks.clone(),
        evidence_rank: hits.iter().find(|h| !h.finds.is_empty()).map(|h| h.rank),
        reruns: Vec::new(),
        repairs: Vec::new(),
    };
    if class == Class::Failed {
        return Ok(out);
    }
    let places = Places::of(input, record, question, &e2e)?;
    let mut reading = Reading {
        input,
        question,
        known: BTreeMap::from([(places.read.clone(), read_before(&e2e))]),
        on,
    };
    if let Some(oracle) = &record.oracle {
        let as_oracle = input.run.summary.manifest.distractors == 0 && oracle.error.is_none();
        if as_oracle {
            reading.known.insert(places.evidence.clone(), read_before(oracle));
        }
    }
    for kind in RerunKind::ALL {
        if let Some(chunks) = places.context(kind, input, question)? {
            out.reruns.push(reading.rerun(kind, chunks));
        }
    }
    let no_distractors = out.right(RerunKind::NoDistractors) == Some(true);
    (out.class, out.shown_by) = shown(class, no_distractors, out.right(RerunKind::Evidence));
    out.repairs = repairs(&out, &places, e2e.abstained);
    let by_heart = out.right(RerunKind::NoEvidence) == Some(true);
    if by_heart && !out.marks.contains(&Mark::SelfKnowledge) {
        out.marks.push(Mark::SelfKnowledge);
        out.marks.sort_unstable();
    }
    Ok(out)
}

/// The class with what shows it. What a run alone can tell stays; the rest is told by reruns.
fn shown(class: Class, no_distractors: bool, evidence: Option<bool>) -> (Class, Proof) {
    match class {
        Class::Failed => (class, Proof::Error),
        Class::RetrievalMiss => (class, Proof::Ranks),
        Class::ContextCut => (class, Proof::Context),
        Class::OverRefusal => (class, Proof::Answer),
        Class::ReaderHallucination => (class, Proof::Claims),
        _ if no_distractors => (Class::RetrievalDistract, Proof::NoDistractors),
        _ if evidence == Some(false) => (Class::ReaderMiss, Proof::Evidence),
        _ => (Class::Unexplained, Proof::None),
    }
}

fn repairs(question: &DiagnosedQuestion, places: &Places, abstained: bool) -> Vec<Repair> {
    let right = |kind| question.right(kind) == Some(true);
    let first = right(RerunKind::EvidenceFirst);
    let mut out = Vec::new();
    let cut = places.is_cut || question.class == Class::ContextCut;
    if cut && right(RerunKind::Evidence) {
        out.push(Repair::Chunking);
    }
    if right(RerunKind::Bm25) || right(RerunKind::Dense) {
        out.push(Repair::OtherLeg);
    }
    if places.was_read && first {
        out.push(Repair::Order);
    }
    if (places.was_read && right(RerunKind::NoDistractors))
        || (!places.was_read && places.was_found && first)
    {
        out.push(Repair::Rerank);
    }
    let from_evidence = right(RerunKind::Evidence) || right(RerunKind::NoDistractors) || first;
    if out.is_empty() && from_evidence {
        out.push(Repair::Retrieval);
    }
    if out.is_empty() {
        out.push(Repair::Prompt);
        let evidence = question.reruns.iter().find(|r| r.kind == RerunKind::Evidence);
        let insists = evidence.is_some_and(|r| same(&r.answer, &question.answer, places.lang));
        let suspect = question.marks.contains(&Mark::GoldSuspect);
        if suspect && insists && places.was_read && !abstained {
            out.push(Repair::Gold);
        }
    }
    out
}

/// Whether two answers say the same words.
fn same(a: &str, b: &str, lang: Lang) -> bool {
    normalize_answer(a, lang) == normalize_answer(b, lang)
}

/// Chunks by position: where the evidence is and what was read.
struct Places {
    /// One chunk for each group, or those that its span touches.
    evidence: Vec<usize>,
    /// The context, without what the budget cut off.
    read: Vec<usize>,
    /// Those of `read` that hold evidence.
    holding: Vec<usize>,
    /// Chunks of `evidence` with a group that `holding` lacks.
    lacking: Vec<usize>,
    /// Whether every group is in the context.
    was_read: bool,
    /// Whether every group is among the passages found.
    was_found: bool,
    /// Whether a group is in no chunk as a whole.
    is_cut: bool,
    context_k: usize,
    /// Of the question.
    lang: Lang,
}

impl Places {
    fn of(
        input: &Diagnosing<'_>,
        record: &QuestionRecord,
        question: &ResolvedQuestion,
        e2e: &ReadRecord,
    ) -> Result<Self, Error> {
        let all = input.pipeline.retriever().chunks();
        let context_k = input.pipeline.settings().read.context_k;
        let at = |id: &str| {
            // Chunks stand in the order of their ids.
            all.binary_search_by(|chunk| chunk.id.as_str().cmp(id))
                .map_err(|_| Error::Compare(format!("there is no chunk `{id}` any more")))
        };
        let hits = &record.retrieval.hits;
        let top = hits.iter().take(context_k).map(|hit| &hit.chunk);
        let read = top.filter(|id| !e2e.dropped.contains(id)).map(|id| at(id));
        let read: Vec<usize> = read.collect::<Result<_, _>>()?;
        let found = |chunk: &usize| question.found_by(&all[*chunk], input.kb);
        let evidence = question.evidence_chunks(all, input.kb);
        let covers = |chunks: &[usize]| {
            let groups: Vec<usize> = chunks.iter().flat_map(found).collect();
            (0..question.groups()).all(|group| groups.contains(&group))
        };
        let holding: Vec<usize> = read.iter().copied().filter(|c| !found(c).is_empty()).collect();
        let held: Vec<usize> = holding.iter().flat_map(found).collect();
        let lacks = |chunk: &usize| {
            let groups = found(chunk);
            groups.is_empty() || groups.iter().any(|group| !held.contains(group))
        };
        let lacking = evidence.iter().copied().filter(|c| !holding.contains(c) && lacks(c));
        let among = hits.iter().flat_map(|hit| &hit.finds);
        let among: Vec<usize> = among.copied().collect();
        Ok(Self {
            was_read: covers(&read),
            was_found: (0..question.groups()).all(|group| among.contains(&group)),
            is_cut: !covers(&evidence),
            lacking: lacking.collect(),
            holding,
            evidence,
            read,
            context_k,
            lang: question.question.lang,
        })
    }

    /// The chunks of a rerun, best first; none where it makes no sense.
    fn context(
        &self,
        kind: RerunKind,
        input: &Diagnosing<'_>,
        question: &ResolvedQuestion,
    ) -> Result<Option<Vec<usize>>, Error> {
        let others = self.read.iter().filter(|c| !self.holding.contains(c));
        let chunks: Vec<usize> = match kind {
            RerunKind::Evidence => self.evidence.clone(),
            RerunKind::NoDistractors => self.holding.clone(),
            RerunKind::EvidenceFirst => {
                let evidence = self.holding.iter().chain(&self.lacking);
                let all = evidence.chain(others.filter(|c| !self.lacking.contains(c)));
                all.copied().take(self.context_k).collect()
            }
            RerunKind::NoEvidence if self.holding.is_empty() => Vec::new(),
            RerunKind::NoEvidence => others.copied().collect(),
            RerunKind::Bm25 | RerunKind::Dense => {
                let Some((_, leg)) = input.legs.iter().find(|(leg, _)| *leg == kind) else {
                    return Ok(None);
                };
                let top = leg.top(&leg.retrieve(&question.question.question)?);
                // Without the evidence a right answer would be luck, and no merit of the leg.
                let all = input.pipeline.retriever().chunks();
                let groups = top.iter().flat_map(|&at| question.found_by(&all[at], input.kb));
                let groups: Vec<usize> = groups.collect();
                match (0..question.groups()).all(|group| groups.contains(&group)) {
                    true => top,
                    false => return Ok(None),
                }
            }
        };
        Ok(Some(chunks).filter(|chunks| !chunks.is_empty()))
    }
}

/// Reads one question again and again, each context once.
struct Reading<'a> {
    input: &'a Diagnosing<'a>,
    question: &'a ResolvedQuestion,
    known: BTreeMap<Vec<usize>, Rerun>,
    on: &'a mut dyn FnMut(DiagnosisEvent),
}

impl Reading<'_> {
    fn rerun(&mut self, kind: RerunKind, chunks: Vec<usize>) -> Rerun {
        let all = self.input.pipeline.retriever().chunks();
        let known = self.known.get(&chunks).cloned();
        let rerun = known.unwrap_or_else(|| {
            let rerun = self.read(self.input.pipeline, &chunks);
            self.known.insert(chunks.clone(), rerun.clone());
            rerun
        });
        Rerun { kind, chunks: chunks.iter().map(|&at| all[at].id.clone()).collect(), ..rerun }
    }

    fn read(&mut self, pipeline: &Pipeline, chunks: &[usize]) -> Rerun {
        let question = &self.question.question;
        let mut progress = |step| {
            if step == PipelineProgress::LoadingReader {
                (self.on)(DiagnosisEvent::LoadingReader);
            }
        };
        let (text, lang) = (&question.question, question.lang);
        let request = ReadRequest::new(text, chunks, lang);
        let outcome = pipeline.read(&request, &mut Observer::of_progress(&mut progress));
        match outcome {
            Err(error) => Rerun { error: Some(error.to_string()), ..blank() },
            Ok(outcome) => {
                let (answer, needed) = (&question.answers, &question.answer_contains);
                let refused = outcome.abstained;
                let scores = score_answer(&outcome.answer, answer, needed, lang, refused);
                Rerun { right: scores.right, abstained: refused, answer: outcome.answer, ..blank() }
            }
        }
    }
}

fn read_before(read: &ReadRecord) -> Rerun {
    Rerun {
        answer: read.answer.clone(),
        right: read.right,
        abstained: read.abstained,
        error: read.error.clone(),
        ..blank()
    }
}

fn blank() -> Rerun {
    Rerun {
        kind: RerunKind::Evidence,
        chunks: Vec::new(),
        answer: String::new(),
        right: false,
        abstained: false,
        error: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_rerun_shows_decides_only_after_what_the_run_itself_shows() {
        for class in [
            Class::RetrievalMiss,
            Class::ContextCut,
            Class::OverRefusal,
            Class::ReaderHallucination,
        ] {
            assert_eq!(shown(class, true, Some(true)).0, class);
        }
        let open = Class::Unexplained;
        let distract = (Class::RetrievalDistract, Proof::NoDistractors);
        assert_eq!(shown(open, true, Some(false)), distract);
        assert_eq!(shown(Class::ReaderMiss, true, Some(false)), distract);
        let miss = (Class::ReaderMiss, Proof::Evidence);
        assert_eq!(shown(Class::RetrievalDistract, false, Some(false)), miss);
        assert_eq!(shown(open, false, Some(true)), (open, Proof::None));
        assert_eq!(shown(open, false, None), (open, Proof::None));
    }
}
