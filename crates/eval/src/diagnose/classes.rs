//! The failure class of a wrong answer, decided from the record and confirmed by reruns.

use fiel_metrics::{AnswerMeasure, ClaimMeasure, Measure, Value};
use fiel_record::{Class, Mark, Proof, QuestionRecord, ReadRecord, RetrievalRecord};

/// The class of a wrong end-to-end answer, and the marks of any. `context_k` is the number of
/// passages to read. Evidence counts as found if every group is found.
pub(crate) fn classify(record: &QuestionRecord, context_k: usize) -> (Option<Class>, Vec<Mark>) {
    let Some(e2e) = &record.e2e else {
        return (None, Vec::new());
    };
    let failed = e2e.error.is_some() || record.retrieval.error.is_some();
    if record.unanswerable {
        let false_answer = !failed && !e2e.abstained;
        return (None, if false_answer { vec![Mark::FalseAnswer] } else { Vec::new() });
    }
    let read = e2e.passages.iter().flat_map(|p| std::iter::once(&p.chunk).chain(&p.merged));
    let read_evidence = holds_evidence(&record.retrieval, read.map(|id| id.as_str()));
    let top = record.retrieval.hits.iter().take(context_k).map(|hit| hit.chunk.as_str());
    let found_evidence = holds_evidence(&record.retrieval, top);
    // The first class that holds.
    let class = match &record.oracle {
        _ if failed => Class::Failed,
        _ if !found_evidence => Class::RetrievalMiss,
        _ if !read_evidence => Class::ContextCut,
        _ if e2e.abstained => Class::OverRefusal,
        _ if e2e.claims.iter().any(|claim| !claim.loose) => Class::ReaderHallucination,
        Some(oracle) if oracle.right => Class::RetrievalDistract,
        Some(oracle) if oracle.error.is_none() => Class::ReaderMiss,
        _ => Class::Unexplained,
    };
    (Some(class).filter(|_| !e2e.right), marks(e2e, read_evidence))
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

fn marks(e2e: &ReadRecord, read_evidence: bool) -> Vec<Mark> {
    let value = |measure| e2e.measures.get(&measure).copied();
    let full = |measure| value(Measure::Claim(measure)) == Some(Value::Ok(1.0));
    let mut marks = Vec::new();
    let exact = value(Measure::Answer(AnswerMeasure::Em)) == Some(Value::Ok(1.0));
    if e2e.right && !(exact && full(ClaimMeasure::CitationCoverage)) {
        marks.push(Mark::Format);
    }
    if e2e.right && !read_evidence {
        marks.push(Mark::SelfKnowledge);
    }
    if !e2e.right && !e2e.abstained && full(ClaimMeasure::FaithfulnessLoose) {
        marks.push(Mark::GoldSuspect);
    }
    marks
}

/// Whether the chunks find every group of evidence.
fn holds_evidence<'a>(retrieval: &RetrievalRecord, chunks: impl Iterator<Item = &'a str>) -> bool {
    let mut found: Vec<usize> = Vec::new();
    for chunk in chunks {
        let hit = retrieval.hits.iter().find(|hit| hit.chunk == chunk);
        found.extend(hit.into_iter().flat_map(|hit| &hit.finds));
    }
    retrieval.groups > 0 && (0..retrieval.groups).all(|group| found.contains(&group))
}

#[cfg(test)]
mod tests {
    use fiel_record::{ClaimRecord, HitRecord, PassageRecord, RECORD_SCHEMA};

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

    fn class_after(change: impl FnOnce(&mut QuestionRecord)) -> Option<Class> {
        let mut record = base();
        change(&mut record);
        classify(&record, 2).0
    }

    fn e2e(record: &mut QuestionRecord) -> &mut ReadRecord {
        record.e2e.as_mut().expect("read")
    }

    #[test]
    fn the_first_class_that_holds_is_given() {
        assert_eq!(class_after(|_| {}), Some(Class::RetrievalDistract));
        assert_eq!(class_after(|r| r.retrieval.hits[1].finds.clear()), Some(Class::RetrievalMiss));
        assert_eq!(class_after(|r| r.retrieval.groups = 2), Some(Class::RetrievalMiss));
        assert_eq!(
            class_after(|r| {
                e2e(r).passages.pop();
            }),
            Some(Class::ContextCut)
        );
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
        assert_eq!(classify(&record, 2).1, [Mark::GoldSuspect]);
        e2e(&mut record).right = true;
        e2e(&mut record).passages.pop();
        assert_eq!(classify(&record, 2).1, [Mark::Format, Mark::SelfKnowledge]);
        record.unanswerable = true;
        assert_eq!(classify(&record, 2), (None, vec![Mark::FalseAnswer]));
        e2e(&mut record).abstained = true;
        assert_eq!(classify(&record, 2), (None, vec![]));
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
