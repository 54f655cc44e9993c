//! The failure class of a wrong answer, decided from the record and confirmed by reruns.

use fiel_corpus::{Chunk, KnowledgeBase};
use fiel_gold::ResolvedQuestion;
use fiel_metrics::{
    AnswerMeasure, ClaimMeasure, JudgedQuality, Measure, Value, contains, normalize_answer,
};
use fiel_record::{Class, Mark, Proof, QuestionRecord, ReadRecord};
use fiel_text::id::ChunkId;

/// Where the evidence of a question was when its answer was read.
#[derive(Clone, Copy)]
pub(crate) enum EvidencePlace {
    /// Nothing is known: another system did not say what it read.
    Unknown,
    /// What is known of the passages.
    Known {
        /// Every group of evidence is among the passages that were to be read.
        found: bool,
        /// Every group of evidence is in the context.
        read: bool,
        /// A passage of the context contains a reference.
        reference: bool,
    },
}

impl EvidencePlace {
    /// The place in a run of Fiel, of which the first `context_k` passages are read.
    pub(crate) fn of(
        question: &ResolvedQuestion,
        record: &QuestionRecord,
        (chunks, kb): (&[Chunk], &KnowledgeBase),
        context_k: usize,
    ) -> Self {
        let chunk = |id: &ChunkId| chunks.binary_search_by(|chunk| chunk.id.cmp(id)).ok();
        let holds = |read: &[usize]| {
            let groups: Vec<usize> =
                read.iter().flat_map(|&at| question.found_by(&chunks[at], kb)).collect();
            question.groups() > 0 && (0..question.groups()).all(|group| groups.contains(&group))
        };
        // A question that brings its context reads it in place of the passages found.
        let found: Vec<usize> = if question.question.context.is_empty() {
            let hits = record.retrieval.hits.iter().take(context_k);
            hits.filter_map(|hit| chunk(&hit.chunk)).collect()
        } else {
            question.given_chunks(chunks)
        };
        let passages = record.e2e.iter().flat_map(|read| &read.passages);
        let ids = passages.flat_map(|p| std::iter::once(&p.chunk).chain(&p.merged));
        let read: Vec<usize> = ids.filter_map(chunk).collect();
        let references = &question.question.answers;
        let has_reference =
            |at: &usize| contains(&chunks[*at].passage(), references, record.lang) == 1.0;
        Self::Known {
            found: holds(&found),
            read: holds(&read),
            reference: read.iter().any(has_reference),
        }
    }

    /// The place in the contexts of another system.
    pub(crate) fn in_contexts<'a>(
        record: &QuestionRecord,
        references: &[String],
        contexts: impl Iterator<Item = &'a str>,
    ) -> Self {
        let retrieval = &record.retrieval;
        let finds = |group| retrieval.hits.iter().any(|hit| hit.finds.contains(&group));
        let found = retrieval.groups > 0 && (0..retrieval.groups).all(finds);
        let mut contexts = contexts;
        let reference = contexts.any(|text| contains(text, references, record.lang) == 1.0);
        Self::Known { found, read: found, reference }
    }
}

/// The class of a wrong end-to-end answer, and the marks of any. Evidence counts as found if every
/// group is found.
pub(crate) fn classify(
    record: &QuestionRecord,
    place: EvidencePlace,
) -> (Option<Class>, Vec<Mark>) {
    let Some(e2e) = &record.e2e else {
        return (None, Vec::new());
    };
    let failed = e2e.error.is_some() || record.retrieval.error.is_some();
    if record.unanswerable {
        let false_answer = !failed && !e2e.abstained;
        return (None, if false_answer { vec![Mark::FalseAnswer] } else { Vec::new() });
    }
    // The first class that holds.
    let class = match (place, &record.oracle) {
        _ if failed => Class::Failed,
        (EvidencePlace::Known { found: false, .. }, _) => Class::RetrievalMiss,
        (EvidencePlace::Known { read: false, .. }, _) => Class::ContextCut,
        _ if e2e.abstained => Class::OverRefusal,
        (EvidencePlace::Unknown, _) => Class::Unexplained,
        _ if e2e.claims.iter().any(|claim| !claim.loose) => Class::ReaderHallucination,
        (_, Some(oracle)) if oracle.right => Class::RetrievalDistract,
        (_, Some(oracle)) if oracle.error.is_none() => Class::ReaderMiss,
        _ => Class::Unexplained,
    };
    (Some(class).filter(|_| !e2e.right), marks(record, e2e, place))
}

/// The class after the reruns, and what shows it. Reruns decide only where the record itself shows
/// no class: `no_distractors` is whether the answer is right without distractors, `evidence` whether
/// it is right from the evidence alone.
pub(super) fn confirm(
    class: Class,
    no_distractors: Option<bool>,
    evidence: Option<bool>,
) -> (Class, Proof) {
    match class {
        Class::Failed => (class, Proof::Error),
        Class::RetrievalMiss => (class, Proof::Ranks),
        Class::ContextCut => (class, Proof::Context),
        Class::OverRefusal => (class, Proof::Answer),
        Class::ReaderHallucination => (class, Proof::Claims),
        _ if no_distractors == Some(true) => (Class::RetrievalDistract, Proof::NoDistractors),
        _ if evidence == Some(false) => (Class::ReaderMiss, Proof::Evidence),
        _ => (Class::Unexplained, Proof::None),
    }
}

fn marks(record: &QuestionRecord, e2e: &ReadRecord, place: EvidencePlace) -> Vec<Mark> {
    let is_one = |measure| e2e.measures.get(&measure) == Some(&Value::Ok(1.0));
    let mut marks = Vec::new();
    let coverage = e2e.measures.get(&Measure::Claim(ClaimMeasure::CitationCoverage));
    let is_exact = is_one(Measure::Answer(AnswerMeasure::Em))
        && matches!(coverage, None | Some(Value::Undefined | Value::Ok(1.0)));
    if e2e.right && !is_exact {
        marks.push(Mark::Format);
    }
    let is_known = matches!(place, EvidencePlace::Known { read: false, reference: false, .. });
    if e2e.right && is_known {
        marks.push(Mark::SelfKnowledge);
    }
    let agrees = record.oracle.as_ref().is_some_and(|oracle| {
        !oracle.abstained
            && normalize_answer(&oracle.answer, record.lang)
                == normalize_answer(&e2e.answer, record.lang)
    });
    let is_judged_right = is_one(Measure::Judged(JudgedQuality::CorrectnessContext));
    if !e2e.right && !e2e.abstained && agrees && is_judged_right {
        marks.push(Mark::GoldSuspect);
    }
    marks
}

#[cfg(test)]
mod tests {
    use fiel_record::{ClaimRecord, HitRecord, PassageRecord, RECORD_SCHEMA, RetrievalRecord};

    use super::*;

    /// Evidence at rank 2, read, answered wrongly, right from the evidence alone.
    fn base() -> QuestionRecord {
        let hit = |rank: usize, finds: Vec<usize>| HitRecord {
            rank,
            chunk: format!("d#{rank}").into(),
            score: 1.0,
            bm25: None,
            dense: None,
            rewrite: None,
            rerank: None,
            finds,
        };
        let passage = |n: usize| PassageRecord {
            id: n.to_string(),
            chunk: format!("d#{n}").into(),
            merged: Vec::new(),
        };
        let claim = ClaimRecord {
            text: "x".into(),
            cites: vec!["1".into()],
            strict: true,
            loose: true,
            share: 1.0,
            reason: None,
            ..ClaimRecord::default()
        };
        let wrong = ReadRecord {
            passages: vec![passage(1), passage(2)],
            answer: "x [1]".into(),
            claims: vec![claim],
            measures: [(Measure::Claim(ClaimMeasure::FaithfulnessLoose), Value::Ok(1.0))].into(),
            ..ReadRecord::default()
        };
        QuestionRecord {
            schema: RECORD_SCHEMA.into(),
            id: "q".into(),
            question: "Q?".into(),
            lang: fiel_text::Lang::En,
            split: fiel_record::Split::Test,
            tags: vec![],
            unanswerable: false,
            references: vec!["y".into()],
            retrieval: RetrievalRecord {
                hits: vec![hit(1, vec![]), hit(2, vec![0])],
                groups: 1,
                ..Default::default()
            },
            oracle: Some(ReadRecord { right: true, ..ReadRecord::default() }),
            e2e: Some(wrong),
            class: None,
            marks: vec![],
        }
    }

    /// A place with the evidence, and a reference in the context.
    fn place(found: bool, read: bool, reference: bool) -> EvidencePlace {
        EvidencePlace::Known { found, read, reference }
    }

    const READ: EvidencePlace = EvidencePlace::Known { found: true, read: true, reference: true };

    fn class_after(change: impl FnOnce(&mut QuestionRecord)) -> Option<Class> {
        let mut record = base();
        change(&mut record);
        classify(&record, READ).0
    }

    fn e2e(record: &mut QuestionRecord) -> &mut ReadRecord {
        record.e2e.as_mut().expect("read")
    }

    #[test]
    fn the_first_class_that_holds_is_given() {
        assert_eq!(class_after(|_| {}), Some(Class::RetrievalDistract));
        let class_at = |place| classify(&base(), place).0;
        assert_eq!(class_at(place(false, false, true)), Some(Class::RetrievalMiss));
        assert_eq!(class_at(place(true, false, true)), Some(Class::ContextCut));
        assert_eq!(class_at(EvidencePlace::Unknown), Some(Class::Unexplained));
        assert_eq!(class_after(|r| e2e(r).abstained = true), Some(Class::OverRefusal));
        assert_eq!(
            class_after(|r| e2e(r).claims[0].loose = false),
            Some(Class::ReaderHallucination)
        );
        assert_eq!(
            class_after(|r| r.oracle = Some(ReadRecord::default())),
            Some(Class::ReaderMiss)
        );
        assert_eq!(class_after(|r| r.oracle = None), Some(Class::Unexplained));
        assert_eq!(class_after(|r| e2e(r).error = Some("broke".into())), Some(Class::Failed));
        assert_eq!(class_after(|r| e2e(r).right = true), None);
    }

    #[test]
    fn marks_are_given_to_right_answers_too() {
        let mut record = base();
        assert_eq!(classify(&record, READ).1, []);
        let judged = Measure::Judged(JudgedQuality::CorrectnessContext);
        e2e(&mut record).measures.insert(judged, Value::Ok(1.0));
        assert_eq!(classify(&record, READ).1, [], "the oracle answer is another");
        record.oracle = Some(ReadRecord { answer: "X".into(), ..ReadRecord::default() });
        assert_eq!(classify(&record, READ).1, [Mark::GoldSuspect]);
        e2e(&mut record).right = true;
        assert_eq!(classify(&record, READ).1, [Mark::Format]);
        assert_eq!(classify(&record, place(false, false, true)).1, [Mark::Format]);
        let unread = place(false, false, false);
        assert_eq!(classify(&record, unread).1, [Mark::Format, Mark::SelfKnowledge]);
        assert_eq!(classify(&record, EvidencePlace::Unknown).1, [Mark::Format]);
        record.unanswerable = true;
        assert_eq!(classify(&record, READ), (None, vec![Mark::FalseAnswer]));
        e2e(&mut record).abstained = true;
        assert_eq!(classify(&record, READ), (None, vec![]));
    }

    #[test]
    fn what_a_rerun_shows_decides_only_after_what_the_run_itself_shows() {
        for class in [
            Class::RetrievalMiss,
            Class::ContextCut,
            Class::OverRefusal,
            Class::ReaderHallucination,
        ] {
            assert_eq!(confirm(class, Some(true), Some(true)).0, class);
        }
        let open = Class::Unexplained;
        let distract = (Class::RetrievalDistract, Proof::NoDistractors);
        assert_eq!(confirm(open, Some(true), Some(false)), distract);
        assert_eq!(confirm(Class::ReaderMiss, Some(true), Some(false)), distract);
        let miss = (Class::ReaderMiss, Proof::Evidence);
        assert_eq!(confirm(Class::RetrievalDistract, None, Some(false)), miss);
        assert_eq!(confirm(open, Some(false), Some(true)), (open, Proof::None));
        assert_eq!(confirm(open, Some(false), None), (open, Proof::None));
    }
}
