//! Failure classes, distractors and unanswerable questions, with the reader that needs no
//! language model and therefore answers the same everywhere.

use fiel_record::EvalMode;
use fiel_record::{Class, Mark};
use fiel_retrieval::Mode;

use crate::world::{ALL, World, modes, settings};

#[test]
fn every_wrong_answer_has_a_class_and_no_right_one() {
    let world = World::new();
    let finished = world.evaluate(&settings("extractive"), &modes(&ALL));
    let mut wrong = 0;
    for record in finished.records.iter().filter(|record| !record.unanswerable) {
        let right = record.e2e.as_ref().unwrap().right;
        assert_eq!(record.class.is_none(), right, "{}", record.id);
        wrong += usize::from(!right);
    }
    // One sentence cannot answer the question that needs two.
    let both = finished.records.iter().find(|record| record.id == "both").unwrap();
    assert!(!both.e2e.as_ref().unwrap().right);
    assert_eq!(finished.summary.classes.values().sum::<usize>(), wrong);
}

#[test]
fn the_extractive_reader_cites_the_sentence_it_gives() {
    let world = World::new();
    let finished = world.evaluate(&settings("extractive"), &modes(&[EvalMode::E2e]));
    let participle = &finished.records[0];
    let e2e = participle.e2e.as_ref().unwrap();
    assert!(e2e.right, "{}", e2e.answer);
    assert!(e2e.answer.contains("eaten") && e2e.answer.ends_with(']'), "{}", e2e.answer);
    // What is copied is supported by what it cites.
    for name in ["faithfulness_strict", "citation_precision", "citation_coverage"] {
        let value = e2e.measures[&name.parse().unwrap()].score();
        assert_eq!(value, Some(1.0), "{name} of {}", e2e.answer);
    }
    assert_eq!(finished.summary.manifest.reader.as_deref(), Some("extractive"));
    assert!(finished.summary.tokens.is_empty());
}

#[test]
fn evidence_that_is_not_found_is_a_retrieval_miss() {
    let world = World::new();
    // No word of the question is in its evidence.
    world.write_gold(
        r#"{"id": "miss", "question": "irregular drink?", "evidence": [{"doc": "make", "quote": "*make* becomes *making*"}], "answers": ["making"]}"#,
    );
    let mut settings = settings("extractive");
    settings.retrieve.mode = Mode::Bm25;
    let finished = world.evaluate(&settings, &modes(&ALL));
    let record = &finished.records[0];
    assert_eq!(record.class, Some(Class::RetrievalMiss));
    assert_eq!(finished.summary.classes[&Class::RetrievalMiss], 1);
    // The evidence is named, to be shown beside what came instead.
    assert_eq!(record.retrieval.evidence, ["make#1"]);
    assert!(record.retrieval.hits.iter().all(|hit| hit.dense.is_none()));
}

#[test]
fn evidence_beyond_the_token_budget_is_a_context_cut() {
    let world = World::new();
    let mut settings = settings("extractive");
    settings.read.context_tokens = 4;
    let finished = world.evaluate(&settings, &modes(&[EvalMode::E2e]));
    let participle = &finished.records[0];
    let e2e = participle.e2e.as_ref().unwrap();
    assert!(e2e.passages.is_empty() && e2e.dropped.len() == 2 && e2e.abstained);
    assert_eq!(participle.class, Some(Class::ContextCut));
}

#[test]
fn the_oracle_reads_the_evidence_and_the_distractors_asked_for() {
    for distractors in [0, 1, 3] {
        let world = World::new();
        let mut eval = modes(&[EvalMode::Oracle]);
        eval.distractors = distractors;
        let finished = world.evaluate(&settings("extractive"), &eval);
        assert_eq!(finished.summary.manifest.distractors, distractors);
        for record in finished.records.iter().filter(|record| !record.unanswerable) {
            let oracle = record.oracle.as_ref().unwrap();
            let read: Vec<&str> = oracle.passages.iter().map(|p| p.chunk.as_str()).collect();
            let (evidence, others) = read.split_at(record.retrieval.evidence.len());
            assert_eq!(record.retrieval.evidence, evidence, "{}", record.id);
            assert_eq!(others.len(), distractors, "{}", record.id);
            // A distractor holds no evidence, and the best come first.
            let found = |chunk: &&str| {
                let hit = record.retrieval.hits.iter().find(|hit| hit.chunk == **chunk);
                hit.unwrap()
            };
            assert!(others.iter().all(|chunk| found(chunk).finds.is_empty()));
            assert!(others.is_sorted_by_key(|chunk| found(chunk).rank));
        }
    }
}

#[test]
fn alternatives_count_once_and_what_is_undefined_is_counted_apart() {
    let world = World::new();
    let finished = world.evaluate(&settings("extractive"), &modes(&ALL));
    let comido = &finished.records[3];
    // Two quotes of one group, in two documents, are one thing to find.
    assert_eq!(comido.retrieval.groups, 1);
    let finds = |hit: &&fiel_record::HitRecord| !hit.finds.is_empty();
    assert_eq!(comido.retrieval.hits.iter().filter(finds).count(), 2);
    let mean = |mode: EvalMode, name: &str| {
        let estimate = finished.summary.measures[&mode][&name.parse().unwrap()];
        (estimate.mean.mean, estimate.mean.n, estimate.mean.undefined)
    };
    assert_eq!(mean(EvalMode::Retrieval, "R@5"), (Some(1.0), 4, 0));
    // Two of the four questions name strings that an answer must hold.
    let (_, n, undefined) = mean(EvalMode::E2e, "answer_contains");
    assert_eq!((n, undefined), (2, 2));
}

#[test]
fn unanswerable_questions_are_in_the_abstention_table_alone() {
    let world = World::new();
    let finished = world.evaluate(&settings("extractive"), &modes(&ALL));
    let absent = &finished.records[4];
    assert!(absent.unanswerable && absent.oracle.is_none());
    let e2e = absent.e2e.as_ref().unwrap();
    assert!(absent.retrieval.measures.is_empty() && e2e.measures.is_empty());
    // The extractive reader always answers.
    assert_eq!((absent.class, &absent.marks[..]), (None, &[Mark::FalseAnswer][..]));
    let table = finished.summary.abstention.unwrap();
    assert_eq!((table.answered, table.over_refusals), (4, 0));
    assert_eq!((table.false_answers, table.correct_refusals), (1, 0));
    assert_eq!((table.precision(), table.recall()), (None, Some(0.0)));
    assert_eq!((finished.summary.answerable, finished.summary.unanswerable), (4, 1));
}
