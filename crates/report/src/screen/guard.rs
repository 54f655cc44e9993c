//! `fiel gold calibrate-guard`

use schemars::JsonSchema;
use serde::Serialize;

/// Thresholds of the abstention guard, with their effect on the dev split.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct GuardResult {
    /// Cosine below which the dense leg has found nothing.
    pub cosine: f64,
    /// Share of the question's term weight below which BM25 has found nothing.
    pub share: f64,
    /// Answerable questions that are answered.
    pub answered: usize,
    /// Answerable questions that are refused.
    pub over_refusals: usize,
    /// Unanswerable questions that are answered.
    pub false_answers: usize,
    /// Unanswerable questions that are refused.
    pub correct_refusals: usize,
    /// F1 of abstention.
    pub f1: Option<f64>,
}

/// The thresholds as TOML, with their effect. `f1_of_refusing_all`: F1 of refusing every question.
pub fn guard_screen(result: &GuardResult, f1_of_refusing_all: f64) -> String {
    let GuardResult {
        cosine,
        share,
        answered,
        over_refusals,
        false_answers,
        correct_refusals,
        f1,
    } = result;
    let questions = answered + over_refusals + false_answers + correct_refusals;
    format!(
        "[guard]\ncosine = {cosine}\nshare = {share}\n\n\
         on {questions} dev questions: answerable {answered} answered, {over_refusals} refused; \
         unanswerable {correct_refusals} refused, {false_answers} answered; F1 {:.3} (refusing all: \
         {f1_of_refusing_all:.3})\n",
        f1.unwrap_or_default()
    )
}
