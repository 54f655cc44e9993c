use fiel_reader::Pipeline;
use fiel_record::Abstention;
use fiel_record::{GuardScore, GuardSettings};

use crate::{Error, runner::to_read};
use fiel_gold::ResolvedQuestion;

/// One question as the guard sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GuardCase {
    /// Whether it should be refused.
    pub unanswerable: bool,
    /// What its passages have to do with it.
    pub score: GuardScore,
}

/// Thresholds, and what they do on the questions they were chosen on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Calibrated {
    /// The thresholds.
    pub guard: GuardSettings,
    /// The four cells.
    pub table: Abstention,
}

/// What the guard sees of questions: of the passages that would be read end to end.
///
/// # Errors
/// When a question cannot be searched for.
pub fn guard_cases(
    pipeline: &Pipeline,
    questions: &[&ResolvedQuestion],
) -> Result<Vec<GuardCase>, Error> {
    let failed = |e: fiel_reader::Error| Error::Measure(e.to_string());
    let case = |q: &&ResolvedQuestion| {
        let text = &q.question.question;
        let found = pipeline.retrieve(text).map_err(failed)?;
        let chunks: Vec<usize> = found.hits.iter().map(|hit| hit.chunk).collect();
        let read = to_read(q, &chunks, pipeline).map_err(failed)?;
        Ok(GuardCase {
            unanswerable: q.question.unanswerable,
            score: pipeline.guard_score(text, &read).map_err(failed)?,
        })
    };
    questions.iter().map(case).collect()
}

/// The thresholds with the greatest F1 of abstention among those that refuse at most `most` of the
/// answerable questions (a share); of equals those with the fewest refusals, then the lowest. None
/// without an unanswerable question, or when no thresholds refuse one within the bound.
pub fn calibrate_guard(cases: &[GuardCase], most: f64) -> Option<Calibrated> {
    let answerable = cases.iter().filter(|c| !c.unanswerable).count();
    let may = (most * answerable as f64).floor() as usize;
    let cosines = thresholds(cases.iter().map(|c| c.score.cosine));
    let shares = thresholds(cases.iter().map(|c| c.score.share));
    let mut best: Option<(f64, usize, Calibrated)> = None;
    for &cosine in &cosines {
        for &share in &shares {
            let guard = GuardSettings { cosine, share };
            let table = table(cases, guard);
            if table.over_refusals > may || table.correct_refusals == 0 {
                continue;
            }
            let f1 = table.f1().unwrap_or(0.0);
            let refused = table.over_refusals + table.correct_refusals;
            let is_better =
                best.as_ref().is_none_or(|(b, n, _)| f1 > *b || (f1 == *b && refused < *n));
            if is_better {
                best = Some((f1, refused, Calibrated { guard, table }));
            }
        }
    }
    best.map(|(_, _, calibrated)| calibrated)
}

/// The four cells of a guard alone.
pub fn table(cases: &[GuardCase], guard: GuardSettings) -> Abstention {
    let mut out = Abstention::default();
    for case in cases {
        let cell = match (case.unanswerable, guard.refuses(case.score)) {
            (false, false) => &mut out.answered,
            (false, true) => &mut out.over_refusals,
            (true, false) => &mut out.false_answers,
            (true, true) => &mut out.correct_refusals,
        };
        *cell += 1;
    }
    out
}

/// Midpoints between neighbouring values and one threshold above all, to four digits, ascending.
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
