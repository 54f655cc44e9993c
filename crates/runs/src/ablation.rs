//! Comparison of the variants of an ablation with the first of them.

use fiel_metrics::holm;
use fiel_record::{
    ABLATION_SCHEMA, Ablation, AblationArm, AgainstFirst, Column, EvalMode, Table, headline,
};

use crate::{
    Error, StoredRun,
    compare::{paired, questions_by_tag, slices_that_are_worse},
};

/// Compares variants, each a run of the same questions, with the first of them. Holm corrects over
/// all variants and `columns`.
///
/// # Errors
/// If a value is not a number.
pub fn ablation(
    variants: &[(String, StoredRun)],
    columns: &[Column],
    seed: u64,
) -> Result<Ablation, Error> {
    let tables: Vec<Table> = variants.iter().map(|(_, run)| Table::of(&run.records)).collect();
    let mut arms: Vec<AblationArm> = Vec::new();
    for (at, (name, run)) in variants.iter().enumerate() {
        let (summary, table) = (&run.summary, &tables[at]);
        let latency = |stage: &str| summary.timing.latency.get(stage).copied();
        let same = (0..at).find(|&earlier| tables[earlier].columns == table.columns);
        let (mut against_first, mut worse_slices) = (Vec::new(), Vec::new());
        if at > 0 {
            for &column in columns {
                let paired = paired(&tables[0], table, column, &|_| true, seed)?;
                against_first.push(paired.map(|paired| AgainstFirst { paired, p_holm: paired.p }));
            }
            if let (Some(&column), Some(Some(first))) = (columns.first(), against_first.first()) {
                let (column, tags) =
                    ((column, first.paired.difference), questions_by_tag(&run.records));
                worse_slices = slices_that_are_worse(&tables[0], table, &[column], &tags, seed)?;
            }
        }
        arms.push(AblationArm {
            name: name.clone(),
            run: summary.timing.run.clone(),
            chunks: summary.manifest.chunks,
            means: columns.iter().map(|c| summary.estimate(*c).copied()).collect(),
            against_first,
            same_as: same.map(|earlier| variants[earlier].0.clone()),
            worse_slices,
            retrieval: latency(&EvalMode::Retrieval.to_string()),
            whole: latency("e2e: whole"),
        });
    }
    let differences = arms.iter_mut().flat_map(|arm| &mut arm.against_first);
    let family: Vec<&mut AgainstFirst> = differences.flatten().collect();
    let p: Vec<f64> = family.iter().map(|d| d.paired.p).collect();
    for (difference, adjusted) in family.into_iter().zip(holm(&p)) {
        difference.p_holm = adjusted;
    }
    let first = variants.first().map(|(_, run)| run);
    let manifest = first.map(|run| &run.summary.manifest);
    Ok(Ablation {
        schema: ABLATION_SCHEMA.to_owned(),
        kb: manifest.map_or(String::new(), |m| m.kb.clone()),
        gold: manifest.map_or(String::new(), |m| m.gold.clone()),
        questions: first.map_or(0, |run| run.records.len()),
        columns: columns.to_vec(),
        arms,
    })
}

/// The default measures of an ablation: nDCG, recall and reciprocal rank for judged documents, else
/// the [`headline`] measures that the run has.
pub fn ablation_columns(run: &StoredRun) -> Vec<Column> {
    let is_judged = run.records.iter().any(|r| !r.retrieval.judgements.is_empty());
    let mut columns = if is_judged {
        let names = ["retrieval.nDCG@10", "retrieval.R@100", "retrieval.RR@10"];
        names.iter().filter_map(|name| name.parse().ok()).collect()
    } else {
        headline()
    };
    columns.retain(|column| run.summary.estimate(*column).is_some());
    columns
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
        // Of tag `down` are the questions from 20 on.
        let first = |id: usize| id.is_multiple_of(5) || id >= 20;
        let arms = [arm("first", first), arm("better", |id| id < 20), arm("no effect", first)];
        let columns: Vec<Column> = ["retrieval.hit@5", "e2e.accuracy"]
            .iter()
            .map(|c| c.parse().expect("a column"))
            .collect();
        let ablation = ablation(&arms, &columns, 1).expect("compared");
        let [first, better, same] = &ablation.arms[..] else { panic!("three arms") };
        assert!(first.against_first.is_empty() && first.same_as.is_none());
        let hit = better.against_first[0].expect("compared");
        assert!((hit.paired.difference - 6.0 / 30.0).abs() < 1e-9);
        // The family is two arms by two measures.
        assert!(hit.p_holm > hit.paired.p && hit.p_holm <= 4.0 * hit.paired.p + 1e-12);
        assert_eq!(better.worse_slices[0].tag, "down");
        assert_eq!(same.same_as.as_deref(), Some("first"));
        assert!(same.against_first[0].expect("compared").paired.identical);
    }
}
