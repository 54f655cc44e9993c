use std::collections::{BTreeMap, BTreeSet};

use fiel_metrics::holm;
use fiel_record::{
    ABLATION_SCHEMA, Ablation, AblationArm, AgainstFirst, Column, EvalMode, Table, WorseSlice,
};

use crate::{Error, StoredRun, compare::paired};

/// Compares arms, each a run of the same questions, with the first of them. `columns`: the measures
/// shown; every arm and measure shown is of the family that Holm corrects over. `seed`: of the
/// resampling.
///
/// # Errors
/// When a value is not a number.
pub fn ablation(
    arms: &[(String, StoredRun)],
    columns: &[Column],
    seed: u64,
) -> Result<Ablation, Error> {
    let tables: Vec<Table> = arms.iter().map(|(_, run)| Table::of(&run.records)).collect();
    let mut rows: Vec<AblationArm> = Vec::new();
    for (at, (name, run)) in arms.iter().enumerate() {
        let (summary, table) = (&run.summary, &tables[at]);
        let latency = |stage: &str| summary.timing.latency.get(stage).copied();
        let same = (0..at).find(|&before| tables[before].columns == table.columns);
        rows.push(AblationArm {
            name: name.clone(),
            run: summary.timing.run.clone(),
            chunks: summary.manifest.chunks,
            means: columns.iter().map(|c| summary.estimate(*c).copied()).collect(),
            against_first: match at {
                0 => Vec::new(),
                _ => differences(&tables[0], table, columns, seed)?,
            },
            same_as: same.map(|before| arms[before].0.clone()),
            worse_slices: match (at, columns.first()) {
                (1.., Some(&column)) => slices(&tables[0], table, column, &run.records, seed)?,
                _ => Vec::new(),
            },
            retrieval: latency(&EvalMode::Retrieval.to_string()),
            whole: latency("e2e: whole"),
        });
    }
    let of_arms = rows.iter_mut().flat_map(|row| &mut row.against_first);
    let mut family: Vec<&mut AgainstFirst> = of_arms.flatten().collect();
    let p: Vec<f64> = family.iter().map(|d| d.paired.p).collect();
    for (difference, adjusted) in family.iter_mut().zip(holm(&p)) {
        difference.p_holm = adjusted;
    }
    let first = arms.first().map(|(_, run)| run);
    let manifest = first.map(|run| &run.summary.manifest);
    Ok(Ablation {
        schema: ABLATION_SCHEMA.to_owned(),
        kb: manifest.map_or(String::new(), |m| m.kb.clone()),
        gold: manifest.map_or(String::new(), |m| m.gold.clone()),
        questions: first.map_or(0, |run| run.records.len()),
        columns: columns.to_vec(),
        arms: rows,
    })
}

/// What an ablation shows when nothing else is asked for: of judged documents nDCG and recall, of
/// quoted evidence hit rate and reciprocal rank; the answers too where they were made.
pub fn ablation_columns(run: &StoredRun) -> Vec<Column> {
    let judged = run.records.iter().any(|r| !r.retrieval.judgements.is_empty());
    let names: &[&str] = match judged {
        true => &["retrieval.nDCG@10", "retrieval.R@100", "retrieval.RR@10"],
        false => &[
            "retrieval.hit@5",
            "retrieval.RR@10",
            "oracle.F1",
            "e2e.F1",
            "e2e.accuracy",
            "e2e.faithfulness_strict",
        ],
    };
    let columns = names.iter().filter_map(|name| name.parse().ok());
    columns.filter(|c| run.summary.estimate(*c).is_some()).collect()
}

fn differences(
    first: &Table,
    arm: &Table,
    columns: &[Column],
    seed: u64,
) -> Result<Vec<Option<AgainstFirst>>, Error> {
    let one = |&column: &Column| {
        let paired = paired(first, arm, column, &|_| true, seed)?;
        Ok(paired.map(|paired| AgainstFirst { paired, p_holm: paired.p }))
    };
    columns.iter().map(one).collect()
}

/// Tags whose questions are worse by 0.05 or more, of ten questions or more.
fn slices(
    first: &Table,
    arm: &Table,
    column: Column,
    records: &[fiel_record::QuestionRecord],
    seed: u64,
) -> Result<Vec<WorseSlice>, Error> {
    let Some(overall) = paired(first, arm, column, &|_| true, seed)? else {
        return Ok(Vec::new());
    };
    let mut tags: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for record in records {
        for tag in &record.tags {
            tags.entry(tag).or_default().insert(&record.id);
        }
    }
    let mut out = Vec::new();
    for (tag, ids) in tags {
        let slice = paired(first, arm, column, &|id| ids.contains(id), seed)?;
        if let Some(slice) = slice.filter(|slice| slice.slice_is_worse(column.measure.direction()))
        {
            out.push(WorseSlice {
                tag: tag.to_owned(),
                column,
                n: slice.n,
                difference: slice.difference,
                overall: overall.difference,
            });
        }
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::tests::{record, run};

    fn arm(name: &str, right: impl Fn(usize) -> bool) -> (String, StoredRun) {
        let tag = |id| if id < 20 { "up" } else { "down" };
        let records = (0..30).map(|id| record(id, tag(id), right(id))).collect();
        (name.to_owned(), run(name, records))
    }

    #[test]
    fn arms_are_compared_with_the_first_and_those_without_effect_are_named() {
        let arms = [
            arm("first", |id| id % 3 == 0),
            arm("better", |id| id < 20),
            arm("no effect", |id| id % 3 == 0),
        ];
        let columns: Vec<Column> = ["retrieval.hit@5", "e2e.accuracy"]
            .iter()
            .map(|c| c.parse().expect("a column"))
            .collect();
        let ablation = ablation(&arms, &columns, 1).expect("compared");
        let [first, better, same] = &ablation.arms[..] else { panic!("three arms") };
        assert!(first.against_first.is_empty() && first.same_as.is_none());
        let hit = better.against_first[0].expect("compared");
        assert!((hit.paired.difference - 10.0 / 30.0).abs() < 1e-9);
        // The family is two arms by two measures.
        assert!(hit.p_holm > hit.paired.p && hit.p_holm <= 4.0 * hit.paired.p + 1e-12);
        assert_eq!(better.worse_slices[0].tag, "down");
        assert_eq!(same.same_as.as_deref(), Some("first"));
        assert!(same.against_first[0].expect("compared").paired.identical);
    }
}
