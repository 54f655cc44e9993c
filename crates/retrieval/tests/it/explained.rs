//! Why a chunk has its rank.

use fiel_retrieval::{Mode, RetrieveSettings};

use crate::{chunks, embedder, retriever, search};

#[test]
fn scores_are_those_of_the_hit() {
    let hybrid = retriever(chunks(), RetrieveSettings::default());
    let question = "What is the past of buy?";
    for hit in search(&hybrid, question).hits {
        let why = hybrid.explain(embedder(), question.into(), hit.chunk).unwrap();
        assert_eq!(why.chunk, hybrid.chunks()[hit.chunk].id);
        let sum: f64 = why.bm25.terms.iter().map(|t| t.body + t.title).sum();
        assert!((sum - why.bm25.score()).abs() < 1e-9);
        let bm25 = hit.bm25.map_or(0.0, |place| place.score);
        assert!((why.bm25.score() - bm25).abs() < 1e-4, "{why:?}");
        let dense = hit.dense.unwrap();
        assert!((why.cosine.unwrap() - dense.score).abs() < 1e-6);
        assert_eq!(why.dense_rank, Some(dense.rank));
    }
}

#[test]
fn a_chunk_without_a_word_of_the_question_scores_0_in_bm25() {
    let settings = RetrieveSettings { mode: Mode::Bm25, ..RetrieveSettings::default() };
    let bm25 = retriever(chunks(), settings);
    let tags = bm25.chunks().iter().position(|c| c.doc == "tags").unwrap();
    let why = bm25.explain(embedder(), "bought".into(), tags).unwrap();
    assert_eq!((why.bm25.score(), why.bm25.terms.len()), (0.0, 1));
    assert_eq!((why.bm25.terms[0].term.as_str(), why.bm25.terms[0].texts), ("bought", 1));
}
