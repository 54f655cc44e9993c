//! Queries per second and p95 of every search method over BEIR's SciFact (5,183 documents, 300
//! questions), on one thread: `RAYON_NUM_THREADS=1 cargo bench --workspace --bench scifact`.
//!
//! `FIEL_DATA` names the folder of collections; without it the benchmark prints a note and ends.
//! Vectors are cached below `.fiel/bench`. With `--dump DIR` the vectors of documents and questions
//! are written to `DIR` as little-endian `f32`, for `peers.py`, which times other libraries.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
    time::Instant,
};

use fiel_corpus::{Chunk, ChunkKind, Chunker, Document};
use fiel_embedding::{Embedder, EmbeddingCache, Vectors};
use fiel_models::{DeviceChoice, ModelStore, ModelStoreOptions, select_device};
use fiel_retrieval::{
    Analysis, Dense, DenseChoice, Index, LateInteraction, Mode, RetrieveSettings, Retriever,
    RewriteSettings,
};
use serde_json::{Value, json};

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// Number of hits per search.
const K: usize = 100;
/// Number of passages that late interaction reranks.
const RERANKED: usize = 20;

fn main() -> Result<()> {
    let Some(data) = std::env::var_os("FIEL_DATA").map(PathBuf::from) else {
        println!("skipped: FIEL_DATA does not name a folder of collections");
        return Ok(());
    };
    let folder = data.join("scifact");
    let args: Vec<String> = std::env::args().collect();
    let dump = args.iter().position(|a| a == "--dump").and_then(|index| args.get(index + 1));

    let store = ModelStore::new(ModelStoreOptions::from_env())?;
    let (device, class) = select_device(DeviceChoice::Cpu)?;
    let embedder = Embedder::load(&store.ensure("all-MiniLM-L6-v2")?, &device, class)?;
    let chunker = Chunker::new(ChunkKind::Document, 128, 0)?;
    let mut chunks = Vec::new();
    for row in rows(&folder.join("corpus.jsonl"))? {
        let text = |name: &str| row[name].as_str().unwrap_or_default().to_owned();
        let doc = Document::titled(&text("_id"), &text("title"), &text("text"));
        chunks.extend(chunker.chunks(&doc, &|text| embedder.piece_count(text)));
    }
    chunks.sort_by(|a, b| a.id.cmp(&b.id));
    let questions = questions(&folder)?;

    let passages: Vec<String> = chunks.iter().map(Chunk::passage).collect();
    let texts: Vec<&str> = passages.iter().map(String::as_str).collect();
    let caches = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.fiel/bench");
    let mut cache = EmbeddingCache::open(&caches, &embedder);
    let (vectors, _) = cache.embed(&embedder, &texts, &mut |done, total| {
        if done % 512 == 0 {
            eprintln!("embedding {done}/{total}");
        }
    })?;
    let question_texts: Vec<&str> = questions.iter().map(String::as_str).collect();
    let (queries, _) = cache.embed(&embedder, &question_texts, &mut |_, _| {})?;
    if let Some(dir) = dump {
        std::fs::create_dir_all(dir)?;
        write(&Path::new(dir).join("documents.f32"), &vectors)?;
        write(&Path::new(dir).join("questions.f32"), &queries)?;
    }

    let started = Instant::now();
    let index =
        Index::build(chunks, Some(&vectors), Analysis::default(), DenseChoice::Exact, None)?;
    report("bm25 and exact: build", &[started.elapsed().as_secs_f64() * 1e3], json!({}));
    let started = Instant::now();
    let hnsw = Dense::build(vectors.clone(), DenseChoice::Hnsw, None);
    report("hnsw: build and check", &[started.elapsed().as_secs_f64() * 1e3], json!({}));
    let exact = Dense::build(vectors, DenseChoice::Exact, None);

    let index = Arc::new(index);
    let retriever = |mode| {
        let settings = RetrieveSettings { mode, top_k: K, ..RetrieveSettings::default() };
        Retriever::new(Arc::clone(&index), settings, RewriteSettings::default())
    };
    let bm25 = retriever(Mode::Bm25)?;
    time("bm25", &question_texts, |_, q| {
        bm25.search(&embedder, q.into(), K)?;
        Ok(())
    })?;
    time("exact", &question_texts, |position, _| {
        exact.search(queries.row(position), K)?;
        Ok(())
    })?;
    let mut shared = 0;
    for row in queries.rows() {
        let (near, all) = (hnsw.search(row, 10)?, exact.search(row, 10)?);
        shared += all.iter().filter(|a| near.iter().any(|n| n.item == a.item)).count();
    }
    let recall = shared as f64 / (10 * question_texts.len()) as f64;
    let times = measure(&question_texts, |position, _| {
        hnsw.search(queries.row(position), 10)?;
        Ok(())
    })?;
    report("hnsw, 10 nearest", &times, json!({ "recall@10": recall }));
    let hybrid = retriever(Mode::Hybrid)?;
    time("hybrid, question embedded", &question_texts, |_, q| {
        hybrid.search(&embedder, q.into(), K)?;
        Ok(())
    })?;
    let reranker = LateInteraction::default();
    let late = |q: &str| -> Result<()> {
        let found = hybrid.search(&embedder, q.into(), RERANKED)?;
        let texts: Vec<String> =
            found.hits.iter().map(|h| hybrid.chunks()[h.chunk].passage()).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        reranker.scores(&embedder, q, &texts)?;
        Ok(())
    };
    let few = &question_texts[..question_texts.len().min(50)];
    time("hybrid + late, passages new", few, |_, q| late(q))?;
    time("hybrid + late, passages known", few, |_, q| late(q))?;
    Ok(())
}

/// The questions with judgements in `qrels/test.tsv`, in the order of their file.
fn questions(folder: &Path) -> Result<Vec<String>> {
    let judged = std::fs::read_to_string(folder.join("qrels/test.tsv"))?;
    let judged: Vec<&str> = judged.lines().filter_map(|l| l.split('\t').next()).collect();
    let mut out = Vec::new();
    for row in rows(&folder.join("queries.jsonl"))? {
        let (id, text) = (row["_id"].as_str(), row["text"].as_str());
        if let (Some(id), Some(text)) = (id, text)
            && judged.contains(&id)
        {
            out.push(text.to_owned());
        }
    }
    Ok(out)
}

fn rows(path: &Path) -> Result<Vec<Value>> {
    let text = std::fs::read_to_string(path)?;
    text.lines().map(|line| Ok(serde_json::from_str(line)?)).collect()
}

fn write(path: &Path, vectors: &Vectors) -> Result<()> {
    let values = vectors.rows().flatten();
    let bytes: Vec<u8> = values.flat_map(|x| x.to_le_bytes()).collect();
    Ok(std::fs::write(path, bytes)?)
}

fn time(name: &str, questions: &[&str], run: impl FnMut(usize, &str) -> Result<()>) -> Result<()> {
    report(name, &measure(questions, run)?, json!({}));
    Ok(())
}

/// Milliseconds per question, after a warm-up run.
fn measure(questions: &[&str], mut run: impl FnMut(usize, &str) -> Result<()>) -> Result<Vec<f64>> {
    run(0, questions[0])?;
    let mut times = Vec::with_capacity(questions.len());
    for (position, question) in questions.iter().enumerate() {
        let started = Instant::now();
        run(position, question)?;
        times.push(started.elapsed().as_secs_f64() * 1e3);
    }
    Ok(times)
}

/// Prints a line of JSON: mean, p50 and p95 in milliseconds, and questions per second.
fn report(name: &str, times: &[f64], more: Value) {
    let mut sorted = times.to_vec();
    sorted.sort_by(f64::total_cmp);
    let nearest = |share: f64| {
        let rank = (share * sorted.len() as f64).ceil() as usize;
        sorted[rank.clamp(1, sorted.len()) - 1]
    };
    let mean = times.iter().sum::<f64>() / times.len() as f64;
    let mut line = json!({
        "what": name, "mean_ms": mean, "p50_ms": nearest(0.5), "p95_ms": nearest(0.95),
        "per_second": 1e3 / mean, "n": times.len(),
    });
    if let (Some(line), Some(more)) = (line.as_object_mut(), more.as_object()) {
        line.extend(more.clone());
    }
    println!("{line}");
}
