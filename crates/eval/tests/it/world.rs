//! A knowledge base of four documents and five questions, written for each test.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use fiel_corpus::KnowledgeBase;
use fiel_eval::{EvalEvent, EvalSettings, Finished, JudgeSettings, Judging, Plan, evaluate};
use fiel_gold::{Gold, ResolvedGold, Selection};
use fiel_models::{ModelStore, ModelStoreOptions};
use fiel_reader::{Observer, Pipeline, PipelineBuilder, PipelineSettings};
use fiel_record::EvalMode;
use fiel_retrieval::DenseChoice;
use fiel_runs::PriceSettings;
use tempfile::TempDir;

pub const SMOLLM2: &str = "smollm2-135m-instruct-q4_1";
pub const ALL: [EvalMode; 3] = [EvalMode::Retrieval, EvalMode::Oracle, EvalMode::E2e];

const DOCUMENTS: [(&str, &str); 4] = [
    (
        "eat",
        "# Eat\n\nEat is irregular. Its past simple is *ate*.\n\n## Participle\n\n\
         The past participle of *eat* is *eaten* (Spanish: *comido*).\n",
    ),
    (
        "drink",
        "# Drink\n\nDrink is irregular. Its past simple is *drank*.\n\n## Participle\n\n\
         The past participle of *drink* is *drunk* (Spanish: *bebido*), as *comido* is *eaten*.\n",
    ),
    ("walk", "# Walk\n\nWalk is regular. Its past simple and its participle are *walked*.\n"),
    ("make", "# Spelling of -ing\n\nA silent *e* is dropped: *make* becomes *making*.\n"),
];

/// Not in the order of their ids; the fourth is proved by either of two quotes, the last by none.
const QUESTIONS: [&str; 5] = [
    r#"{"id": "participle", "question": "What's the past participle of eat?", "evidence": [{"doc": "eat", "quote": "past participle of *eat* is *eaten*"}], "answers": ["eaten"], "answer_contains": ["eaten"], "tags": ["style:docs"], "split": "test"}"#,
    r#"{"id": "both", "question": "Past simple of eat and of drink?", "evidence": [{"doc": "eat", "quote": "Its past simple is *ate*"}, {"doc": "drink", "quote": "Its past simple is *drank*"}], "answers": ["ate and drank"], "answer_contains": ["ate", "drank"], "tags": ["style:split"], "split": "test"}"#,
    r#"{"id": "spelling", "question": "How do I spell make with -ing?", "evidence": [{"doc": "make", "quote": "*make* becomes *making*"}], "answers": ["making"], "tags": ["style:docs"], "split": "dev"}"#,
    r#"{"id": "comido", "question": "Which English participle is comido?", "evidence": [{"doc": "eat", "quote": "*eaten* (Spanish: *comido*)", "group": "a"}, {"doc": "drink", "quote": "*comido* is *eaten*", "group": "a"}], "answers": ["eaten", "comido is eaten"], "tags": ["style:vocab"], "split": "test"}"#,
    r#"{"id": "absent", "question": "What is the past participle of swim?", "unanswerable": true, "tags": ["style:docs"], "split": "test"}"#,
];

/// Ids of [`QUESTIONS`].
pub const IDS: [&str; 5] = ["participle", "both", "spelling", "comido", "absent"];

/// Documents, questions and generated files in a temporary folder.
pub struct World {
    dir: TempDir,
}

impl World {
    pub fn new() -> Self {
        let world = Self { dir: tempfile::tempdir().unwrap() };
        std::fs::create_dir(world.path("kb")).unwrap();
        for (id, text) in DOCUMENTS {
            world.write_document(id, text);
        }
        world.write_gold(&QUESTIONS.join("\n"));
        world
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    pub fn runs(&self) -> PathBuf {
        self.path("runs")
    }

    pub fn write_document(&self, id: &str, text: &str) {
        std::fs::write(self.path("kb").join(format!("{id}.md")), text).unwrap();
    }

    pub fn write_gold(&self, questions: &str) {
        std::fs::write(self.path("gold.jsonl"), questions).unwrap();
        let targets = "[targets]\n\"retrieval.hit@5\" = 0.8\n\"oracle.F1\" = 1.0\n";
        std::fs::write(self.path("gold.toml"), targets).unwrap();
    }

    pub fn kb(&self) -> KnowledgeBase {
        KnowledgeBase::load(&self.path("kb")).unwrap()
    }

    pub fn gold(&self, kb: &KnowledgeBase) -> ResolvedGold {
        let gold = Gold::load(&self.path("gold.jsonl")).unwrap();
        gold.resolve(kb).unwrap()
    }

    /// The pipeline over the documents as they are now; models come from the user's store.
    pub fn pipeline(&self, settings: &PipelineSettings) -> Pipeline {
        let mut builder = self.builder();
        let observer = &mut Observer::default();
        builder.build(&self.kb(), settings, true, observer).unwrap()
    }

    /// Nothing loaded yet.
    pub fn builder(&self) -> PipelineBuilder {
        let options = ModelStoreOptions { quiet: true, ..ModelStoreOptions::from_env() };
        PipelineBuilder::new(ModelStore::new(options).unwrap(), &self.path("caches"))
    }

    /// All questions of both splits.
    pub fn evaluate(&self, settings: &PipelineSettings, eval: &EvalSettings) -> Finished {
        let all = Selection::default();
        self.evaluate_with(settings, eval, &all, &AtomicBool::new(false), &mut |_| {})
    }

    pub fn evaluate_with(
        &self,
        settings: &PipelineSettings,
        eval: &EvalSettings,
        selection: &Selection,
        stop: &AtomicBool,
        on: &mut dyn FnMut(EvalEvent<'_>),
    ) -> Finished {
        let kb = self.kb();
        let plan = Plan {
            started: std::time::Instant::now(),
            kb: &kb,
            gold: &self.gold(&kb),
            selection,
            settings: eval,
            judge: &JudgeSettings::default(),
            prices: &PriceSettings::default(),
            note: None,
            is_variant: false,
            resume: None,
            runs: &self.runs(),
            stop,
        };
        let mut judging =
            Judging::load(plan.judge, eval.claim_unit, settings, self.builder().models()).unwrap();
        evaluate(&plan, &self.pipeline(settings), &mut judging, on).unwrap()
    }
}

/// Short answers, few passages, and an approximate dense leg, so that its loss is measured.
pub fn settings(model: &str) -> PipelineSettings {
    let mut settings = PipelineSettings::default();
    settings.retrieve.dense = DenseChoice::Hnsw;
    settings.read.model = model.to_owned();
    settings.read.context_k = 2;
    settings.read.max_answer_tokens = 8;
    settings
}

pub fn modes(modes: &[EvalMode]) -> EvalSettings {
    EvalSettings { modes: modes.to_vec(), ..EvalSettings::default() }
}

pub fn records(folder: &Path) -> String {
    std::fs::read_to_string(folder.join("records.jsonl")).unwrap()
}

/// `summary.json` without the block that no comparison looks at.
pub fn summary(folder: &Path) -> serde_json::Value {
    let text = std::fs::read_to_string(folder.join("summary.json")).unwrap();
    let mut summary: serde_json::Value = serde_json::from_str(&text).unwrap();
    summary.as_object_mut().unwrap().remove("timing").unwrap();
    summary
}
