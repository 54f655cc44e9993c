//! `fiel gold calibrate-guard`

use fiel_record::GuardResult;

/// The thresholds as TOML, with their effect. `f1_of_refusing_all`: F1 of refusing every question.
pub fn guard_screen(result: &GuardResult, f1_of_refusing_all: f64) -> String {
    let GuardResult { cosine, share, answered, over_refusals, false_answers, correct_refusals, f1 } =
        result;
    let questions = answered + over_refusals + false_answers + correct_refusals;
    format!(
        "[guard]\ncosine = {cosine}\nshare = {share}\n\n\
         on {questions} dev questions: answerable {answered} answered, {over_refusals} refused; \
         unanswerable {correct_refusals} refused, {false_answers} answered; F1 {:.3} (refusing all: \
         {f1_of_refusing_all:.3})\n",
        f1.unwrap_or_default()
    )
}
