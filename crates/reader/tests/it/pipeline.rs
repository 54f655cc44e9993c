//! The pipeline over two documents.

use std::path::Path;

use fiel_corpus::KnowledgeBase;
use fiel_models::{ModelStore, ModelStoreOptions};
use fiel_reader::{
    Observer, Outcome, Pipeline, PipelineBuilder, PipelineProgress, PipelineSettings, ReadRequest,
};
use fiel_record::GuardSettings;
use fiel_text::Lang;

fn store() -> ModelStore {
    let options = ModelStoreOptions { quiet: true, ..ModelStoreOptions::from_env() };
    ModelStore::new(options).unwrap()
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
    let mut builder = PipelineBuilder::new(store(), &dir.join("caches"));
    let observer = &mut Observer::default();
    builder.build(&kb, settings, true, observer).unwrap()
}

/// An answer, its streamed text, and whether the weights were loaded for it.
fn ask(pipeline: &mut Pipeline, question: &str, fresh: bool) -> (Outcome, String, bool) {
    let (mut streamed, mut loaded) = (String::new(), false);
    let request = ReadRequest { use_cache: !fresh, ..ReadRequest::new(question, &[], Lang::En) };
    let mut observer = Observer {
        on_text: Some(&mut |text| streamed.push_str(text)),
        on_progress: Some(&mut |progress| loaded |= progress == PipelineProgress::LoadingReader),
    };
    let (_, outcome) = pipeline.ask(&request, &mut observer).unwrap();
    (outcome, streamed, loaded)
}

#[test]
fn an_answer_is_streamed_cached_and_regenerated_on_request() {
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
    let (regenerated, _, _) = ask(&mut first, eat, true);
    assert!(!regenerated.cached);
    assert_eq!(
        (regenerated.answer, regenerated.answer_tokens),
        (answer.answer.clone(), answer.answer_tokens)
    );

    // The next process needs no weights.
    let mut second = pipeline(dir.path(), &settings);
    let (cached, _, loaded) = ask(&mut second, eat, false);
    assert!(cached.cached && !loaded);
    assert_eq!(cached.answer, answer.answer);
}

#[test]
fn passages_beyond_the_budget_are_dropped_whole_and_reported() {
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
fn without_passages_the_reader_abstains() {
    let dir = tempfile::tempdir().unwrap();
    let mut settings = settings("extractive");
    settings.read.context_tokens = 1;
    let pipeline = pipeline(dir.path(), &settings);
    for (lang, expected) in [(Lang::En, "I don't know."), (Lang::Es, "No lo sé.")] {
        let request = ReadRequest::new("past of go?", &[0], lang);
        let outcome = pipeline.read(&request, &mut Observer::default()).unwrap();
        assert!(outcome.abstained);
        assert_eq!(outcome.answer, expected);
        assert_eq!(outcome.context.dropped, ["eat#1"]);
    }
}

#[test]
fn an_unusable_reader_is_reported_before_any_work() {
    let check = |model: &str| {
        let dir = tempfile::tempdir().unwrap();
        let checked = PipelineBuilder::new(store(), dir.path()).check(&settings(model), true);
        checked.err().map(|e| e.to_string()).unwrap_or_default()
    };
    assert_eq!(check("extractive"), "");
    assert!(check("all-MiniLM-L6-v2").contains("read.model"));
    assert!(check("no-such-model").contains("no-such-model"));
    assert!(check("no/such.gguf").contains("no/such.gguf"));
}

/// An earlier prompt leaves no trace, neither in the cache of keys and values nor by the prefix that
/// two prompts share and that is not read again.
#[test]
fn an_earlier_question_does_not_change_an_answer() {
    let settings = settings("smollm2-135m-instruct-q4_1");
    let (eat, go) = ("What is the past of eat?", "And what is the past of go?");
    let (together, alone) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let mut both = pipeline(together.path(), &settings);
    ask(&mut both, eat, false);
    let (after, _, _) = ask(&mut both, go, false);
    let (first, _, _) = ask(&mut pipeline(alone.path(), &settings), go, false);
    assert!(!after.cached && !first.cached);
    let reading =
        |o: &Outcome| (o.prompt.clone(), o.answer.clone(), o.prompt_tokens, o.answer_tokens);
    assert_eq!(reading(&after), reading(&first));
}

#[test]
fn a_seed_fixes_a_sampled_answer_and_other_seeds_give_others() {
    let dir = tempfile::tempdir().unwrap();
    let mut settings = settings("smollm2-135m-instruct-q4_1");
    settings.read.temperature = 1.5;
    settings.read.max_answer_tokens = 12;
    let mut pipeline = pipeline(dir.path(), &settings);
    let question = "What is the past of eat?";
    let (first, _, _) = ask(&mut pipeline, question, true);
    let (again, _, _) = ask(&mut pipeline, question, true);
    assert_eq!(first.answer, again.answer);
    let draw = |draw| {
        let request =
            ReadRequest { draw, use_cache: false, ..ReadRequest::new(question, &[0], Lang::En) };
        let outcome = pipeline.read(&request, &mut Observer::default()).unwrap();
        outcome.answer
    };
    assert_eq!(draw(1), draw(1));
    let all: std::collections::BTreeSet<String> = (1..5).map(draw).collect();
    assert!(all.len() > 1, "{all:?}");
}

#[test]
fn the_guard_refuses_if_nothing_relevant_is_found() {
    let dir = tempfile::tempdir().unwrap();
    let mut settings = settings("extractive");
    settings.read.guard = Some(GuardSettings { cosine: 0.35, share: 0.5 });
    let mut pipeline = pipeline(dir.path(), &settings);
    let (known, _, _) = ask(&mut pipeline, "What is the past of go?", false);
    assert!(!known.guarded && known.answer.contains("went"));
    let score = known.guard.unwrap();
    assert!(score.share > 0.4 && score.cosine > 0.35, "{score:?}");
    let (unknown, streamed, _) = ask(&mut pipeline, "Who painted Lisbon station?", false);
    assert!(unknown.guarded && unknown.abstained && unknown.prompt.is_empty());
    assert_eq!(unknown.answer, "I don't have enough information.");
    assert_eq!(streamed, unknown.answer);
    assert_eq!(unknown.context.passages.len(), 1);
}

#[test]
fn an_unusable_prompt_file_is_reported_before_any_work() {
    let dir = tempfile::tempdir().unwrap();
    let mut settings = settings("extractive");
    let path = dir.path().join("mine.toml");
    std::fs::write(&path, "[answer]\n").unwrap();
    settings.read.prompt = Some(path);
    let builder = PipelineBuilder::new(store(), dir.path());
    let error = builder.check(&settings, true).err();
    let error = error.map(|e| e.to_string()).unwrap_or_default();
    assert!(error.contains("mine.toml"), "{error}");
}
