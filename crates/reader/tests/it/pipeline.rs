//! The pipeline over two documents.

use std::path::Path;

use fiel_corpus::KnowledgeBase;
use fiel_metrics::Lang;
use fiel_models::{Store, StoreOptions};
use fiel_reader::{Outcome, Pipeline, PipelineSettings, Progress, Stock};

fn store() -> Store {
    let options = StoreOptions {
        quiet: true,
        ..StoreOptions::from_env()
    };
    Store::new(options).unwrap()
}

fn settings(model: &str) -> PipelineSettings {
    let mut settings = PipelineSettings::default();
    settings.read.model = model.to_owned();
    settings.read.context_k = 1;
    settings.read.max_answer_tokens = 6;
    settings
}

fn pipeline(dir: &Path, settings: &PipelineSettings) -> Pipeline {
    let kb = dir.join("kb");
    std::fs::create_dir_all(&kb).unwrap();
    std::fs::write(kb.join("eat.md"), "# Eat\n\nThe past of *eat* is *ate*.\n").unwrap();
    std::fs::write(kb.join("go.md"), "# Go\n\nThe past of *go* is *went*.\n").unwrap();
    let kb = KnowledgeBase::load(&kb).unwrap();
    let mut stock = Stock::new(store(), &dir.join("caches"));
    Pipeline::build(&kb, settings, true, &mut stock, &mut |_| {}).unwrap()
}

/// An answer, what was streamed of it, and whether the weights were loaded for it.
fn ask(pipeline: &mut Pipeline, question: &str, fresh: bool) -> (Outcome, String, bool) {
    let (mut streamed, mut loaded) = (String::new(), false);
    let (_, outcome) = pipeline
        .ask(
            question,
            Lang::En,
            fresh,
            &mut |text| streamed.push_str(text),
            &mut |progress| loaded |= progress == Progress::LoadingReader,
        )
        .unwrap();
    (outcome, streamed, loaded)
}

#[test]
fn an_answer_is_streamed_cached_and_made_anew_when_asked() {
    let dir = tempfile::tempdir().unwrap();
    let settings = settings("smollm2-135m-instruct-q4_1");
    let (eat, go) = ("What is the past of eat?", "What is the past of go?");
    let mut first = pipeline(dir.path(), &settings);
    let (answer, streamed, loaded) = ask(&mut first, eat, false);
    assert!(loaded && !answer.cached);
    assert_eq!(streamed.trim(), answer.answer);
    assert!((1..=6).contains(&answer.answer_tokens) && answer.prompt_tokens > 100);
    assert_eq!(answer.context.passages[0].chunk, "eat#1");
    assert!(answer.prompt.contains("[1] Eat: The past of eat is ate."));

    let (again, streamed, loaded) = ask(&mut first, eat, false);
    assert!(again.cached && !loaded);
    assert_eq!(streamed, answer.answer);

    // After another question, and past the cache: the same answer, token for token.
    ask(&mut first, go, false);
    let (anew, _, _) = ask(&mut first, eat, true);
    assert!(!anew.cached);
    assert_eq!(
        (anew.answer, anew.answer_tokens),
        (answer.answer.clone(), answer.answer_tokens)
    );

    // The next process needs no weights.
    let mut second = pipeline(dir.path(), &settings);
    let (kept, _, loaded) = ask(&mut second, eat, false);
    assert!(kept.cached && !loaded);
    assert_eq!(kept.answer, answer.answer);
}

#[test]
fn a_context_beyond_the_budget_is_dropped_whole_and_said_so() {
    let dir = tempfile::tempdir().unwrap();
    let mut settings = settings("extractive");
    settings.read.context_k = 2;
    settings.read.context_tokens = 12;
    let (outcome, _, _) = ask(&mut pipeline(dir.path(), &settings), "past of go?", false);
    assert_eq!(outcome.context.passages.len(), 1);
    assert_eq!(outcome.context.passages[0].chunk, "go#1");
    assert_eq!(outcome.context.dropped, ["eat#1"]);
    assert!(outcome.answer.contains("went") && outcome.answer.ends_with("[1]"));
}

#[test]
fn without_any_passage_the_reader_says_it_does_not_know() {
    let dir = tempfile::tempdir().unwrap();
    let mut settings = settings("extractive");
    settings.read.context_tokens = 1;
    let pipeline = pipeline(dir.path(), &settings);
    for (lang, expected) in [(Lang::En, "I don't know."), (Lang::Es, "No lo sé.")] {
        let chunks = [0];
        let outcome = pipeline
            .read(
                "past of go?",
                &chunks,
                lang,
                false,
                &mut |_| {},
                &mut |_| {},
            )
            .unwrap();
        assert!(outcome.abstained);
        assert_eq!(outcome.answer, expected);
        assert_eq!(outcome.context.dropped, ["eat#1"]);
    }
}

#[test]
fn a_reader_that_cannot_be_is_known_before_any_work() {
    let check = |model: &str| {
        let dir = tempfile::tempdir().unwrap();
        let checked = Stock::new(store(), dir.path()).check(&settings(model), true);
        checked.err().map(|e| e.to_string()).unwrap_or_default()
    };
    assert_eq!(check("extractive"), "");
    assert!(check("all-MiniLM-L6-v2").contains("read.model"));
    assert!(check("no-such-model").contains("no-such-model"));
    assert!(check("no/such.gguf").contains("no/such.gguf"));
}
