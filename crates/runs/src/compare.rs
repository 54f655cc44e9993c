//! Comparison of a run with another run or with the baseline, question by question.

use std::collections::{BTreeMap, BTreeSet};

use fiel_metrics::{Change, Paired, Value, holm};
use fiel_record::{
    COMPARISON_SCHEMA, Column, ComparedMeasure, ComparedRun, Comparison, EvalMode, Flip, Manifest,
    QuestionRecord, Summary, Table, WorseSlice, differences,
};
use fiel_text::id::QuestionId;

use crate::{Baseline, Error, RunFolder};

/// A run as stored in its folder.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredRun {
    /// Measures and manifest.
    pub summary: Summary,
    /// One record per question.
    pub records: Vec<QuestionRecord>,
}

impl RunFolder {
    /// Reads summary and records.
    ///
    /// # Errors
    /// If a file cannot be read, or the records do not match the checksum of the summary.
    pub fn load(&self) -> Result<StoredRun, Error> {
        Ok(StoredRun { summary: self.summary()?, records: self.records()? })
    }
}

/// Options of [`compare`].
pub struct CompareOptions<'a> {
    /// Selects the measures of the comparison: the family that Holm corrects over.
    pub shown: &'a dyn Fn(Column) -> bool,
    /// Compare runs even if their gold sets or knowledge bases differ.
    pub force: bool,
    /// Seed of the resampling.
    pub seed: u64,
}

/// Compares two runs question by question.
///
/// # Errors
/// If the gold sets or knowledge bases differ and `force` is false, or if the runs have no question
/// or no selected measure in common.
pub fn compare(
    a: &StoredRun,
    b: &StoredRun,
    options: &CompareOptions<'_>,
) -> Result<Comparison, Error> {
    let unlike = unlike(inputs(&a.summary.manifest), inputs(&b.summary.manifest));
    if !unlike.is_empty() && !options.force {
        return Err(Error::Compare(format!(
            "runs {} and {} do not have the same {}, so differences may not come from the \
             pipelines. Evaluate both on the same, or compare them anyway with --force",
            a.summary.timing.run,
            b.summary.timing.run,
            unlike.join(" and ")
        )));
    }
    let by_id: BTreeMap<&str, &QuestionRecord> =
        b.records.iter().map(|r| (r.id.as_str(), r)).collect();
    let outcome = |r: &QuestionRecord, mode| Some((is_right(r, mode)?, outcome_text(r, mode)));
    let outcome_b =
        |r: &QuestionRecord, mode| by_id.get(r.id.as_str()).and_then(|r| outcome(r, mode));
    Ok(Comparison {
        unlike,
        differences: differences(&a.summary.manifest, &b.summary.manifest),
        identical: a.records == b.records,
        flips: flips(&a.records, &outcome, &outcome_b),
        ..compare_tables(
            (compared_run(&a.summary), &Table::of(&a.records)),
            (compared_run(&b.summary), &Table::of(&b.records)),
            &a.records,
            options,
        )?
    })
}

/// Compares a run with the committed baseline, which holds only values.
///
/// # Errors
/// If they have no question or no measure in common.
pub fn compare_baseline(a: &Baseline, b: &StoredRun, seed: u64) -> Result<Comparison, Error> {
    let table = Table::of(&b.records);
    // A baseline has neither hits nor answers, so a question is right if hit@5 or accuracy is 1.
    let is_best = |table: &Table, places: &BTreeMap<&str, usize>, id: &str, mode: EvalMode| {
        let name = if mode == EvalMode::Retrieval { "hit@5" } else { "accuracy" };
        let values = table.columns.get(&Column { mode, measure: name.parse().ok()? })?;
        Some(values[*places.get(id)?]?.score() == Some(1.0))
    };
    let (places_a, places_b) = (a.table.places(), table.places());
    let outcome_a = |r: &QuestionRecord, mode| {
        Some((is_best(&a.table, &places_a, &r.id, mode)?, String::new()))
    };
    let outcome_b = |r: &QuestionRecord, mode| {
        Some((is_best(&table, &places_b, &r.id, mode)?, outcome_text(r, mode)))
    };
    let baseline = ComparedRun {
        run: a.run.clone(),
        note: Some("baseline".to_owned()),
        git: None,
        abstention: None,
    };
    Ok(Comparison {
        unlike: unlike((&a.gold_sha256, &a.kb_sha256), inputs(&b.summary.manifest)),
        flips: flips(&b.records, &outcome_a, &outcome_b),
        ..compare_tables(
            (baseline, &a.table),
            (compared_run(&b.summary), &table),
            &b.records,
            &CompareOptions { shown: &|_| true, force: true, seed },
        )?
    })
}

/// The part of a comparison that needs only values, and tags from `records`.
fn compare_tables(
    (run_a, a): (ComparedRun, &Table),
    (run_b, b): (ComparedRun, &Table),
    records: &[QuestionRecord],
    options: &CompareOptions<'_>,
) -> Result<Comparison, Error> {
    let (places_a, places_b) = (a.places(), b.places());
    let questions = places_a.keys().filter(|id| places_b.contains_key(*id)).count();
    if questions == 0 {
        let (a, b) = (&run_a.run, &run_b.run);
        return Err(Error::Compare(format!(
            "runs {a} and {b} have no question in common; compare runs of the same split"
        )));
    }
    let rows = compared_measures(a, b, options)?;
    let only = |table: &Table, other: &BTreeMap<&str, usize>| {
        let ids = table.questions.iter();
        ids.filter(|id| !other.contains_key(id.as_str())).cloned().collect()
    };
    let tags = questions_by_tag(records);
    let is_better =
        |row: &&ComparedMeasure| row.column.measure.direction().gain(row.paired.difference) > 0.0;
    let better: Vec<(Column, f64)> =
        rows.iter().filter(is_better).map(|row| (row.column, row.paired.difference)).collect();
    let worse_slices = slices_that_are_worse(a, b, &better, &tags, options.seed)?;
    Ok(Comparison {
        schema: COMPARISON_SCHEMA.to_owned(),
        a: run_a,
        b: run_b,
        unlike: Vec::new(),
        differences: Vec::new(),
        questions,
        only_a: only(a, &places_b),
        only_b: only(b, &places_a),
        identical: false,
        rows,
        worse_slices,
        flips: Vec::new(),
    })
}

/// Digests of the gold set and the knowledge base.
pub(crate) fn inputs(manifest: &Manifest) -> (&str, &str) {
    (&manifest.gold_sha256, &manifest.kb_sha256)
}

/// Which of gold set and knowledge base differ, by their digests.
pub(crate) fn unlike(a: (&str, &str), b: (&str, &str)) -> Vec<String> {
    let checks = [("gold set", a.0 != b.0), ("knowledge base", a.1 != b.1)];
    checks.into_iter().filter(|(_, differs)| *differs).map(|(what, _)| what.to_owned()).collect()
}

fn compared_run(summary: &Summary) -> ComparedRun {
    ComparedRun {
        run: summary.timing.run.clone(),
        note: summary.timing.note.clone(),
        git: summary.timing.git.clone(),
        abstention: summary.abstention,
    }
}

fn compared_measures(
    a: &Table,
    b: &Table,
    options: &CompareOptions<'_>,
) -> Result<Vec<ComparedMeasure>, Error> {
    let mut rows = Vec::new();
    for &column in a.columns.keys().filter(|&&column| (options.shown)(column)) {
        if let Some(paired) = paired(a, b, column, &|_| true, options.seed)? {
            rows.push(ComparedMeasure { column, paired, p_holm: paired.p });
        }
    }
    if rows.is_empty() {
        return Err(Error::Compare(
            "the runs have none of the selected measures in common; `fiel show RUN` lists the \
             measures of a run"
                .to_owned(),
        ));
    }
    let p: Vec<f64> = rows.iter().map(|row| row.paired.p).collect();
    for (row, adjusted) in rows.iter_mut().zip(holm(&p)) {
        row.p_holm = adjusted;
    }
    Ok(rows)
}

/// Compares a measure over the questions that pass `filter` and have a value in both tables.
pub(crate) fn paired(
    a: &Table,
    b: &Table,
    column: Column,
    filter: &dyn Fn(&str) -> bool,
    seed: u64,
) -> Result<Option<Paired>, Error> {
    let (Some(values_a), Some(values_b)) = (a.columns.get(&column), b.columns.get(&column)) else {
        return Ok(None);
    };
    let places = b.places();
    let pair = |(id, value): (&QuestionId, &Option<Value>)| {
        Some(((*value)?, values_b[*places.get(id.as_str())?]?)).filter(|_| filter(id))
    };
    let (before, after): (Vec<Value>, Vec<Value>) =
        a.questions.iter().zip(values_a).filter_map(pair).unzip();
    Paired::compare(&before, &after, column.measure.is_proportion(), seed)
        .map_err(|e| Error::Measure(format!("{column}: {e}")))
}

pub(crate) fn questions_by_tag(records: &[QuestionRecord]) -> BTreeMap<&str, BTreeSet<&str>> {
    let mut tags: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for record in records {
        for tag in &record.tags {
            tags.entry(tag).or_default().insert(&record.id);
        }
    }
    tags
}

/// Tags whose questions are worse in B than in A beyond chance, with Holm over all tags with enough
/// questions and all `columns`, each with its difference over all questions.
pub(crate) fn slices_that_are_worse(
    a: &Table,
    b: &Table,
    columns: &[(Column, f64)],
    tags: &BTreeMap<&str, BTreeSet<&str>>,
    seed: u64,
) -> Result<Vec<WorseSlice>, Error> {
    let mut slices = Vec::new();
    for &(column, overall) in columns {
        for (tag, ids) in tags {
            let slice = paired(a, b, column, &|id| ids.contains(id), seed)?;
            slices
                .extend(slice.filter(Paired::is_slice).map(|slice| (column, overall, *tag, slice)));
        }
    }
    let p: Vec<f64> = slices.iter().map(|(.., slice)| slice.p).collect();
    let tested = slices.into_iter().zip(holm(&p));
    let worse = tested.filter(|((column, .., slice), p)| {
        slice.change(*p, column.measure.direction()) == Change::Worse
    });
    let worse = worse.map(|((column, overall, tag, slice), _)| WorseSlice {
        tag: tag.to_owned(),
        column,
        n: slice.n,
        difference: slice.difference,
        overall,
    });
    Ok(worse.collect())
}

/// Whether a question is right in a mode, and what the run found or answered; absent if the mode
/// did not cover the question.
type Outcome<'a> = &'a dyn Fn(&QuestionRecord, EvalMode) -> Option<(bool, String)>;

/// Questions that are right in only one of two runs.
fn flips(records: &[QuestionRecord], outcome_a: Outcome<'_>, outcome_b: Outcome<'_>) -> Vec<Flip> {
    let mut out = Vec::new();
    for mode in EvalMode::ALL {
        for record in records {
            if let (Some((right_a, a)), Some((right_b, b))) =
                (outcome_a(record, mode), outcome_b(record, mode))
                && right_a != right_b
            {
                let (id, question) = (record.id.clone(), record.question.clone());
                out.push(Flip { id, question, mode, better: right_b, a, b });
            }
        }
    }
    out
}

/// Number of passages in which evidence must occur for retrieval to be right.
const TOP: usize = 5;

/// Retrieval: evidence in the first [`TOP`] passages. Reading: a right answer, or an abstention if
/// the question is unanswerable.
fn is_right(record: &QuestionRecord, mode: EvalMode) -> Option<bool> {
    if mode == EvalMode::Retrieval {
        let mut top = record.retrieval.hits.iter().take(TOP);
        return (record.retrieval.groups > 0).then(|| top.any(|hit| !hit.finds.is_empty()));
    }
    let read = record.read(mode)?;
    Some(if record.unanswerable { read.error.is_none() && read.abstained } else { read.right })
}

/// The answer, the rank of the evidence, or the error.
fn outcome_text(record: &QuestionRecord, mode: EvalMode) -> String {
    let (read, retrieval) = (record.read(mode), &record.retrieval);
    let error = read.map_or(&retrieval.error, |read| &read.error);
    if let Some(error) = error {
        return format!("failed: {error}");
    }
    match (read, retrieval.hits.iter().find(|hit| !hit.finds.is_empty())) {
        (Some(read), _) => read.answer.clone(),
        (None, Some(hit)) => format!("evidence at rank {}", hit.rank),
        (None, None) => format!("no evidence in {} passages", retrieval.hits.len()),
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use fiel_record::{HitRecord, ReadRecord, RetrievalRecord};

    use super::*;
    use crate::{PriceSettings, SummaryInput, summarize};

    /// A question with retrieval and end-to-end values, right or wrong.
    pub(crate) fn record(id: usize, tag: &str, right: bool) -> QuestionRecord {
        let value = Value::from(right);
        let measure = |name: &str| name.parse().expect("a measure");
        QuestionRecord {
            schema: fiel_record::RECORD_SCHEMA.into(),
            id: format!("q{id:02}").into(),
            question: "Q?".into(),
            lang: fiel_text::Lang::En,
            split: fiel_record::Split::Test,
            tags: vec![tag.into()],
            unanswerable: false,
            references: vec!["x".into()],
            retrieval: RetrievalRecord {
                hits: vec![HitRecord {
                    rank: 1,
                    chunk: "d#1".into(),
                    score: 1.0,
                    bm25: None,
                    dense: None,
                    rewrite: None,
                    rerank: None,
                    finds: if right { vec![0] } else { vec![] },
                }],
                groups: 1,
                measures: BTreeMap::from([(measure("hit@5"), value), (measure("RR@10"), value)]),
                ..RetrievalRecord::default()
            },
            oracle: None,
            e2e: Some(ReadRecord {
                right,
                answer: if right { "x" } else { "y" }.into(),
                measures: BTreeMap::from([(measure("accuracy"), value)]),
                ..ReadRecord::default()
            }),
            class: None,
            marks: vec![],
        }
    }

    pub(crate) fn run(name: &str, records: Vec<QuestionRecord>) -> StoredRun {
        let manifest = Manifest {
            gold: "set".to_owned(),
            gold_sha256: "g".to_owned(),
            kb: "base".to_owned(),
            kb_sha256: "k".to_owned(),
            questions: "all".to_owned(),
            modes: vec![EvalMode::Retrieval, EvalMode::E2e],
            ..Manifest::default()
        };
        let input = SummaryInput {
            manifest: &manifest,
            records: &records,
            planned: records.len(),
            targets: &[],
            prices: &PriceSettings::default(),
            context_k: 5,
            judge: None,
            splitter: None,
            seed: 1,
        };
        let mut summary = summarize(&input).expect("a summary");
        summary.timing.run = name.to_owned();
        StoredRun { summary, records }
    }

    fn all(force: bool) -> CompareOptions<'static> {
        CompareOptions { shown: &|_| true, force, seed: 1 }
    }

    /// 30 questions: of tag `up` 20, of tag `down` 10.
    fn arm_of(right: impl Fn(usize) -> bool) -> Vec<QuestionRecord> {
        let tag = |id| if id < 20 { "up" } else { "down" };
        (0..30).map(|id| record(id, tag(id), right(id))).collect()
    }

    #[test]
    fn identical_runs_are_identical() {
        let a = run("a", arm_of(|id| id % 2 == 0));
        let b = run("b", arm_of(|id| id % 2 == 0));
        let c = compare(&a, &b, &all(false)).expect("compared");
        assert!(c.identical && c.flips.is_empty() && c.differences.is_empty());
        assert!(c.rows.iter().all(|r| r.paired.p == 1.0 && r.p_holm == 1.0));
    }

    #[test]
    fn a_worse_slice_is_found_although_the_mean_is_better() {
        // `up` goes from 0 to 20 of 20, `down` from 10 to 0 of 10.
        let a = run("a", arm_of(|id| id >= 20));
        let b = run("b", arm_of(|id| id < 20));
        let c = compare(&a, &b, &all(false)).expect("compared");
        assert_eq!(c.worse_slices.len(), 3);
        assert_eq!((c.worse_slices[0].tag.as_str(), c.worse_slices[0].n), ("down", 10));

        // `up` goes from 5 to 15 of 20, `down` from 9 to 7 of 10: no more than chance.
        let a = run("a", arm_of(|id| id < 5 || (20..29).contains(&id)));
        let b = run("b", arm_of(|id| id < 15 || (20..27).contains(&id)));
        let c = compare(&a, &b, &all(false)).expect("compared");
        assert!(c.worse_slices.is_empty());
        let accuracy =
            c.rows.iter().find(|r| r.column.to_string() == "e2e.accuracy").expect("there");
        assert_eq!((accuracy.paired.wins, accuracy.paired.losses, accuracy.paired.n), (10, 2, 30));
        assert!((accuracy.paired.p - 0.03857421875).abs() < 1e-9, "McNemar 10-2");
        let (p, holm) = (accuracy.paired.p, accuracy.p_holm);
        assert!(p < holm && holm <= 3.0 * p + 1e-9, "three rows: {p} {holm}");
        let e2e: Vec<(&str, bool)> = c
            .flips
            .iter()
            .filter(|f| f.mode == EvalMode::E2e)
            .map(|f| (f.id.as_str(), f.better))
            .collect();
        assert_eq!(e2e.len(), 12);
        assert!(e2e.contains(&("q05", true)) && e2e.contains(&("q28", false)));
    }

    #[test]
    fn unlike_runs_are_refused_and_labelled_when_forced() {
        let a = run("a", arm_of(|_| true));
        let mut b = run("b", arm_of(|_| false));
        b.summary.manifest.gold_sha256 = "other".into();
        let error = compare(&a, &b, &all(false)).expect_err("unlike").to_string();
        assert!(error.contains("same gold set") && error.contains("--force"), "{error}");
        let c = compare(&a, &b, &all(true)).expect("forced");
        assert_eq!(c.unlike, ["gold set"]);
        b.records.retain(|r| r.id == "none");
        let error = compare(&a, &b, &all(true)).expect_err("nothing").to_string();
        assert!(error.contains("no question in common"), "{error}");
        let none = CompareOptions { shown: &|_| false, ..all(false) };
        assert!(compare(&a, &a, &none).is_err());
    }
}
