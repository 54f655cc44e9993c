use std::collections::BTreeMap;

use fiel_corpus::{Chunk, KnowledgeBase};
use fiel_metrics::{Measure, RankMeasure, Ranking, Value};
use fiel_reader::Pipeline;
use fiel_record::{
    DEEP_FROM, DEEP_MEASURES, HitRecord, LegRecord, RANKING_MEASURES, RetrievalRecord, TimingRecord,
};
use fiel_retrieval::{Hit, ListPlace, Retrieved};
use fiel_text::id::doc_of;

use crate::Error;
use fiel_gold::ResolvedQuestion;

/// What retrieval gave for a question, and the positions of its chunks for the reader.
pub(crate) struct Found {
    pub record: RetrievalRecord,
    /// Every chunk found, best first.
    pub chunks: Vec<usize>,
}

/// The measures for lists of `top_k` passages.
pub(crate) fn measures(top_k: usize) -> Result<Vec<RankMeasure>, Error> {
    let parse = |name: &&str| match name.parse() {
        Ok(Measure::Rank(measure)) => Ok(measure),
        Ok(other) => Err(Error::Measure(format!("{other} is not a retrieval measure"))),
        Err(e) => Err(Error::Measure(format!("{name}: {e}"))),
    };
    let deep: &[&str] = if top_k >= DEEP_FROM { &DEEP_MEASURES } else { &[] };
    RANKING_MEASURES.iter().chain(deep).map(parse).collect()
}

/// Retrieves for one question. A leg that fails is recorded, never replaced by the other.
pub(crate) fn retrieve(
    pipeline: &Pipeline,
    kb: &KnowledgeBase,
    question: &ResolvedQuestion,
    measures: &[RankMeasure],
    timing: &mut TimingRecord,
) -> Result<Found, Error> {
    let chunks = pipeline.retriever().chunks();
    let evidence = question.evidence_chunks(chunks, kb);
    let mut record = RetrievalRecord {
        groups: question.groups(),
        evidence: evidence.iter().map(|&at| chunks[at].id.clone()).collect(),
        judgements: question.judgements().unwrap_or_default(),
        ..RetrievalRecord::default()
    };
    let text = &question.question.question;
    let (retrieved, exact) = match pipeline.retrieve_both(text) {
        Ok(both) => both,
        Err(error) => {
            record.error = Some(error.to_string());
            if question.groups() > 0 {
                record.measures =
                    measures.iter().map(|&m| (Measure::Rank(m), Value::Failed)).collect();
            }
            return Ok(Found { record, chunks: Vec::new() });
        }
    };
    let ms = |time: std::time::Duration| time.as_secs_f64() * 1000.0;
    timing.rewrite_ms = ms(retrieved.rewrite_time);
    timing.embed_ms = ms(retrieved.embed_time);
    timing.dense_ms = ms(retrieved.dense_time);
    timing.bm25_ms = ms(retrieved.bm25_time);
    timing.rerank_ms = ms(retrieved.rerank_time);
    record.rewritten.clone_from(&retrieved.rewritten);
    record.keywords.clone_from(&retrieved.keywords);
    record.hits = hits(&retrieved, chunks, question, kb);
    record.measures = values(&record.hits, question, measures)?;
    if let Some(exact) = exact {
        record.dense_overlap = Some(overlap(&retrieved, &exact));
        let exact = values(&hits(&exact, chunks, question, kb), question, measures)?;
        let differs =
            |measure: &Measure, value: &Value| record.measures.get(measure) != Some(value);
        record.exact_measures = exact.into_iter().filter(|(m, v)| differs(m, v)).collect();
    }
    let chunks = retrieved.hits.iter().map(|hit| hit.chunk).collect();
    Ok(Found { record, chunks })
}

fn hits(
    retrieved: &Retrieved,
    chunks: &[Chunk],
    question: &ResolvedQuestion,
    kb: &KnowledgeBase,
) -> Vec<HitRecord> {
    let leg = |hit: Option<ListPlace>| hit.map(|h| LegRecord { rank: h.rank, score: h.score });
    let record = |(at, hit): (usize, &Hit)| HitRecord {
        rank: at + 1,
        chunk: chunks[hit.chunk].id.clone(),
        score: hit.score,
        bm25: leg(hit.bm25),
        dense: leg(hit.dense),
        rewrite: leg(hit.rewrite),
        rerank: leg(hit.rerank),
        finds: question.found_by(&chunks[hit.chunk], kb),
    };
    retrieved.hits.iter().enumerate().map(record).collect()
}

/// By the spans of the evidence; of judged documents, by document, whose first chunk counts.
fn values(
    hits: &[HitRecord],
    question: &ResolvedQuestion,
    measures: &[RankMeasure],
) -> Result<BTreeMap<Measure, Value>, Error> {
    if question.groups() == 0 {
        return Ok(BTreeMap::new());
    }
    let ranking = if let Some(judgements) = question.judgements() {
        let documents: Vec<String> = hits.iter().map(|hit| doc_of(&hit.chunk).to_owned()).collect();
        Ranking::from_qrels(&documents, &judgements)
    } else {
        let found: Vec<Vec<usize>> = hits.iter().map(|hit| hit.finds.clone()).collect();
        Ranking::from_evidence(&found, question.groups())
            .map_err(|e| Error::Measure(e.to_string()))?
    };
    Ok(measures.iter().map(|&m| (Measure::Rank(m), Value::from(ranking.measure(m)))).collect())
}

/// Share of the ten nearest chunks by the exact scan that HNSW has among its ten nearest.
fn overlap(hnsw: &Retrieved, exact: &Retrieved) -> f64 {
    let ten = |found: &Retrieved| found.nearest[..found.nearest.len().min(10)].to_vec();
    let (hnsw, exact) = (ten(hnsw), ten(exact));
    let shared = exact.iter().filter(|chunk| hnsw.contains(chunk)).count();
    // A base is never empty, so neither is the exact list.
    shared as f64 / exact.len().max(1) as f64
}
