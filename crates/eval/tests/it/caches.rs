//! What is done again when something changes, and what a run that was stopped leaves.

use std::sync::atomic::{AtomicBool, Ordering};

use fiel_eval::EvalEvent;
use fiel_gold::{Selection, Split};
use fiel_record::EvalMode;
use fiel_runs::RunFolder;

use crate::world::{ALL, IDS, World, modes, records, settings};

#[test]
fn editing_one_document_embeds_only_its_chunks() {
    let world = World::new();
    let settings = settings("extractive");
    let first = world.pipeline(&settings);
    let chunks = first.retriever().chunks().len();
    assert_eq!(first.built().newly_embedded, chunks);
    assert_eq!(world.pipeline(&settings).built().newly_embedded, 0);

    world.write_document(
        "walk",
        "# Walk\n\nWalk is regular. Its past is *walked*, its -ing form *walking*.\n",
    );
    let edited = world.pipeline(&settings);
    assert_eq!(edited.retriever().chunks().len(), chunks);
    assert_eq!(edited.built().newly_embedded, 1);
}

#[test]
fn a_stopped_run_can_be_read() {
    let world = World::new();
    let stop = AtomicBool::new(false);
    let mut told = Vec::new();
    let finished = world.evaluate_with(
        &settings("extractive"),
        &modes(&ALL),
        &Selection::default(),
        &stop,
        &mut |event| {
            if let EvalEvent::Answered(done, of) = event {
                told.push((done, of));
                // The second question is being read.
                stop.fetch_or(done == 3, Ordering::Relaxed);
            }
        },
    );
    // That question is finished, oracle and end to end, and none is begun.
    assert_eq!(told, [(1, 9), (2, 9), (3, 9), (4, 9)]);
    let summary = &finished.summary;
    assert_eq!((summary.planned, finished.records.len()), (5, 2));
    let folder = RunFolder::find(&world.runs(), "last").unwrap();
    assert_eq!(folder.records().unwrap(), finished.records);
    assert_eq!(&folder.summary().unwrap(), summary);
}

#[test]
fn a_run_that_was_altered_is_refused() {
    let world = World::new();
    let finished = world.evaluate(&settings("extractive"), &modes(&[EvalMode::Retrieval]));
    let folder = RunFolder::find(&world.runs(), "last").unwrap();
    let text = records(&finished.folder).replace("participle", "participant");
    std::fs::write(folder.path.join("records.jsonl"), text).unwrap();
    let message = folder.records().unwrap_err().to_string();
    assert!(message.contains("records.jsonl: the file changed"), "{message}");
}

#[test]
fn retrieval_is_told_before_any_answer() {
    let world = World::new();
    let stop = AtomicBool::new(false);
    let mut told = Vec::new();
    let finished = world.evaluate_with(
        &settings("extractive"),
        &modes(&ALL),
        &Selection::default(),
        &stop,
        &mut |event| {
            told.push(match event {
                EvalEvent::Searched(..) => "searched",
                EvalEvent::Retrieved(summary) => {
                    assert_eq!(summary.measures.keys().collect::<Vec<_>>(), [&EvalMode::Retrieval]);
                    "retrieved"
                }
                EvalEvent::Answered(..) => "answered",
                _ => "other",
            });
        },
    );
    assert_eq!(told[..5], ["searched"; 5]);
    assert_eq!(told[5], "retrieved");
    assert_eq!(told[6..], ["answered"; 9]);
    assert_eq!(finished.records.len(), 5);
}

#[test]
fn a_selection_asks_only_what_it_names_in_gold_order() {
    let world = World::new();
    let asked = |selection: Selection| -> Vec<String> {
        let finished = world.evaluate_with(
            &settings("extractive"),
            &modes(&[EvalMode::Retrieval]),
            &selection,
            &AtomicBool::new(false),
            &mut |_| {},
        );
        finished.records.into_iter().map(|record| record.id.to_string()).collect()
    };
    let only = |names: &[&str]| Selection {
        only: names.iter().map(ToString::to_string).collect(),
        ..Selection::default()
    };
    assert_eq!(asked(Selection::default()), IDS);
    assert_eq!(asked(Selection { split: Some(Split::Dev), ..Selection::default() }), ["spelling"]);
    assert_eq!(
        asked(Selection { limit: Some(2), ..Selection::default() }),
        ["participle", "absent"]
    );
    assert_eq!(asked(only(&["style:docs", "both"])), ["participle", "both", "spelling", "absent"]);
}
