//! One evaluation with its progress on the terminal, as `eval` and `ablate` run it.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Instant,
};

use anyhow::Result;
use fiel_eval::{EvalEvent, Finished, Judging, Plan, evaluate};
use fiel_reader::{Pipeline, PipelineBuilder};
use fiel_record::Summary;

use crate::{
    args::Common,
    interrupt::stop_flag,
    progress::Progress,
    questions::Questions,
    settings::Settings,
    workspace::{pipeline, runs},
};

/// What the evaluations of a command share.
pub struct Evaluation<'a> {
    questions: &'a Questions,
    common: &'a Common,
    builder: PipelineBuilder,
    /// Set by Ctrl-C, once there are questions to stop after.
    stop: Option<Arc<AtomicBool>>,
}

/// What differs between the evaluations of a command besides their settings.
pub struct Start<'a> {
    /// Run to resume: its id, or `last`.
    pub resume: Option<&'a str>,
    pub note: Option<&'a str>,
    /// Whether the run is a variant of an ablation.
    pub is_variant: bool,
    /// The wall time of the run counts from here.
    pub at: Instant,
}

impl<'a> Evaluation<'a> {
    pub fn new(questions: &'a Questions, common: &'a Common, builder: PipelineBuilder) -> Self {
        Self { questions, common, builder, stop: None }
    }

    /// Whether Ctrl-C stopped the evaluation.
    pub fn is_stopped(&self) -> bool {
        self.stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed))
    }

    /// Builds the pipeline, asks the questions and stores the run. `on_retrieved` receives the
    /// measures of retrieval before anything is read.
    ///
    /// # Errors
    /// When a model or an index cannot be loaded, or the run cannot be stored.
    pub fn run(
        &mut self,
        settings: &Settings,
        start: &Start<'_>,
        on_retrieved: &mut dyn FnMut(&Summary),
    ) -> Result<(Pipeline, Finished)> {
        let Questions { kb, gold, selection } = self.questions;
        let quiet = self.common.quiet;
        let settings = &settings.clone().with_guard(gold.gold.guard);
        let reads = settings.reads();
        let mut judging = if reads {
            let unit = settings.eval.claim_unit;
            Judging::load(&settings.judge, unit, &settings.pipeline(), self.builder.models())?
        } else {
            Judging::none()
        };
        let pipeline = pipeline(kb, settings, reads, &mut self.builder, quiet)?;
        let stop = match &self.stop {
            Some(stop) => stop,
            None => {
                let message = "stopping after this question; press Ctrl-C again to stop now";
                self.stop.insert(stop_flag(message)?)
            }
        };
        let plan = Plan {
            kb,
            gold,
            selection,
            settings: &settings.eval,
            judge: &settings.judge,
            prices: &settings.price,
            resume: start.resume,
            note: start.note,
            is_variant: start.is_variant,
            runs: &runs(),
            stop,
            started: start.at,
        };
        let mut searching = Progress::new("searching", quiet);
        let mut reading = Progress::new("reading", quiet);
        let finished = evaluate(&plan, &pipeline, &mut judging, &mut |event| match event {
            EvalEvent::Searched(done, total) => searching.set(done, total),
            EvalEvent::Retrieved(summary) => {
                searching.clear();
                on_retrieved(summary);
            }
            EvalEvent::LoadingReader => reading.loading(),
            EvalEvent::Answered(done, total) => reading.set(done, total),
        });
        searching.clear();
        reading.clear();
        Ok((pipeline, finished?))
    }
}
