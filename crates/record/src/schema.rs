//! The published JSON Schemas.

use std::{fmt, str::FromStr};

use schemars::{JsonSchema, Schema, generate::SchemaSettings};

use crate::{
    Ablation, AskResult, BaselineUpdate, BenchReport, Calibration, CleanedFolder, Comparison,
    Diagnosis, DoctorCheck, ExplainedChunk, ExportResult, GateReport, GuardResult, ImportResult,
    IndexResult, LintResult, ModelRow, QuestionRecord, ReportFile, RunRow, SearchHit,
    SuggestResult, Summary, TimingRecord,
};

/// A stored file or an output of `--json`, with its JSON Schema.
#[derive(Clone, Copy)]
pub struct Written {
    name: &'static str,
    description: &'static str,
    schema: fn() -> Schema,
}

impl Written {
    /// All schemas: stored files, then outputs of commands.
    pub const ALL: &[Self] = &[
        written::<QuestionRecord>("record", "a line of records.jsonl: one question of a run"),
        written::<Summary>(
            "summary",
            "summary.json, fiel eval, score and show --json: the measures of a run",
        ),
        written::<TimingRecord>("timing", "a line of timings.jsonl: the times of a question"),
        written::<Diagnosis>(
            "diagnosis",
            "diagnosis.json, fiel diagnose --json: causes of wrong answers",
        ),
        written::<Comparison>("comparison", "fiel compare --json: two runs question by question"),
        written::<Ablation>("ablation", "fiel ablate --json: variants compared with the first"),
        written::<GateReport>("gate", "fiel gate --json: a run against targets and baseline"),
        written::<BaselineUpdate>(
            "bless",
            "fiel bless --json: the new baseline against the old one",
        ),
        written::<Vec<RunRow>>("runs", "fiel runs --json: one object per run"),
        written::<ExportResult>("export", "fiel export --json: the files of a run"),
        written::<ReportFile>("report", "fiel report --json: the HTML file"),
        written::<AskResult>("ask", "fiel ask --json: an answer with its citations"),
        written::<Vec<SearchHit>>("search", "fiel search --json: one object per passage"),
        written::<Vec<ExplainedChunk>>(
            "explain",
            "fiel explain --json: why chunks have their ranks",
        ),
        written::<IndexResult>(
            "index",
            "fiel index --json: documents and chunks of a knowledge base",
        ),
        written::<LintResult>("lint", "fiel gold lint --json: findings in a gold set"),
        written::<ImportResult>(
            "import",
            "fiel gold import --json: what was read, written, left out",
        ),
        written::<SuggestResult>("suggest", "fiel gold suggest --json: drafts and their review"),
        written::<GuardResult>(
            "guard",
            "fiel gold calibrate-guard --json: thresholds of the guard",
        ),
        written::<BenchReport>("bench", "fiel judge bench --json: scorers on labelled claims"),
        written::<Calibration>(
            "calibration",
            "fiel judge calibrate --json: scorers against labels",
        ),
        written::<Vec<ModelRow>>(
            "models",
            "fiel models list, fetch and verify --json: one object per model",
        ),
        written::<Vec<DoctorCheck>>("doctor", "fiel doctor --json: one object per check"),
        written::<Vec<CleanedFolder>>("clean", "fiel clean --json: one object per folder"),
    ];

    /// Its name in `fiel schema NAME`.
    pub fn name(self) -> &'static str {
        self.name
    }

    /// Where it is written, and its content.
    pub fn description(self) -> &'static str {
        self.description
    }

    /// Its schema (JSON Schema 2020-12). Optional fields are not required.
    pub fn json_schema(self) -> Schema {
        (self.schema)()
    }
}

impl fmt::Debug for Written {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Written").field(&self.name).finish()
    }
}

const fn written<T: JsonSchema>(name: &'static str, description: &'static str) -> Written {
    Written { name, description, schema: generate::<T> }
}

fn generate<T: JsonSchema>() -> Schema {
    let generator = SchemaSettings::draft2020_12().for_serialize();
    generator.into_generator().into_root_schema_for::<T>()
}

/// The name of a schema is unknown.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown schema `{0}`; expected one of {names}", names = names())]
pub struct UnknownSchema(String);

fn names() -> String {
    let names: Vec<&str> = Written::ALL.iter().map(|written| written.name).collect();
    names.join(", ")
}

impl FromStr for Written {
    type Err = UnknownSchema;

    fn from_str(name: &str) -> Result<Self, UnknownSchema> {
        let found = Self::ALL.iter().find(|written| written.name == name);
        found.copied().ok_or_else(|| UnknownSchema(name.to_owned()))
    }
}
