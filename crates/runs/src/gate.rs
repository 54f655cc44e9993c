//! The gate: a run checked against the targets of its gold set and the baseline.

use fiel_metrics::{Change, Paired, Value, holm};
use fiel_record::{
    CheckResult, Column, GATE_SCHEMA, GateCheck, GateReference, GateReport, Table, counted,
};
use fiel_text::id::QuestionId;

use crate::{
    Baseline, Error, StoredRun,
    baseline::check_complete,
    compare::{inputs, paired, unlike},
};

/// How a gate treats what it cannot check.
#[derive(Clone, Copy, Debug, Default)]
pub struct GateOptions {
    /// Whether to compare with a baseline of another gold set or knowledge base, or with questions
    /// that the run lacks.
    pub force: bool,
    /// Whether a target or a measure of the baseline that the run did not measure passes.
    pub allow_missing: bool,
    /// Number of questions of the split in the gold set, if it is known.
    pub of: Option<usize>,
    /// Seed of the tests.
    pub seed: u64,
}

/// Checks a run against its targets and a baseline. A measure regresses if it is worse beyond chance
/// ([`Paired::change`]), with Holm over all measures of the baseline.
///
/// # Errors
/// If the run is incomplete, if there is nothing to check, or, unless `force` is true, if the
/// baseline has another gold set or knowledge base or questions that the run lacks.
pub fn gate(
    run: &StoredRun,
    baseline: Option<&Baseline>,
    options: GateOptions,
) -> Result<GateReport, Error> {
    check_complete(run)?;
    let table = Table::of(&run.records);
    let mut notes = Vec::new();
    let mut checks = targets(run, &table);
    match baseline {
        None => {
            notes.push("no baseline: only targets were checked; write one with `fiel bless`".into())
        }
        Some(baseline) => {
            let unlike = baseline_mismatches(run, &table, baseline);
            if !unlike.is_empty() && !options.force {
                return Err(Error::Compare(format!(
                    "cannot compare run {} with the baseline: {}. Restore what the baseline was \
                     made from, write a new one with `fiel bless`, or compare anyway with --force",
                    run.summary.timing.run,
                    unlike.join("; ")
                )));
            }
            notes.extend(unlike);
            checks.extend(baseline_checks(&baseline.table, &table, options.seed)?);
        }
    }
    if checks.iter().all(|c| c.result == CheckResult::NotRun) {
        return Err(Error::Compare(format!(
            "nothing to check in run {}: gold set {} has no targets for its modes and no baseline. \
             Write a baseline with `fiel bless`, or targets to gold/NAME.toml",
            run.summary.timing.run, run.summary.manifest.gold
        )));
    }
    let not_run = checks.iter().filter(|c| c.result == CheckResult::NotRun);
    let not_run: Vec<String> = not_run.map(GateCheck::name).collect();
    if !not_run.is_empty() {
        let allowed = if options.allow_missing { "" } else { "; --allow-missing lets them pass" };
        notes.push(format!("not measured: {}{allowed}", not_run.join(", ")));
    }
    Ok(GateReport {
        schema: GATE_SCHEMA.to_owned(),
        run: run.summary.timing.run.clone(),
        gold: run.summary.manifest.gold.clone(),
        baseline: baseline.map(|baseline| baseline.run.clone()),
        passed: checks.iter().all(|c| match c.result {
            CheckResult::Passed => true,
            CheckResult::Failed => false,
            CheckResult::NotRun => options.allow_missing,
        }),
        questions: run.records.len(),
        of: options.of,
        selection: run.summary.manifest.questions.clone(),
        lacking: baseline.map_or(0, |baseline| lacking(&table, baseline).len()),
        checks,
        notes,
    })
}

/// Why the differences between a run and the baseline may not come from the pipeline.
fn baseline_mismatches(run: &StoredRun, table: &Table, baseline: &Baseline) -> Vec<String> {
    let unlike =
        unlike(inputs(&run.summary.manifest), (&baseline.gold_sha256, &baseline.kb_sha256));
    let mut out: Vec<String> =
        unlike.iter().map(|what| format!("the baseline is for another {what}")).collect();
    let lacking = lacking(table, baseline);
    if let Some(first) = lacking.first() {
        let count = counted(lacking.len(), "question");
        out.push(format!("the run lacks {count} of the baseline, the first is {first}"));
    }
    out
}

/// The questions of the baseline that a run lacks.
fn lacking<'a>(table: &Table, baseline: &'a Baseline) -> Vec<&'a str> {
    let places = table.places();
    let ids = baseline.table.questions.iter().map(|id| id.as_str());
    ids.filter(|id| !places.contains_key(id)).collect()
}

fn targets(run: &StoredRun, table: &Table) -> Vec<GateCheck> {
    let targets = run.summary.targets.iter().map(|target| {
        let column = Column { mode: target.mode, measure: target.measure };
        let result = target_result(target.met);
        GateCheck {
            against: GateReference::Target,
            column: Some(column),
            latency: None,
            result,
            expected: Some(target.bound),
            mean: target.mean,
            difference: None,
            p_holm: None,
            n: None,
            questions: if result == CheckResult::Failed {
                questions_below(table, column, target.bound)
            } else {
                Vec::new()
            },
        }
    });
    let latencies = run.summary.timing.targets.iter().map(|target| GateCheck {
        against: GateReference::Target,
        column: None,
        latency: Some(*target),
        result: target_result(target.met),
        expected: Some(target.below_ms),
        mean: target.ms,
        difference: None,
        p_holm: None,
        n: None,
        questions: Vec::new(),
    });
    targets.chain(latencies).collect()
}

fn target_result(is_met: Option<bool>) -> CheckResult {
    match is_met {
        None => CheckResult::NotRun,
        Some(true) => CheckResult::Passed,
        Some(false) => CheckResult::Failed,
    }
}

/// The questions on the wrong side of a target, the farthest first: `id value`.
fn questions_below(table: &Table, column: Column, target: f64) -> Vec<String> {
    let direction = column.measure.direction();
    let values = table.columns.get(&column);
    let values = values.into_iter().flatten().zip(&table.questions);
    let mut low: Vec<(f64, &QuestionId, Value)> = values
        .filter_map(|(value, id)| Some(((*value)?.score()?, id, (*value)?)))
        .filter(|(score, ..)| direction.is_better(target, *score))
        .collect();
    low.sort_by(|a, b| direction.gain(a.0).total_cmp(&direction.gain(b.0)));
    low.into_iter().map(|(_, id, value)| format!("{id} {}", show(value))).collect()
}

fn baseline_checks(before: &Table, after: &Table, seed: u64) -> Result<Vec<GateCheck>, Error> {
    // A measure that was undefined for every question of the baseline says nothing of a run.
    let has_value = |values: &[Option<Value>]| values.iter().flatten().any(|v| v.score().is_some());
    let columns = before.columns.iter().filter(|(_, values)| has_value(values));
    let compared: Vec<(Column, Option<Paired>)> = columns
        .map(|(&column, _)| Ok((column, paired(before, after, column, &|_| true, seed)?)))
        .collect::<Result<_, Error>>()?;
    let p: Vec<f64> = compared.iter().filter_map(|(_, paired)| Some(paired.as_ref()?.p)).collect();
    let mut corrected = holm(&p).into_iter();
    let check = |(column, paired): (Column, Option<Paired>)| {
        let p_holm = paired.and_then(|_| corrected.next());
        let result = match paired.zip(p_holm) {
            None => CheckResult::NotRun,
            Some((paired, p)) => match paired.change(p, column.measure.direction()) {
                Change::Worse => CheckResult::Failed,
                Change::Better | Change::None => CheckResult::Passed,
            },
        };
        GateCheck {
            against: GateReference::Baseline,
            column: Some(column),
            latency: None,
            result,
            expected: paired.map(|p| p.mean_a),
            mean: paired.map(|p| p.mean_b),
            difference: paired.and_then(|p| p.interval),
            p_holm,
            n: paired.map(|p| p.n),
            questions: if result == CheckResult::Failed {
                worse_questions(before, after, column)
            } else {
                Vec::new()
            },
        }
    };
    Ok(compared.into_iter().map(check).collect())
}

/// The questions that score worse than before, the largest loss first: `id before → now`.
fn worse_questions(before: &Table, after: &Table, column: Column) -> Vec<String> {
    let places = after.places();
    let value = |table: &Table, at: usize| table.columns.get(&column).and_then(|v| v[at]);
    let loss = |(at, id): (usize, &QuestionId)| {
        let old = value(before, at)?;
        let new = value(after, *places.get(id.as_str())?)?;
        let loss = column.measure.direction().gain(old.score()? - new.score()?);
        (loss > 0.0).then(|| (loss, format!("{id} {} → {}", show(old), show(new))))
    };
    let questions = before.questions.iter().enumerate();
    let mut losses: Vec<(f64, String)> = questions.filter_map(loss).collect();
    losses.sort_by(|a, b| b.0.total_cmp(&a.0));
    losses.into_iter().map(|(_, line)| line).collect()
}

fn show(value: Value) -> String {
    match value {
        Value::Ok(score) if score.fract() == 0.0 => format!("{:.0}", score + 0.0),
        Value::Ok(score) => format!("{score:.3}"),
        Value::Undefined => "undefined".to_owned(),
        Value::Failed => "failed".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use fiel_record::{EvalMode, LatencyTarget, Target};

    use super::*;
    use crate::{
        bless,
        compare::tests::{record, run},
    };

    fn arm(name: &str, right: impl Fn(usize) -> bool) -> StoredRun {
        run(name, (0..20).map(|i| record(i, "t", right(i))).collect())
    }

    fn baseline(of: &StoredRun) -> Baseline {
        let dir = tempfile::tempdir().expect("temporary folder");
        let path = dir.path().join("b.csv");
        bless(of, &path).expect("blessed");
        Baseline::load(&path).expect("read").expect("there")
    }

    const OPTIONS: GateOptions =
        GateOptions { force: false, allow_missing: false, of: None, seed: 1 };

    #[test]
    fn a_regression_fails_and_names_the_questions() {
        let good = baseline(&arm("good", |i| i < 18));
        let same = gate(&arm("same", |i| i < 18), Some(&good), OPTIONS).expect("checked");
        assert!(same.passed && same.checks.len() == 3);
        // One loss is within chance, ten are not. Six are not either, but for the three measures.
        let slightly = gate(&arm("one", |i| i < 17), Some(&good), OPTIONS).expect("checked");
        assert!(slightly.passed);
        let worse = gate(&arm("ten", |i| i < 8), Some(&good), OPTIONS).expect("checked");
        assert!(!worse.passed);
        let failed: Vec<&GateCheck> =
            worse.checks.iter().filter(|c| c.result == CheckResult::Failed).collect();
        assert_eq!(failed.len(), 3);
        assert_eq!(failed[0].questions.len(), 10);
        assert_eq!(failed[0].questions[0], "q08 1 → 0");
        assert_eq!(failed[0].n, Some(20));
        let six = gate(&arm("six", |i| i < 12), Some(&good), OPTIONS).expect("checked");
        assert!(six.passed);
    }

    #[test]
    fn what_was_not_measured_fails_unless_it_is_allowed() {
        let good = baseline(&arm("good", |i| i < 18));
        let mut without = arm("without", |i| i < 18);
        without.records.iter_mut().for_each(|record| record.e2e = None);
        let report = gate(&without, Some(&good), OPTIONS).expect("checked");
        assert!(!report.passed);
        assert!(report.notes[0].contains("not measured: e2e.accuracy"), "{:?}", report.notes);
        let allowed = GateOptions { allow_missing: true, ..OPTIONS };
        assert!(gate(&without, Some(&good), allowed).expect("checked").passed);
    }

    #[test]
    fn a_missed_target_names_the_questions_below_it() {
        let mut missed = arm("r", |i| i < 10);
        missed.summary.targets = vec![Target {
            mode: EvalMode::E2e,
            measure: "accuracy".parse().expect("a measure"),
            bound: 0.8,
            mean: Some(0.5),
            met: Some(false),
        }];
        let report = gate(&missed, None, OPTIONS).expect("checked");
        assert!(!report.passed && report.notes[0].contains("fiel bless"));
        assert_eq!(report.checks[0].questions.len(), 10);
        assert_eq!(report.checks[0].questions[0], "q10 0");
    }

    #[test]
    fn where_less_is_better_a_target_is_a_bound_and_a_latency_is_checked() {
        let mut missed = arm("r", |i| i < 10);
        let measure = "hallucination_rate".parse().expect("a measure");
        for (at, record) in missed.records.iter_mut().enumerate() {
            let read = record.e2e.as_mut().expect("read");
            read.measures.insert(measure, Value::from(at == 3));
        }
        missed.summary.targets = vec![Target {
            mode: EvalMode::E2e,
            measure,
            bound: 0.02,
            mean: Some(0.03),
            met: Some(false),
        }];
        let latency =
            LatencyTarget { percentile: 95, below_ms: 5000.0, ms: Some(6000.4), met: Some(false) };
        missed.summary.timing.targets = vec![latency];
        let report = gate(&missed, None, OPTIONS).expect("checked");
        let names: Vec<String> = report.checks.iter().map(GateCheck::name).collect();
        assert_eq!(
            names,
            ["e2e.hallucination_rate below 0.02", "p95 of the whole answer below 5000 ms"]
        );
        assert_eq!(report.checks[0].questions, ["q03 1"]);
        assert_eq!(report.checks[1].figures(), "6000 ms");
        assert!(!report.passed && !missed.summary.targets[0].is_met_by(0.02));
    }

    #[test]
    fn what_cannot_be_checked_is_an_error_and_no_pass() {
        let run = arm("r", |_| true);
        let message = |result: Result<GateReport, Error>| result.expect_err("refused").to_string();
        assert!(message(gate(&run, None, OPTIONS)).contains("nothing to check"));
        let mut other = baseline(&run);
        other.gold_sha256 = "other".into();
        other.table.questions[3] = "gone".into();
        let error = message(gate(&run, Some(&other), OPTIONS));
        assert!(error.contains("another gold set") && error.contains("first is gone"), "{error}");
        let forced =
            gate(&run, Some(&other), GateOptions { force: true, ..OPTIONS }).expect("forced");
        assert_eq!(forced.notes.len(), 2);
    }
}
