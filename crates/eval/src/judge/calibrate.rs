//! Agreement of the scorers with people.

use std::collections::BTreeSet;

use fiel_metrics::{Agreement, agreement};
use fiel_record::{
    CALIBRATION_SCHEMA, CalibratedScorer, Calibration, Disagreement, TunedThreshold,
};
use fiel_store::sha256_hex;

use super::{Label, ScorerKind};
use crate::Error;

/// The largest share of the labels that a reliable scorer may contradict.
const DISAGREEMENT: f64 = 0.15;

/// The least number of labels that show a scorer to be reliable.
const LEAST_LABELS: usize = 30;

/// Compares every scorer of a file of labels with the people who labelled.
///
/// # Errors
/// [`Error::NoLabels`], or an error of the statistics.
pub fn calibrate(file: &str, labels: &[Label]) -> Result<Calibration, Error> {
    if labels.is_empty() {
        return Err(Error::NoLabels { file: file.to_owned() });
    }
    let names: BTreeSet<&String> = labels.iter().flat_map(|l| l.scores.keys()).collect();
    let mut scorers = Vec::new();
    for name in names {
        let scored = scored(labels, name);
        let threshold = ScorerKind::of_name(name).threshold();
        let Some(agreement) = agreement_at(&scored, threshold)? else {
            continue;
        };
        let wrong = scored.iter().filter(|(label, score)| label.label != (*score >= threshold));
        let disagreement = |(label, score): &(&Label, f64)| Disagreement {
            question: label.question.clone(),
            claim: label.claim.clone(),
            label: label.label,
            score: *score,
        };
        scorers.push(CalibratedScorer {
            scorer: name.clone(),
            threshold,
            agreement,
            tuned: tuned(&scored)?,
            uncalibrated: uncalibrated(labels, name, None)?,
            disagreements: wrong.map(disagreement).collect(),
        });
    }
    Ok(Calibration {
        schema: CALIBRATION_SCHEMA.to_owned(),
        file: file.to_owned(),
        labels: labels.len(),
        scorers,
    })
}

/// Why the labels do not show a scorer to be reliable; `None` if they do. With a key of the scorers,
/// only labels of claims that they scored in this version count.
///
/// # Errors
/// If a score is not a number.
pub(super) fn uncalibrated(
    labels: &[Label],
    scorer: &str,
    key: Option<&str>,
) -> Result<Option<String>, Error> {
    let mut scored = scored(labels, scorer);
    scored.retain(|(label, _)| key.is_none_or(|key| label.judge.as_deref() == Some(key)));
    let threshold = ScorerKind::of_name(scorer).threshold();
    let all = scored.len();
    if all < LEAST_LABELS {
        let count = match all {
            0 => "no person labelled".to_owned(),
            n => format!("people labelled only {n}"),
        };
        return Ok(Some(format!(
            "{count} claims of this gold set that this version of {scorer} scored; label \
             {LEAST_LABELS} with `fiel judge label`"
        )));
    }
    let is_wrong = |(label, score): &&(&Label, f64)| (*score >= threshold) != label.label;
    let wrong = scored.iter().filter(is_wrong).count();
    let share = wrong as f64 / all as f64;
    if share > DISAGREEMENT {
        let percent = share * 100.0;
        return Ok(Some(format!(
            "people disagree on {wrong} of {all} labelled claims ({percent:.0} %)"
        )));
    }
    let agreement = agreement_at(&scored, threshold)?;
    let is_chance = agreement
        .and_then(|agreement| agreement.kappa_interval)
        .is_none_or(|interval| interval.low <= 0.0);
    Ok(is_chance.then(|| {
        format!("its agreement with people on {all} labelled claims is no better than chance")
    }))
}

fn scored<'a>(labels: &'a [Label], scorer: &str) -> Vec<(&'a Label, f64)> {
    labels.iter().filter_map(|label| Some((label, *label.scores.get(scorer)?))).collect()
}

fn agreement_at(scored: &[(&Label, f64)], threshold: f64) -> Result<Option<Agreement>, Error> {
    let verdicts: Vec<bool> = scored.iter().map(|(_, score)| *score >= threshold).collect();
    let people: Vec<bool> = scored.iter().map(|(label, _)| label.label).collect();
    Ok(agreement(&verdicts, &people)?)
}

/// The threshold with the greatest kappa on one half of the labels (the lowest wins a tie), and its
/// agreement on the other half. A hash of the claim decides its half. `None` if a half has no kappa.
fn tuned(scored: &[(&Label, f64)]) -> Result<Option<TunedThreshold>, Error> {
    let is_first = |label: &Label| sha256_hex(label.claim.as_bytes()).as_bytes()[0] < b'8';
    let (first, second): (Vec<_>, Vec<_>) =
        scored.iter().copied().partition(|(label, _)| is_first(label));
    let mut thresholds: Vec<f64> = first.iter().map(|(_, score)| *score).collect();
    thresholds.sort_by(f64::total_cmp);
    thresholds.dedup();
    let mut best: Option<(f64, f64)> = None;
    for threshold in thresholds {
        let kappa = agreement_at(&first, threshold)?.and_then(|a| a.kappa);
        if let Some(kappa) = kappa.filter(|kappa| best.is_none_or(|(_, most)| *kappa > most)) {
            best = Some((threshold, kappa));
        }
    }
    let Some((threshold, kappa)) = best else {
        return Ok(None);
    };
    let on_other = agreement_at(&second, threshold)?;
    Ok(on_other.map(|on_other| TunedThreshold { threshold, kappa, n: first.len(), on_other }))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn label(at: usize, label: bool, score: f64) -> Label {
        Label {
            run: "r".into(),
            question: format!("q{at}"),
            claim: format!("Claim {at}."),
            chunks: Vec::new(),
            judge: at.is_multiple_of(2).then(|| "key".to_owned()),
            label,
            scores: BTreeMap::from([("judge m".to_owned(), score)]),
        }
    }

    #[test]
    fn a_threshold_is_chosen_on_one_half_and_measured_on_the_other() {
        // The judge says yes at 0.3 where people do.
        let labels: Vec<Label> =
            (0..40).map(|at| label(at, at % 2 == 0, if at % 2 == 0 { 0.3 } else { 0.1 })).collect();
        let found = calibrate("f", &labels).expect("compared");
        let judge = &found.scorers[0];
        assert_eq!((judge.agreement.agreement, judge.disagreements.len()), (0.5, 20));
        let tuned = judge.tuned.expect("both halves have both labels");
        assert_eq!((tuned.threshold, tuned.kappa), (0.3, 1.0));
        assert_eq!(tuned.on_other.kappa, Some(1.0));
        assert_eq!(tuned.n + tuned.on_other.n, 40);
        assert!(judge.uncalibrated.as_deref().expect("half is wrong").contains("20 of 40"));
    }

    #[test]
    fn up_to_fifteen_percent_may_disagree() {
        // The judge says yes to all but every third claim, and is wrong on the first few of them.
        let labels = |wrong: usize| -> Vec<Label> {
            let score = |at: usize| if at.is_multiple_of(3) { 0.1 } else { 0.9 };
            (0..80).map(|at| label(at, (score(at) > 0.5) != (at < wrong), score(at))).collect()
        };
        let why = |labels: &[Label], name: &str, key| {
            uncalibrated(labels, name, key).expect("numbers").unwrap_or_default()
        };
        assert_eq!(why(&labels(12), "judge m", None), "");
        assert!(why(&labels(13), "judge m", None).contains("13 of 80"));
        assert!(why(&labels(0)[..29], "judge m", None).contains("only 29"));
        assert!(why(&labels(0), "judge other", None).contains("no person"));
        // Labels of another version do not count.
        assert_eq!(why(&labels(0), "judge m", Some("key")), "");
        assert!(why(&labels(0), "judge m", Some("other")).contains("no person"));
        // Yes to everything agrees with a set of supported claims, and shows nothing.
        let yes: Vec<Label> = (0..60).map(|at| label(at, at >= 6, 0.9)).collect();
        assert!(why(&yes, "judge m", None).contains("chance"));
        assert!(calibrate("f", &[]).is_err());
    }
}
