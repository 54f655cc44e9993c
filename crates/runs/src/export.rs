//! Export of the retrieval of a run for trec_eval.

use std::{collections::BTreeSet, fmt::Write};

use fiel_metrics::{export_scores, measured_list};
use fiel_record::QuestionRecord;
use fiel_text::id::ChunkId;

use crate::{Error, StoredRun};

/// The retrieval of a run as TREC files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TrecFiles {
    /// `question Q0 item rank score tag`.
    pub run: String,
    /// `question 0 item grade`.
    pub qrels: String,
    /// Number of exported questions: those with evidence.
    pub questions: usize,
    /// Ids of the questions in which one chunk contains several pieces of evidence. The pieces share
    /// its rank, which TREC files cannot express, so trec_eval scores these questions lower.
    pub sharing: Vec<String>,
}

/// Exports the measured list and the judgements of each question, so that `trec_eval -c` computes
/// the values of Fiel.
///
/// Evidence `n` of a question is the item `evidence[n]`, a chunk without new evidence is an item
/// itself. Items of judged documents are documents. White space and `%` in ids are percent-encoded.
/// Scores strictly decrease, also as 32-bit floats.
///
/// # Errors
/// If a record contradicts itself.
pub fn trec_files(run: &StoredRun) -> Result<TrecFiles, Error> {
    let mut out = TrecFiles::default();
    let is_foreign = run.summary.manifest.system.is_some();
    for record in &run.records {
        let retrieval = &record.retrieval;
        if retrieval.groups == 0 && retrieval.judgements.is_empty() {
            continue;
        }
        out.questions += 1;
        let id = encoded(&record.id);
        let items = if retrieval.judgements.is_empty() {
            evidence(record, &mut out.sharing)?
        } else {
            documents(record, is_foreign)
        };
        let scores: Vec<f64> = items.iter().map(|(_, score)| *score).collect();
        let scores = export_scores(&scores)
            .map_err(|e| Error::Measure(format!("question {}: {e}", record.id)))?;
        for (at, ((item, _), score)) in items.iter().zip(scores).enumerate() {
            let _ = writeln!(out.run, "{id} Q0 {item} {} {score} fiel", at + 1);
        }
        for (doc, grade) in &retrieval.judgements {
            let _ = writeln!(out.qrels, "{id} 0 {} {grade}", encoded(doc));
        }
        if retrieval.judgements.is_empty() {
            for group in 0..retrieval.groups {
                let _ = writeln!(out.qrels, "{id} 0 {} 1", evidence_item(group));
            }
        }
    }
    Ok(out)
}

/// The documents of the hits, each at its first chunk, with their scores.
fn documents(record: &QuestionRecord, is_foreign: bool) -> Vec<(String, f64)> {
    let mut seen = BTreeSet::new();
    let document = |chunk: &str| match ChunkId::parse(chunk) {
        // Hits of another system may have the ids of documents or of their chunks.
        Some((doc, _))
            if !is_foreign
                || (!record.retrieval.judgements.contains_key(chunk)
                    && record.retrieval.judgements.contains_key(doc)) =>
        {
            encoded(doc)
        }
        _ => encoded(chunk),
    };
    let hits = record.retrieval.hits.iter();
    hits.map(|hit| (document(&hit.chunk), hit.score))
        .filter(|(doc, _)| seen.insert(doc.clone()))
        .collect()
}

fn evidence(
    record: &QuestionRecord,
    sharing: &mut Vec<String>,
) -> Result<Vec<(String, f64)>, Error> {
    let hits = &record.retrieval.hits;
    let found: Vec<Vec<usize>> = hits.iter().map(|hit| hit.finds.clone()).collect();
    let list = measured_list(&found, record.retrieval.groups)
        .map_err(|e| Error::Measure(format!("question {}: {e}", record.id)))?;
    if list.windows(2).any(|pair| pair[0].rank == pair[1].rank) {
        sharing.push(record.id.to_string());
    }
    Ok(list
        .iter()
        .map(|item| {
            let hit = &hits[item.rank as usize - 1];
            let name = item.group.map_or_else(|| encoded(&hit.chunk), evidence_item);
            (name, hit.score)
        })
        .collect())
}

/// Differs from every chunk id, because document ids contain no brackets.
fn evidence_item(group: usize) -> String {
    format!("evidence[{}]", group + 1)
}

fn encoded(id: &str) -> String {
    let mut out = String::with_capacity(id.len());
    for c in id.chars() {
        if c == '%' || c.is_whitespace() {
            let mut bytes = [0; 4];
            for byte in c.encode_utf8(&mut bytes).bytes() {
                let _ = write!(out, "%{byte:02X}");
            }
        } else {
            out.push(c);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use fiel_record::HitRecord;

    use super::*;
    use crate::compare::tests::{record, run};

    fn hit(rank: usize, chunk: &str, finds: &[usize]) -> HitRecord {
        HitRecord {
            rank,
            chunk: chunk.into(),
            score: 0.5,
            bm25: None,
            dense: None,
            rewrite: None,
            rerank: None,
            finds: finds.to_vec(),
        }
    }

    #[test]
    fn the_measured_list_is_written_with_strictly_decreasing_scores() {
        let mut question = record(1, "t", true);
        question.retrieval.groups = 3;
        question.retrieval.hits = vec![
            hit(1, "my doc#1", &[]),
            hit(2, "d#2", &[1]),
            hit(3, "d#3", &[1]),
            hit(4, "d#4", &[0, 2]),
        ];
        let mut none = record(2, "t", true);
        none.retrieval.groups = 0;
        let files = trec_files(&run("r", vec![question, none])).expect("written");
        assert_eq!((files.questions, files.sharing), (1, vec!["q01".to_owned()]));
        assert_eq!(files.qrels, "q01 0 evidence[1] 1\nq01 0 evidence[2] 1\nq01 0 evidence[3] 1\n");
        let rows: Vec<Vec<&str>> =
            files.run.lines().map(|l| l.split(' ').collect::<Vec<_>>()).collect();
        let items: Vec<&str> = rows.iter().map(|row| row[2]).collect();
        assert_eq!(items, ["my%20doc#1", "evidence[2]", "d#3", "evidence[1]", "evidence[3]"]);
        let scores: Vec<f32> = rows.iter().map(|row| row[4].parse().expect("f32")).collect();
        assert!(scores.is_sorted_by(|a, b| a > b), "{scores:?}");
    }

    #[test]
    fn of_judged_documents_the_first_chunk_counts() {
        let mut question = record(1, "t", true);
        question.retrieval.judgements = BTreeMap::from([("a".into(), 2), ("b".into(), 0)]);
        question.retrieval.hits = vec![hit(1, "b#2", &[]), hit(2, "a#1", &[0]), hit(3, "b#1", &[])];
        let files = trec_files(&run("r", vec![question])).expect("written");
        assert_eq!(files.qrels, "q01 0 a 2\nq01 0 b 0\n");
        assert_eq!(files.run.lines().count(), 2);
        assert!(files.run.starts_with("q01 Q0 b 1 "));
    }
}
