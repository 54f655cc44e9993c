use std::collections::{BTreeMap, BTreeSet};

use fiel_metrics::{Paired, StatsError, Value, holm};
use fiel_record::{
    COMPARISON_SCHEMA, Column, ComparedMeasure, ComparedRun, Comparison, EvalMode, Flip,
    QuestionRecord, Summary, Table, WorseSlice, differences,
};
use fiel_text::id::QuestionId;

use crate::{Baseline, Error, RunFolder};

/// A run as it was read from its folder.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredRun {
    /// Its figures.
    pub summary: Summary,
    /// A record a question.
    pub records: Vec<QuestionRecord>,
}

impl RunFolder {
    /// Summary and records together.
    ///
    /// # Errors
    /// When the run cannot be read.
    pub fn load(&self) -> Result<StoredRun, Error> {
        Ok(StoredRun { summary: self.summary()?, records: self.records()? })
    }
}

/// How two runs are compared.
pub struct CompareOptions<'a> {
    /// Which measures are shown: the family that Holm corrects over.
    pub shown: &'a dyn Fn(Column) -> bool,
    /// Compare runs of unlike gold sets or knowledge bases all the same.
    pub force: bool,
    /// Seed of the resampling.
    pub seed: u64,
}

/// Compares two runs question by question.
///
/// # Errors
/// When gold set or knowledge base differ and `force` is not given, or no question or measure is
/// common to both.
pub fn compare(
    a: &StoredRun,
    b: &StoredRun,
    options: &CompareOptions<'_>,
) -> Result<Comparison, Error> {
    let unlike = unlike(&a.summary, &b.summary);
    if !unlike.is_empty() && !options.force {
        return Err(Error::Compare(format!(
            "{} and {} are not of the same {}: a difference between them would not be one between \
             the pipelines. Evaluate both on the same, or compare them all the same with --force",
            a.summary.timing.run,
            b.summary.timing.run,
            unlike.join(" and ")
        )));
    }
    let (table_a, table_b) = (Table::of(&a.records), Table::of(&b.records));
    let (in_a, in_b) = (table_a.places(), table_b.places());
    let both: BTreeSet<&str> = in_a.keys().copied().filter(|id| in_b.contains_key(id)).collect();
    if both.is_empty() {
        return Err(Error::Compare(format!(
            "the runs have no question in common: {} is of {}, {} of {}",
            a.summary.timing.run,
            a.summary.manifest.questions,
            b.summary.timing.run,
            b.summary.manifest.questions
        )));
    }
    let rows = rows(&table_a, &table_b, options)?;
    let only = |table: &Table| {
        let ids = table.questions.iter();
        ids.filter(|id| !both.contains(id.as_str())).cloned().collect()
    };
    Ok(Comparison {
        schema: COMPARISON_SCHEMA.to_owned(),
        a: arm(&a.summary),
        b: arm(&b.summary),
        unlike,
        differences: differences(&a.summary.manifest, &b.summary.manifest),
        questions: both.len(),
        only_a: only(&table_a),
        only_b: only(&table_b),
        identical: a.records == b.records,
        worse_slices: worse_slices(&rows, &table_a, &table_b, &a.records, options.seed)?,
        rows,
        flips: flips(&a.records, &b.records),
    })
}

/// Compares a run with the committed baseline, of which only the values are known.
///
/// # Errors
/// When they have no question and measure in common.
pub fn compare_baseline(a: &Baseline, b: &StoredRun, seed: u64) -> Result<Comparison, Error> {
    let manifest = &b.summary.manifest;
    let checks = [
        ("gold set", a.gold_sha256 != manifest.gold_sha256),
        ("knowledge base", a.kb_sha256 != manifest.kb_sha256),
    ];
    let unlike = checks.into_iter().filter(|(_, differs)| *differs);
    let table = Table::of(&b.records);
    let (in_a, in_b) = (a.table.places(), table.places());
    let options = CompareOptions { shown: &|_| true, force: true, seed };
    let rows = rows(&a.table, &table, &options)?;
    let only = |of: &Table, other: &BTreeMap<&str, usize>| {
        let ids = of.questions.iter();
        ids.filter(|id| !other.contains_key(id.as_str())).cloned().collect()
    };
    Ok(Comparison {
        schema: COMPARISON_SCHEMA.to_owned(),
        a: ComparedRun {
            run: a.run.clone(),
            note: Some("baseline".to_owned()),
            git: None,
            abstention: None,
        },
        b: arm(&b.summary),
        unlike: unlike.map(|(what, _)| what.to_owned()).collect(),
        differences: Vec::new(),
        questions: in_a.keys().filter(|id| in_b.contains_key(*id)).count(),
        only_a: only(&a.table, &in_b),
        only_b: only(&table, &in_a),
        identical: false,
        worse_slices: worse_slices(&rows, &a.table, &table, &b.records, seed)?,
        rows,
        flips: flips_of_values(&a.table, &table, &b.records),
    })
}

/// Questions whose hit@5 or accuracy went from 0 to 1 or back.
fn flips_of_values(a: &Table, b: &Table, records: &[QuestionRecord]) -> Vec<Flip> {
    let places = a.places();
    let mut out = Vec::new();
    for (mode, name) in EvalMode::ALL.into_iter().zip(["hit@5", "accuracy", "accuracy"]) {
        let Ok(measure) = name.parse() else { continue };
        let column = Column { mode, measure };
        let (Some(of_a), Some(of_b)) = (a.columns.get(&column), b.columns.get(&column)) else {
            continue;
        };
        for (record, after) in records.iter().zip(of_b) {
            let before = places.get(record.id.as_str()).and_then(|&at| of_a[at]);
            let right = |value: Value| value.score() == Some(1.0);
            let (Some(was), Some(is)) = (before.map(right), after.map(right)) else {
                continue;
            };
            if was != is {
                out.push(Flip {
                    id: record.id.clone(),
                    question: record.question.clone(),
                    mode,
                    better: is,
                    a: String::new(),
                    b: came(record, mode),
                });
            }
        }
    }
    out
}

fn unlike(a: &Summary, b: &Summary) -> Vec<String> {
    let (a, b) = (&a.manifest, &b.manifest);
    let checks = [
        ("gold set", a.gold_sha256 != b.gold_sha256),
        ("knowledge base", a.kb_sha256 != b.kb_sha256),
    ];
    let unlike = checks.into_iter().filter(|(_, differs)| *differs);
    unlike.map(|(what, _)| what.to_owned()).collect()
}

fn arm(summary: &Summary) -> ComparedRun {
    ComparedRun {
        run: summary.timing.run.clone(),
        note: summary.timing.note.clone(),
        git: summary.timing.git.clone(),
        abstention: summary.abstention,
    }
}

fn rows(a: &Table, b: &Table, options: &CompareOptions<'_>) -> Result<Vec<ComparedMeasure>, Error> {
    let mut rows = Vec::new();
    for &column in a.columns.keys().filter(|&&column| (options.shown)(column)) {
        if let Some(paired) = paired(a, b, column, &|_| true, options.seed)? {
            rows.push(ComparedMeasure { column, paired, p_holm: paired.p });
        }
    }
    if rows.is_empty() {
        return Err(Error::Compare(
            "the runs have no measure in common that was asked for; `fiel show RUN` lists the \
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

/// One measure over the questions that it covers in both tables and that `keep` takes.
pub(crate) fn paired(
    a: &Table,
    b: &Table,
    column: Column,
    keep: &dyn Fn(&str) -> bool,
    seed: u64,
) -> Result<Option<Paired>, Error> {
    let (before, after) = values(a, b, column, keep);
    let failed = |e: StatsError| Error::Measure(format!("{column}: {e}"));
    Paired::compare(&before, &after, column.measure.is_proportion(), seed).map_err(failed)
}

fn values(
    a: &Table,
    b: &Table,
    column: Column,
    keep: &dyn Fn(&str) -> bool,
) -> (Vec<Value>, Vec<Value>) {
    let (Some(of_a), Some(of_b)) = (a.columns.get(&column), b.columns.get(&column)) else {
        return (Vec::new(), Vec::new());
    };
    let places = b.places();
    let pair = |(at, id): (usize, &QuestionId)| {
        let other = *places.get(id.as_str())?;
        Some((of_a[at]?, of_b[other]?)).filter(|_| keep(id))
    };
    let questions = a.questions.iter().enumerate();
    questions.filter_map(pair).unzip()
}

fn worse_slices(
    rows: &[ComparedMeasure],
    a: &Table,
    b: &Table,
    records: &[QuestionRecord],
    seed: u64,
) -> Result<Vec<WorseSlice>, Error> {
    let mut tags: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for record in records {
        for tag in &record.tags {
            tags.entry(tag).or_default().insert(&record.id);
        }
    }
    let mut out = Vec::new();
    for row in rows {
        let direction = row.column.measure.direction();
        if direction.gain(row.paired.difference) <= 0.0 {
            continue;
        }
        for (tag, ids) in &tags {
            let slice = paired(a, b, row.column, &|id| ids.contains(id), seed)?;
            if let Some(slice) = slice.filter(|slice| slice.slice_is_worse(direction)) {
                out.push(WorseSlice {
                    tag: (*tag).to_owned(),
                    column: row.column,
                    n: slice.n,
                    difference: slice.difference,
                    overall: row.paired.difference,
                });
            }
        }
    }
    Ok(out)
}

fn flips(a: &[QuestionRecord], b: &[QuestionRecord]) -> Vec<Flip> {
    let others: BTreeMap<&str, &QuestionRecord> = b.iter().map(|r| (r.id.as_str(), r)).collect();
    let mut out = Vec::new();
    for mode in EvalMode::ALL {
        for before in a {
            let Some(&after) = others.get(before.id.as_str()) else {
                continue;
            };
            let (Some(was), Some(is)) = (is_right(before, mode), is_right(after, mode)) else {
                continue;
            };
            if was != is {
                out.push(Flip {
                    id: before.id.clone(),
                    question: before.question.clone(),
                    mode,
                    better: is,
                    a: came(before, mode),
                    b: came(after, mode),
                });
            }
        }
    }
    out
}

/// Passages that count for a retrieval to be right in the list of flips.
const FOUND: usize = 5;

/// Retrieval: evidence in the first five. Reading: right, or a refusal where that is right.
fn is_right(record: &QuestionRecord, mode: EvalMode) -> Option<bool> {
    if mode == EvalMode::Retrieval {
        let mut top = record.retrieval.hits.iter().take(FOUND);
        return (record.retrieval.groups > 0).then(|| top.any(|hit| !hit.finds.is_empty()));
    }
    let read = record.read(mode)?;
    Some(match record.unanswerable {
        true => read.error.is_none() && read.abstained,
        false => read.right,
    })
}

fn came(record: &QuestionRecord, mode: EvalMode) -> String {
    let retrieval = &record.retrieval;
    match (record.read(mode), &retrieval.error) {
        (Some(read), _) => match &read.error {
            Some(error) => format!("failed: {error}"),
            None => read.answer.clone(),
        },
        (None, Some(error)) => format!("failed: {error}"),
        (None, None) => match retrieval.hits.iter().find(|hit| !hit.finds.is_empty()) {
            Some(hit) => format!("evidence at rank {}", hit.rank),
            None => format!("no evidence in {} passages", retrieval.hits.len()),
        },
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use fiel_record::{HitRecord, ReadRecord, RetrievalRecord};

    use fiel_record::Manifest;

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
    fn identical_arms_are_said_to_be() {
        let a = run("a", arm_of(|id| id % 2 == 0));
        let b = run("b", arm_of(|id| id % 2 == 0));
        let c = compare(&a, &b, &all(false)).expect("compared");
        assert!(c.identical && c.flips.is_empty() && c.differences.is_empty());
        assert!(c.rows.iter().all(|r| r.paired.p == 1.0 && r.p_holm == 1.0));
    }

    #[test]
    fn a_slice_that_got_worse_while_the_mean_got_better_is_in_the_first_lines() {
        // `up` goes from 5 to 15 of 20, `down` from 9 to 7 of 10.
        let a = run("a", arm_of(|id| id < 5 || (20..29).contains(&id)));
        let b = run("b", arm_of(|id| id < 15 || (20..27).contains(&id)));
        let c = compare(&a, &b, &all(false)).expect("compared");
        let accuracy =
            c.rows.iter().find(|r| r.column.to_string() == "e2e.accuracy").expect("there");
        assert_eq!((accuracy.paired.wins, accuracy.paired.losses, accuracy.paired.n), (10, 2, 30));
        assert!((accuracy.paired.p - 0.03857421875).abs() < 1e-9, "McNemar 10-2");
        let (p, holm) = (accuracy.paired.p, accuracy.p_holm);
        assert!(p < holm && holm <= 3.0 * p + 1e-9, "three rows: {p} {holm}");
        assert_eq!(c.worse_slices.len(), 3);
        assert_eq!((c.worse_slices[0].tag.as_str(), c.worse_slices[0].n), ("down", 10));
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
