//! Settings given on the command line.

use fiel_record::EvalMode;

use crate::args::{PipelineArgs, QuestionArgs, ReaderArgs};

/// Values from the command line. `None` leaves the decision to the settings file or the default.
#[derive(Clone, Debug, Default)]
pub struct Options {
    pub pipeline: PipelineArgs,
    pub reader: ReaderArgs,
    pub gold: Option<String>,
    /// Whether documents and questions come from a BEIR folder.
    pub beir: bool,
    pub modes: Option<Vec<EvalMode>>,
    pub distractors: Option<usize>,
    pub repeat: Option<usize>,
    pub temperature: Option<f64>,
    /// Passages to return; lengthens the lists of the legs where needed.
    pub top_k: Option<usize>,
}

impl Options {
    /// Options of a command that only retrieves.
    pub fn retrieval(pipeline: &PipelineArgs) -> Self {
        Self { pipeline: pipeline.clone(), ..Self::default() }
    }

    /// Options of a command that asks the reader.
    pub fn reading(pipeline: &PipelineArgs, reader: &ReaderArgs) -> Self {
        Self { reader: reader.clone(), ..Self::retrieval(pipeline) }
    }

    /// Options of a command that evaluates.
    pub fn evaluation(
        pipeline: &PipelineArgs,
        reader: &ReaderArgs,
        questions: &QuestionArgs,
    ) -> Self {
        let (gold, beir) = (questions.gold.clone(), questions.beir.is_some());
        Self { gold, beir, ..Self::reading(pipeline, reader) }
    }
}
