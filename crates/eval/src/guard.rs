//! Calibration of the abstention guard.

use std::cmp::Reverse;

use fiel_gold::ResolvedQuestion;
use fiel_reader::Pipeline;
use fiel_record::{Abstention, GuardScore, GuardSettings};

use crate::{Error, runner::to_read};

/// A question with its score by the guard.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GuardCase {
    /// Whether the question should be refused.
    pub unanswerable: bool,
    /// Similarity of question and passages.
    pub score: GuardScore,
}

/// Thresholds with their abstention table on the questions they were chosen on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Calibrated {
    /// The thresholds.
    pub guard: GuardSettings,
    /// The abstention table.
    pub table: Abstention,
}

/// Scores questions by the passages that would be read end to end.
///
/// # Errors
/// If retrieval fails.
pub fn guard_cases(
    pipeline: &Pipeline,
    questions: &[&ResolvedQuestion],
) -> Result<Vec<GuardCase>, Error> {
    let case = |q: &&ResolvedQuestion| {
        let text = &q.question.question;
        let found = pipeline.retrieve(text)?;
        let chunks: Vec<usize> = found.hits.iter().map(|hit| hit.chunk).collect();
        let read = to_read(q, &chunks, pipeline)?;
        Ok(GuardCase {
            unanswerable: q.question.unanswerable,
            score: pipeline.guard_score(text, &read)?,
        })
    };
    questions.iter().map(case).collect()
}

/// The thresholds with the greatest F1 of abstention among those that refuse at most the share
/// `max_share` of the answerable questions. The fewest refusals win a tie, then the lowest thresholds.
/// `None` if no such thresholds refuse an unanswerable question.
pub fn calibrate_guard(cases: &[GuardCase], max_share: f64) -> Option<Calibrated> {
    let answerable = cases.iter().filter(|c| !c.unanswerable).count();
    let max_refusals = (max_share * answerable as f64).floor() as usize;
    let cosines = thresholds(cases.iter().map(|c| c.score.cosine));
    let shares = thresholds(cases.iter().map(|c| c.score.share));
    let rank = |table: &Abstention| {
        (table.f1().unwrap_or(0.0), Reverse(table.over_refusals + table.correct_refusals))
    };
    let mut best: Option<Calibrated> = None;
    for &cosine in &cosines {
        for &share in &shares {
            let guard = GuardSettings { cosine, share };
            let table = table(cases, guard);
            let is_allowed = table.over_refusals <= max_refusals && table.correct_refusals > 0;
            if is_allowed && best.is_none_or(|best| rank(&table) > rank(&best.table)) {
                best = Some(Calibrated { guard, table });
            }
        }
    }
    best
}

/// The abstention table if the guard alone refuses.
fn table(cases: &[GuardCase], guard: GuardSettings) -> Abstention {
    let mut table = Abstention::default();
    for case in cases {
        let cell = match (case.unanswerable, guard.refuses(case.score)) {
            (false, false) => &mut table.answered,
            (false, true) => &mut table.over_refusals,
            (true, false) => &mut table.false_answers,
            (true, true) => &mut table.correct_refusals,
        };
        *cell += 1;
    }
    table
}

/// Midpoints between neighbouring values and a threshold above all, to four digits, ascending.
fn thresholds(values: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values.dedup();
    let middle = values.windows(2).map(|pair| f64::midpoint(pair[0], pair[1]));
    let above = values.last().map(|last| last + 1e-4);
    let mut out: Vec<f64> =
        middle.chain(above).map(|x| ((x * 1e4).round() / 1e4).clamp(0.0, 1.0)).collect();
    out.dedup();
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn case(unanswerable: bool, cosine: f64, share: f64) -> GuardCase {
        GuardCase { unanswerable, score: GuardScore { cosine, share } }
    }

    #[test]
    fn both_legs_must_find_nothing_and_the_bound_is_kept() {
        let mut cases: Vec<GuardCase> =
            (0..20).map(|i| case(false, 0.5 + f64::from(i) / 100.0, 0.8)).collect();
        // Answerable by its words alone, by its meaning alone, and by neither.
        cases.extend([case(false, 0.1, 0.9), case(false, 0.9, 0.1), case(false, 0.2, 0.2)]);
        cases.extend([case(true, 0.3, 0.3), case(true, 0.15, 0.25), case(true, 0.6, 0.9)]);
        let strict = calibrate_guard(&cases, 0.0).expect("thresholds");
        assert_eq!((strict.table.correct_refusals, strict.table.over_refusals), (1, 0));
        let loose = calibrate_guard(&cases, 0.05).expect("thresholds");
        assert_eq!((loose.table.correct_refusals, loose.table.over_refusals), (2, 1));
        assert!(!loose.guard.refuses(cases[20].score) && !loose.guard.refuses(cases[21].score));
    }

    #[test]
    fn without_anything_to_refuse_there_are_no_thresholds() {
        assert_eq!(calibrate_guard(&[], 0.05), None);
        assert_eq!(calibrate_guard(&[case(false, 0.5, 0.5)], 0.05), None);
    }
}
