//! Scores for TREC runs.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
    time::Instant,
};

use fiel_gold::Question;
use fiel_metrics::{Measure, Qrels, RankMeasure, Ranking, TrecRun, Value, parse_qrels, parse_run};
use fiel_record::{EvalMode, HitRecord, Manifest, QuestionRecord, RetrievalRecord};
use fiel_store::{read_text, sha256_hex};
use fiel_text::Lang;

use super::{Stored, file_name, manifest, store};
use crate::{Error, Finished, manifest::seal, retrieval::rank_measures, runner};

/// Default measures of a TREC run.
const MEASURES: &str = "hit@1 hit@3 hit@5 hit@10 RR RR@10 R@5 R@10 R@100 P@1 P@5 P@10 nDCG@5 \
    nDCG@10 nDCG@100 nDCG(exp)@10 AP Rprec Judged@10 all@5";

/// The input of [`score_trec`].
pub struct TrecPlan<'a> {
    /// File with judgements: `question iteration document grade`.
    pub qrels: &'a Path,
    /// File with the run: `question Q0 document rank score tag`.
    pub run: &'a Path,
    /// Measures; empty for the default measures.
    pub measures: &'a [RankMeasure],
    /// Seed of the intervals.
    pub seed: u64,
    /// Folder of the runs.
    pub runs: &'a Path,
    /// Note about the run.
    pub note: Option<&'a str>,
}

/// A scored TREC run.
pub struct TrecScored {
    /// The stored run.
    pub finished: Finished,
    /// Questions of the run without judgements, which are left out.
    pub unjudged: Vec<String>,
    /// Judged questions that the run lacks, which score 0.
    pub unanswered: Vec<String>,
}

/// Scores a TREC run like `trec_eval -c`: the rank column is ignored, ties are broken by descending
/// id, and a judged question that the run lacks scores 0.
///
/// # Errors
/// If a file is faulty (with the line), or the files have no question in common.
pub fn score_trec(plan: &TrecPlan<'_>) -> Result<TrecScored, Error> {
    let started = Instant::now();
    let (qrels_text, run_text) = (read_text(plan.qrels)?, read_text(plan.run)?);
    let bad = |path: &Path, message: String| Error::Input { path: path.to_owned(), message };
    let qrels = parse_qrels(&qrels_text).map_err(|e| bad(plan.qrels, e.to_string()))?;
    let run = parse_run(&run_text).map_err(|e| bad(plan.run, e.to_string()))?;
    let missing = |all: BTreeSet<&String>, known: BTreeSet<&String>| -> Vec<String> {
        all.difference(&known).map(|id| (*id).clone()).collect()
    };
    let unjudged = missing(run.keys().collect(), qrels.keys().collect());
    let unanswered = missing(qrels.keys().collect(), run.keys().collect());
    if unanswered.len() == qrels.len() {
        let first = |ids: Option<&String>| ids.map_or("none", |id| id.as_str()).to_owned();
        return Err(bad(
            plan.run,
            format!(
                "no question is in {}: the first question here is {}, there {}",
                plan.qrels.display(),
                first(run.keys().next()),
                first(qrels.keys().next())
            ),
        ));
    }
    let measures = match plan.measures {
        [] => rank_measures(&MEASURES.split(' ').collect::<Vec<_>>()),
        measures => measures.to_vec(),
    };
    let records = records(&qrels, &run, &measures);
    let names: Vec<String> = measures.iter().map(ToString::to_string).collect();
    let manifest = Manifest {
        gold: file_name(plan.qrels),
        gold_sha256: sha256_hex(qrels_text.as_bytes()),
        questions: "all".to_owned(),
        modes: vec![EvalMode::Retrieval],
        settings: serde_json::json!({"eval": {"measures": names, "seed": plan.seed}}),
        ..manifest(file_name(plan.run), sha256_hex(run_text.as_bytes()))
    };
    Ok(TrecScored {
        finished: store(Stored {
            runs: plan.runs,
            manifest: seal(manifest)?,
            records,
            judge_ms: Vec::new(),
            targets: &[],
            judge: None,
            splitter: None,
            seed: plan.seed,
            note: plan.note,
            started,
        })?,
        unjudged,
        unanswered,
    })
}

fn records(qrels: &Qrels, run: &TrecRun, measures: &[RankMeasure]) -> Vec<QuestionRecord> {
    let record = |(id, judgements): (&String, &BTreeMap<String, i32>)| {
        let list = run.get(id).map_or(&[][..], Vec::as_slice);
        let relevant: Vec<&String> =
            judgements.iter().filter(|(_, grade)| **grade > 0).map(|(doc, _)| doc).collect();
        let ids: Vec<&str> = list.iter().map(|hit| hit.id.as_str()).collect();
        let ranking = Ranking::from_qrels(&ids, judgements);
        let mut seen = BTreeSet::new();
        let hits = list.iter().filter(|hit| seen.insert(hit.id.as_str()));
        let hit = |(at, hit): (usize, &fiel_metrics::TrecHit)| HitRecord {
            rank: at + 1,
            chunk: hit.id.as_str().into(),
            score: hit.score,
            finds: relevant.binary_search(&&hit.id).into_iter().collect(),
            ..HitRecord::default()
        };
        let value = |&m: &RankMeasure| (Measure::Rank(m), Value::from(ranking.measure(m)));
        let question =
            Question { id: id.as_str().into(), lang: Lang::Other, ..Question::default() };
        let retrieval = RetrievalRecord {
            hits: hits.enumerate().map(hit).collect(),
            groups: relevant.len(),
            evidence: relevant.iter().map(|doc| doc.as_str().into()).collect(),
            judgements: judgements.clone(),
            measures: measures.iter().map(value).collect(),
            ..RetrievalRecord::default()
        };
        runner::record(&question, retrieval)
    };
    qrels.iter().map(record).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(qrels: &str, run: &str) -> Result<TrecScored, Error> {
        let dir = tempfile::tempdir().expect("temporary folder");
        let (q, r) = (dir.path().join("q"), dir.path().join("r"));
        std::fs::write(&q, qrels).expect("written");
        std::fs::write(&r, run).expect("written");
        score_trec(&TrecPlan {
            qrels: &q,
            run: &r,
            measures: &[],
            seed: 1,
            runs: &dir.path().join("runs"),
            note: None,
        })
    }

    #[test]
    fn missing_questions_score_zero_and_unjudged_ones_are_left_out() {
        let scored = score(
            "1 0 a 1\n1 0 b 2\n2 0 a 1\n3 0 a 0\n",
            "1 Q0 c 1 2 t\n1 Q0 b 2 1 t\n9 Q0 a 1 1 t\n3 Q0 a 1 1 t\n",
        )
        .expect("scored");
        assert_eq!((scored.unjudged, scored.unanswered), (vec!["9".into()], vec!["2".into()]));
        let summary = &scored.finished.summary;
        assert_eq!(summary.measures[&EvalMode::Retrieval].len(), MEASURES.split(' ').count());
        let rr = summary.estimate("retrieval.RR".parse().expect("a column")).expect("there");
        // 1/2, 0 and undefined.
        assert_eq!((rr.mean.mean, rr.mean.n, rr.mean.undefined), (Some(0.25), 2, 1));
        assert_eq!(scored.finished.records[0].retrieval.hits[1].finds, [1]);
    }

    #[test]
    fn faults_name_file_and_line() {
        let error = score("1 0 a 1\n", "1 Q0 a 1 x t\n").err().expect("bad").to_string();
        assert!(error.contains("r: line 1"), "{error}");
        let error = score("1 0 a 1\n", "2 Q0 a 1 1 t\n").err().expect("bad").to_string();
        assert!(error.contains("the first question here is 2"), "{error}");
    }
}
