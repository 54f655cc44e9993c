//! Retrieval for one question, and its measures.

use std::{collections::BTreeMap, time::Duration};

use fiel_corpus::{Chunk, KnowledgeBase};
use fiel_gold::ResolvedQuestion;
use fiel_metrics::{Measure, RankMeasure, Ranking, RankingError, Value};
use fiel_reader::Pipeline;
use fiel_record::{
    DEEP_FROM, DEEP_MEASURES, HitRecord, LegRecord, RANKING_MEASURES, RetrievalRecord, TimingRecord,
};
use fiel_retrieval::{Hit, ListPlace, Retrieved};
use fiel_text::id::doc_of;

/// The passages found for a question.
pub(crate) struct Found {
    pub record: RetrievalRecord,
    /// Positions of the chunks, best first.
    pub chunks: Vec<usize>,
    pub timing: TimingRecord,
}

/// The measures of lists with `top_k` passages.
pub(crate) fn measures(top_k: usize) -> Vec<RankMeasure> {
    let deep: &[&str] = if top_k >= DEEP_FROM { &DEEP_MEASURES } else { &[] };
    rank_measures(&[&RANKING_MEASURES[..], deep].concat())
}

/// Parses names of ranking measures that are constants of the program.
pub(crate) fn rank_measures(names: &[&str]) -> Vec<RankMeasure> {
    let parse = |name: &&str| match name.parse() {
        Ok(Measure::Rank(measure)) => measure,
        other => unreachable!("{name} is a ranking measure, got {other:?}"),
    };
    names.iter().map(parse).collect()
}

/// Retrieves for one question. A failure is recorded; no leg replaces another.
pub(crate) fn retrieve(
    pipeline: &Pipeline,
    kb: &KnowledgeBase,
    question: &ResolvedQuestion,
    measures: &[RankMeasure],
) -> Result<Found, RankingError> {
    let chunks = pipeline.retriever().chunks();
    let evidence = question.evidence_chunks(chunks, kb);
    let mut record = RetrievalRecord {
        groups: question.groups(),
        evidence: evidence.iter().map(|&at| chunks[at].id.clone()).collect(),
        judgements: question.judgements().unwrap_or_default(),
        ..RetrievalRecord::default()
    };
    let mut timing = TimingRecord { id: question.question.id.clone(), ..TimingRecord::default() };
    let (mut retrieved, mut exact) = match pipeline.retrieve_both(&question.question.question) {
        Ok(both) => both,
        Err(error) => {
            record.error = Some(error.to_string());
            if question.groups() > 0 {
                record.measures = failed_values(measures);
            }
            return Ok(Found { record, chunks: Vec::new(), timing });
        }
    };
    let ms = |time: Duration| time.as_secs_f64() * 1000.0;
    timing.rewrite_ms = ms(retrieved.rewrite_time);
    timing.embed_ms = ms(retrieved.embed_time);
    timing.dense_ms = ms(retrieved.dense_time);
    timing.bm25_ms = ms(retrieved.bm25_time);
    timing.rerank_ms = ms(retrieved.rerank_time);
    let excluded = &question.question.exclude;
    for found in [Some(&mut retrieved), exact.as_mut()].into_iter().flatten() {
        found.hits.retain(|hit| !excluded.contains(&chunks[hit.chunk].doc));
    }
    record.excluded.clone_from(excluded);
    record.hits = hits(&retrieved, chunks, question, kb);
    record.measures = values(&record, &record.hits, doc_of, measures)?;
    if let Some(exact) = exact {
        record.dense_overlap = Some(overlap(&retrieved, &exact));
        let mut values = values(&record, &hits(&exact, chunks, question, kb), doc_of, measures)?;
        values.retain(|measure, value| record.measures.get(measure) != Some(value));
        record.exact_measures = values;
    }
    record.rewritten = retrieved.rewritten;
    record.keywords = retrieved.keywords;
    let chunks = retrieved.hits.iter().map(|hit| hit.chunk).collect();
    Ok(Found { record, chunks, timing })
}

fn hits(
    retrieved: &Retrieved,
    chunks: &[Chunk],
    question: &ResolvedQuestion,
    kb: &KnowledgeBase,
) -> Vec<HitRecord> {
    let leg = |place: Option<ListPlace>| place.map(|p| LegRecord { rank: p.rank, score: p.score });
    let record = |(rank, hit): (usize, &Hit)| HitRecord {
        rank,
        chunk: chunks[hit.chunk].id.clone(),
        score: hit.score,
        bm25: leg(hit.bm25),
        dense: leg(hit.dense),
        rewrite: leg(hit.rewrite),
        rerank: leg(hit.rerank),
        finds: question.found_by(&chunks[hit.chunk], kb),
    };
    (1..).zip(&retrieved.hits).map(record).collect()
}

/// The measures of a list of passages: by the evidence that they find, or, for judged documents, by
/// `document` of their chunks. Empty for a question without evidence.
pub(crate) fn values(
    record: &RetrievalRecord,
    hits: &[HitRecord],
    document: fn(&str) -> &str,
    measures: &[RankMeasure],
) -> Result<BTreeMap<Measure, Value>, RankingError> {
    if record.groups == 0 {
        return Ok(BTreeMap::new());
    }
    let ranking = if record.judgements.is_empty() {
        let found: Vec<Vec<usize>> = hits.iter().map(|hit| hit.finds.clone()).collect();
        Ranking::from_evidence(&found, record.groups)?
    } else {
        let documents: Vec<&str> = hits.iter().map(|hit| document(&hit.chunk)).collect();
        Ranking::from_qrels(&documents, &record.judgements)
    };
    Ok(measures.iter().map(|&m| (Measure::Rank(m), Value::from(ranking.measure(m)))).collect())
}

pub(crate) fn failed_values(measures: &[RankMeasure]) -> BTreeMap<Measure, Value> {
    measures.iter().map(|&m| (Measure::Rank(m), Value::Failed)).collect()
}

/// The share of the ten nearest chunks by exact search that HNSW has among its ten nearest.
fn overlap(hnsw: &Retrieved, exact: &Retrieved) -> f64 {
    let ten = |found: &Retrieved| found.nearest[..found.nearest.len().min(10)].to_vec();
    let (hnsw, exact) = (ten(hnsw), ten(exact));
    let shared = exact.iter().filter(|chunk| hnsw.contains(chunk)).count();
    shared as f64 / exact.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_measure_of_retrieval_has_its_canonical_name() {
        let names =
            |top_k| -> Vec<String> { measures(top_k).iter().map(ToString::to_string).collect() };
        assert_eq!(names(99), RANKING_MEASURES);
        assert_eq!(names(100)[RANKING_MEASURES.len()..], DEEP_MEASURES);
    }
}
