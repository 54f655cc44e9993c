//! JSON Schema of everything that is written as JSON.

use std::str::FromStr;

use schemars::{JsonSchema, Schema, generate::SchemaSettings};

use crate::{
    Ablation, Comparison, Diagnosis, GateReport, QuestionRecord, RunRow, Summary, TimingRecord,
};

/// What is written as JSON and has a published schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Written {
    /// A line of `records.jsonl`.
    Record,
    /// `summary.json`.
    Summary,
    /// A line of `timings.jsonl`.
    Timing,
    /// `diagnosis.json`.
    Diagnosis,
    /// `fiel compare --json`.
    Comparison,
    /// `fiel ablate --json`.
    Ablation,
    /// `fiel gate --json`.
    Gate,
    /// `fiel runs --json`.
    Runs,
}

impl Written {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Record,
        Self::Summary,
        Self::Timing,
        Self::Diagnosis,
        Self::Comparison,
        Self::Ablation,
        Self::Gate,
        Self::Runs,
    ];

    /// The name it is asked for by.
    pub fn name(self) -> &'static str {
        match self {
            Self::Record => "record",
            Self::Summary => "summary",
            Self::Timing => "timing",
            Self::Diagnosis => "diagnosis",
            Self::Comparison => "comparison",
            Self::Ablation => "ablation",
            Self::Gate => "gate",
            Self::Runs => "runs",
        }
    }

    /// Where it is written.
    pub fn description(self) -> &'static str {
        match self {
            Self::Record => "a line of records.jsonl: one question of a run",
            Self::Summary => "summary.json, fiel eval --json: the figures of a run",
            Self::Timing => "a line of timings.jsonl: the times of a question",
            Self::Diagnosis => "diagnosis.json, fiel diagnose --json: why wrong answers are wrong",
            Self::Comparison => "fiel compare --json: two runs question by question",
            Self::Ablation => "fiel ablate --json: arms against the first",
            Self::Gate => "fiel gate --json: a run against targets and baseline",
            Self::Runs => "fiel runs --json: a run in a row",
        }
    }

    /// Its schema (JSON Schema 2020-12), as it is written: what may be left out is not required.
    pub fn json_schema(self) -> Schema {
        match self {
            Self::Record => of::<QuestionRecord>(),
            Self::Summary => of::<Summary>(),
            Self::Timing => of::<TimingRecord>(),
            Self::Diagnosis => of::<Diagnosis>(),
            Self::Comparison => of::<Comparison>(),
            Self::Ablation => of::<Ablation>(),
            Self::Gate => of::<GateReport>(),
            Self::Runs => of::<Vec<RunRow>>(),
        }
    }
}

fn of<T: JsonSchema>() -> Schema {
    let generator = SchemaSettings::draft2020_12().for_serialize();
    generator.into_generator().into_root_schema_for::<T>()
}

impl FromStr for Written {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|written| written.name() == name);
        found.ok_or_else(|| {
            let names: Vec<&str> = Self::ALL.iter().map(|written| written.name()).collect();
            format!("there is no schema `{name}`; use {}", names.join(", "))
        })
    }
}
