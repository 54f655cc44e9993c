//! Why answers are wrong, shown by reading again: with the reader that needs no language model.

use fiel_eval::{Diagnosing, can_diagnose, diagnose, other_legs};
use fiel_reader::PipelineSettings;
use fiel_record::{Class, DiagnosedQuestion, Diagnosis, Proof, Repair, RerunKind};
use fiel_runs::{RunFolder, StoredRun};

use crate::world::{ALL, World, modes, settings};

/// Evaluates, and loads the run as it was stored.
fn stored(world: &World, settings: &PipelineSettings) -> (RunFolder, StoredRun) {
    world.evaluate(settings, &modes(&ALL));
    let folder = RunFolder::find(&world.runs(), "last").unwrap();
    let run = folder.load().unwrap();
    (folder, run)
}

fn diagnosed(world: &World, settings: &PipelineSettings, run: &StoredRun) -> Diagnosis {
    let kb = world.kb();
    let gold = world.gold(&kb);
    can_diagnose(run, &kb, &gold.gold).unwrap();
    let legs: Vec<_> = other_legs(settings)
        .into_iter()
        .map(|(kind, settings)| (kind, world.pipeline(&settings)))
        .collect();
    let input =
        Diagnosing { run, kb: &kb, gold: &gold, pipeline: &world.pipeline(settings), legs: &legs };
    diagnose(&input, &mut |_| {}).unwrap()
}

fn chunks(question: &DiagnosedQuestion, kind: RerunKind) -> Option<&[fiel_text::id::ChunkId]> {
    let rerun = question.reruns.iter().find(|rerun| rerun.kind == kind)?;
    Some(&rerun.chunks)
}

#[test]
fn every_wrong_answer_is_classed_and_the_file_is_the_same_again() {
    let world = World::new();
    let mut settings = settings("extractive");
    settings.read.context_k = 4;
    let (folder, run) = stored(&world, &settings);
    let diagnosis = diagnosed(&world, &settings, &run);
    let wrong: Vec<&str> = run
        .records
        .iter()
        .filter(|r| !r.unanswerable && !r.e2e.as_ref().unwrap().right)
        .map(|r| r.id.as_str())
        .collect();
    let ids: Vec<&str> = diagnosis.wrong.iter().map(|q| q.id.as_str()).collect();
    assert_eq!(ids, wrong);
    assert_eq!(diagnosis.questions, 4);
    assert_eq!(diagnosis.unexplained(), 0.0, "{:#?}", diagnosis.wrong);
    // One sentence cannot answer the question that needs two, whatever it is given.
    let both = diagnosis.wrong.iter().find(|q| q.id == "both").unwrap();
    assert_eq!((both.class, both.shown_by), (Class::ReaderMiss, Proof::Evidence));
    assert!(both.repairs.contains(&Repair::Prompt));
    let counted: usize = diagnosis.classes.iter().map(|row| row.wrong).sum();
    assert_eq!(counted, wrong.len());

    assert_eq!(folder.diagnosis().unwrap(), None);
    folder.write_diagnosis(&diagnosis).unwrap();
    let file = || std::fs::read_to_string(folder.path.join("diagnosis.json")).unwrap();
    let first = file();
    assert_eq!(folder.diagnosis().unwrap(), Some(diagnosis));
    folder.write_diagnosis(&diagnosed(&world, &settings, &run)).unwrap();
    assert_eq!(file(), first);

    // What is of other records is not shown.
    let other = first.replace(&run.summary.records_sha256, "0");
    std::fs::write(folder.path.join("diagnosis.json"), other).unwrap();
    let message = folder.diagnosis().unwrap_err().to_string();
    assert!(message.contains("other records") && message.contains("fiel diagnose"), "{message}");
}

#[test]
fn a_distractor_that_is_removed_shows_the_class() {
    let world = World::new();
    // The sentence nearest to the question answers nothing, and stands in another document.
    world.write_document(
        "quiz",
        "# Quiz\n\nWhat is the participle of the verb to sing? Write the participle of the verb to sing.\n",
    );
    world.write_document("sing", "# Sing\n\nThe participle of to sing: it is *sung*.\n");
    world.write_gold(
        r#"{"id": "sung", "question": "What is the participle of the verb to sing?", "evidence": [{"doc": "sing", "quote": "it is *sung*"}], "answers": ["sung"], "answer_contains": ["sung"]}"#,
    );
    let settings = settings("extractive");
    let (_, run) = stored(&world, &settings);
    let diagnosis = diagnosed(&world, &settings, &run);
    let [sung] = &diagnosis.wrong[..] else { panic!("{diagnosis:?}") };
    assert_eq!((sung.class, sung.shown_by), (Class::RetrievalDistract, Proof::NoDistractors));
    assert_eq!(sung.right(RerunKind::NoDistractors), Some(true));
    assert_eq!(chunks(sung, RerunKind::NoDistractors), Some(&["sing#1".into()][..]));
    let first = chunks(sung, RerunKind::EvidenceFirst).unwrap();
    assert_eq!((first[0].as_str(), first.len()), ("sing#1", 2));
    // It does not know the answer by heart.
    assert_eq!(chunks(sung, RerunKind::NoEvidence), Some(&["quiz#1".into()][..]));
    assert_eq!(sung.right(RerunKind::NoEvidence), Some(false));
    // The evidence was read first and the answer was wrong: order does not help.
    assert_eq!(sung.repairs, [Repair::FewerPassages]);
    assert_eq!(diagnosis.ceiling(Repair::FewerPassages), 1);
}

#[test]
fn evidence_that_is_not_found_has_the_reruns_that_make_sense() {
    let world = World::new();
    // No word of the question is in its evidence, and the other leg is asked, too.
    world.write_gold(
        r#"{"id": "miss", "question": "irregular drink?", "evidence": [{"doc": "make", "quote": "*make* becomes *making*"}], "answers": ["making"]}"#,
    );
    let mut settings = settings("extractive");
    settings.retrieve.mode = fiel_retrieval::Mode::Bm25;
    let (_, run) = stored(&world, &settings);
    let diagnosis = diagnosed(&world, &settings, &run);
    let miss = &diagnosis.wrong[0];
    assert_eq!((miss.class, miss.shown_by), (Class::RetrievalMiss, Proof::Ranks));
    assert_eq!(miss.evidence_rank, None);
    let kinds: Vec<RerunKind> = miss.reruns.iter().map(|rerun| rerun.kind).collect();
    // The other leg is read only where it has the evidence.
    let expected = [RerunKind::Evidence, RerunKind::EvidenceFirst];
    assert_eq!(kinds[..2], expected);
    assert!(kinds[2..].iter().all(|kind| *kind == RerunKind::Dense));
    if let Some(dense) = chunks(miss, RerunKind::Dense) {
        assert!(dense.contains(&"make#1".into()), "{dense:?}");
    }
    assert_eq!(chunks(miss, RerunKind::EvidenceFirst).unwrap()[0], "make#1");
}

#[test]
fn what_was_changed_is_refused_by_name() {
    let world = World::new();
    let settings = settings("extractive");
    let (_, run) = stored(&world, &settings);
    let refused = |world: &World, run: &StoredRun| {
        let kb = world.kb();
        let gold = world.gold(&kb).gold;
        can_diagnose(run, &kb, &gold).unwrap_err().to_string()
    };
    let mut retrieval = run.clone();
    for record in &mut retrieval.records {
        record.e2e = None;
    }
    assert!(refused(&world, &retrieval).contains("no end-to-end answers"));
    let mut other = run.clone();
    other.summary.manifest.system = Some("ragas".into());
    assert!(refused(&world, &other).contains("ragas"));

    // Another embedder or reader is noticed when the pipeline is there.
    let kb = world.kb();
    let gold = world.gold(&kb);
    let mut other = run.clone();
    other.summary.manifest.reader_sha256 = Some("0".into());
    let input = Diagnosing {
        run: &other,
        kb: &kb,
        gold: &gold,
        pipeline: &world.pipeline(&settings),
        legs: &[],
    };
    let message = diagnose(&input, &mut |_| {}).unwrap_err().to_string();
    assert!(message.contains("the reader changed"), "{message}");

    world.write_document("walk", "# Walk\n\nAnother text.\n");
    let message = refused(&world, &run);
    assert!(message.contains("the knowledge base changed"), "{message}");
    world.write_gold(
        r#"{"id": "other", "question": "Past of eat?", "evidence": [{"doc": "eat", "quote": "Its past simple is *ate*"}], "answers": ["ate"]}"#,
    );
    let message = refused(&world, &run);
    assert!(message.contains("the knowledge base and the gold set changed"), "{message}");
}
