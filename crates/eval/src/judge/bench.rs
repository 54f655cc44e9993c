use std::time::Instant;

use fiel_metrics::bootstrap_auroc;
use fiel_record::{BENCH_SCHEMA, BenchReport, BenchRow};

use super::{
    GroundedFeatures, LabelledClaim, LabelledFile, LabelledFormat, Scorer, ScorerKind, self_test,
};
use crate::Error;

/// What is measured.
pub struct BenchPlan<'a> {
    /// Name of the file, for the report.
    pub name: &'a str,
    /// The labelled claims.
    pub file: &'a LabelledFile,
    /// At most so many of them.
    pub limit: Option<usize>,
    /// Seed of the intervals.
    pub seed: u64,
}

/// Is told each claim with the features that the grounded scorer took of it.
type Told<'a> = dyn FnMut(&LabelledClaim, Option<&GroundedFeatures>) -> Result<(), Error> + 'a;

/// Measures scorers on labelled claims. Word overlap comes first in the report, and the others are
/// compared with it. `features` is given what the grounded scorer saw, claim by claim; `progress`
/// how many claims of how many were scored.
///
/// On WiCE the grounded scorer takes the coefficients that were fitted without the fold of the
/// claim, for it was fitted on this file.
///
/// # Errors
/// When a scorer fails, or the claims are all of one label.
pub fn bench(
    plan: &BenchPlan<'_>,
    scorers: &mut [Scorer],
    features: &mut Told<'_>,
    progress: &mut dyn FnMut(ScorerKind, usize, usize),
) -> Result<BenchReport, Error> {
    let LabelledFile { claims, format, .. } = plan.file;
    let claims = &claims[..plan.limit.unwrap_or(usize::MAX).min(claims.len())];
    let labels: Vec<bool> = claims.iter().map(|claim| claim.supported).collect();
    let out_of_fold = *format == LabelledFormat::Wice;
    let mut columns: Vec<(ScorerKind, Vec<f64>)> = Vec::new();
    let mut others = Vec::new();
    for scorer in std::iter::once(&mut Scorer::Overlap).chain(scorers) {
        let (started, mut tokens) = (Instant::now(), 0);
        let mut scores = Vec::with_capacity(claims.len());
        for claim in claims {
            let passages: Vec<&str> = claim.context.iter().map(String::as_str).collect();
            let score = match &mut *scorer {
                Scorer::Grounded(grounded) => {
                    let seen = grounded.features(&claim.claim, &passages, claim.lang)?;
                    features(claim, seen.as_ref())?;
                    match out_of_fold {
                        true => grounded.score_out_of_fold(&claim.claim, seen.as_ref()),
                        false => grounded.score_of(seen.as_ref()),
                    }
                }
                other => {
                    let found = other.score(&claim.claim, &passages, claim.lang)?;
                    tokens += found.tokens;
                    found.score
                }
            };
            scores.push(score);
            progress(scorer.kind(), scores.len(), claims.len());
        }
        columns.push((scorer.kind(), scores));
        let seconds = started.elapsed().as_secs_f64();
        let model = match &*scorer {
            Scorer::Judge(judge) => Some(judge.id().to_owned()),
            _ => None,
        };
        let failed = match model {
            Some(_) => self_test(scorer)?,
            None => Vec::new(),
        };
        others.push((seconds, tokens, model, failed));
    }
    let all: Vec<&[f64]> = columns.iter().map(|(_, scores)| scores.as_slice()).collect();
    let areas = bootstrap_auroc(&all, &labels, plan.seed)
        .map_err(|e| Error::Measure(e.to_string()))?
        .ok_or_else(|| {
            Error::Measure(format!(
                "{}: all {} claims have one and the same label, so no scorer can be measured on them",
                plan.name,
                claims.len()
            ))
        })?;
    let rows = columns.iter().zip(areas).zip(others);
    let rows = rows.map(|(((kind, scores), area), (seconds, tokens, model, failed_self_test))| {
        let threshold = kind.threshold();
        let (best_f1, best_threshold) = best_f1(scores, &labels);
        BenchRow {
            scorer: kind.to_string(),
            area,
            threshold,
            f1: f1_at(scores, &labels, threshold),
            best_f1,
            best_threshold,
            seconds,
            tokens,
            out_of_fold: out_of_fold && *kind == ScorerKind::Grounded,
            model,
            failed_self_test,
        }
    });
    Ok(BenchReport {
        schema: BENCH_SCHEMA.to_owned(),
        file: plan.name.to_owned(),
        sha256: plan.file.sha256.clone(),
        format: format.to_string(),
        claims: claims.len(),
        of: plan.file.claims.len(),
        supported: labels.iter().filter(|label| **label).count(),
        rows: rows.collect(),
    })
}

/// F1 of "supported" when that is what scores `threshold` or more; 0 without any such claim.
fn f1_at(scores: &[f64], labels: &[bool], threshold: f64) -> f64 {
    let count = |label: bool| {
        let pairs = scores.iter().zip(labels);
        pairs.filter(|(s, l)| **s >= threshold && **l == label).count()
    };
    let (hits, wrong) = (count(true), count(false));
    let positives = labels.iter().filter(|label| **label).count();
    2.0 * hits as f64 / (hits + wrong + positives).max(1) as f64
}

/// The best F1 of all thresholds and the threshold, of equals the highest.
fn best_f1(scores: &[f64], labels: &[bool]) -> (f64, f64) {
    let mut thresholds = scores.to_vec();
    thresholds.sort_by(|a, b| b.total_cmp(a));
    thresholds.dedup();
    let mut best = (0.0, 1.0);
    for threshold in thresholds {
        let f1 = f1_at(scores, labels, threshold);
        if f1 > best.0 {
            best = (f1, threshold);
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(claims: &[(&str, &str, bool)]) -> LabelledFile {
        let claim = |&(claim, context, supported): &(&str, &str, bool)| LabelledClaim {
            claim: claim.to_owned(),
            context: vec![context.to_owned()],
            supported,
            lang: fiel_text::Lang::En,
        };
        LabelledFile {
            sha256: String::new(),
            format: LabelledFormat::Own,
            claims: claims.iter().map(claim).collect(),
        }
    }

    fn run(file: &LabelledFile, limit: Option<usize>) -> Result<BenchReport, Error> {
        let plan = BenchPlan { name: "claims.jsonl", file, limit, seed: 1 };
        let scorers = &mut [Scorer::Lexical];
        bench(&plan, scorers, &mut |_, _| Ok(()), &mut |_, _, _| {})
    }

    #[test]
    fn lexical_against_overlap() {
        let file = file(&[
            ("The limit is 30 days.", "The limit is 90 days.", false),
            ("The limit is 30 days.", "The limit is 30 days.", true),
            ("The map is not safe.", "The map is safe.", false),
            ("Penguins swim well.", "Penguins swim very well.", true),
        ]);
        let report = run(&file, None).expect("measured");
        let [overlap, lexical] = &report.rows[..] else {
            panic!("{report:?}");
        };
        // Overlap gives 2/3, 1, 1 and 1.
        assert_eq!((overlap.area.auroc, lexical.area.auroc), (0.75, 1.0));
        assert_eq!((lexical.area.difference, lexical.f1), (0.25, 1.0));
        assert!((overlap.f1 - 0.8).abs() < 1e-12);
        assert_eq!((report.claims, report.supported), (4, 2));
        assert_eq!(run(&file, Some(2)).expect("measured").claims, 2);
        let one = run(&file, Some(1)).expect_err("one label").to_string();
        assert!(one.contains("one and the same label"), "{one}");
    }

    #[test]
    fn the_best_threshold() {
        let (f1, at) = best_f1(&[0.9, 0.8, 0.4, 0.1], &[true, false, true, false]);
        assert!((f1 - 0.8).abs() < 1e-12);
        assert_eq!(at, 0.4);
    }
}
