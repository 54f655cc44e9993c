//! The hits of each mode, and their places in the lists of the retrievers.

use fiel_retrieval::{DenseChoice, DenseKind, Error, Fusion, Mode, Query, RetrieveSettings};

use crate::{chunks, embedder, found, retriever, search};

/// Two words of one document and the sense of another.
const QUESTION: &str = "What is the past of buy?";

fn settings(mode: Mode) -> RetrieveSettings {
    RetrieveSettings { mode, ..RetrieveSettings::default() }
}

#[test]
fn vector_mode_finds_passages_without_a_common_word() {
    let question = "duty";
    let vector = retriever(chunks(), settings(Mode::Vector));
    assert_eq!(found(&vector, question)[0], "modal");
    let bm25 = retriever(chunks(), settings(Mode::Bm25));
    assert!(found(&bm25, question).is_empty());
}

#[test]
fn bm25_mode_finds_only_passages_with_a_common_word() {
    let bm25 = retriever(chunks(), settings(Mode::Bm25));
    assert_eq!(found(&bm25, "compro"), ["buy"]);
    assert_eq!(found(&bm25, "1900"), ["passive"]);
    // No syntax: a quotation mark left open, a field, an operator.
    assert_eq!(found(&bm25, "brought: \"NOT"), ["bring"]);
}

#[test]
fn hybrid_hits_have_the_ranks_of_both_retrievers() {
    let hybrid = retriever(chunks(), settings(Mode::Hybrid));
    let hits = search(&hybrid, QUESTION).hits;
    assert_eq!(hybrid.chunks()[hits[0].chunk].doc, "buy");
    let (bm25, dense) = (hits[0].bm25.unwrap(), hits[0].dense.unwrap());
    assert_eq!((bm25.rank, dense.rank), (1, 1));
    // Every score is that of the fusion: the sum of 1 / (60 + rank) over the lists.
    for hit in &hits {
        let places = [hit.bm25, hit.dense].into_iter().flatten();
        let fused: f64 = places.map(|place| 1.0 / (60.0 + place.rank as f64)).sum();
        assert!((hit.score - fused).abs() < 1e-12, "{hit:?}");
    }
    assert!(hits.iter().any(|hit| hit.bm25.is_none()), "a passage that only dense search finds");
    assert!(hits.is_sorted_by(|a, b| a.score >= b.score));
}

#[test]
fn a_single_retriever_has_its_own_ranks_and_scores() {
    for mode in [Mode::Vector, Mode::Bm25] {
        let retriever = retriever(chunks(), settings(mode));
        let retrieved = search(&retriever, QUESTION);
        for (position, hit) in retrieved.hits.iter().enumerate() {
            let (used, other) = match mode {
                Mode::Vector => (hit.dense, hit.bm25),
                _ => (hit.bm25, hit.dense),
            };
            assert_eq!(other, None);
            let place = used.unwrap();
            assert_eq!((place.rank, place.score), (position + 1, hit.score));
        }
        // The retriever that was not used took no time.
        let idle = match mode {
            Mode::Vector => retrieved.bm25_time,
            _ => retrieved.embed_time + retrieved.dense_time,
        };
        assert!(idle.is_zero());
    }
}

#[test]
fn hnsw_finds_what_the_exact_scan_finds() {
    let settings = RetrieveSettings { dense: DenseChoice::Hnsw, ..settings(Mode::Hybrid) };
    let hnsw = retriever(chunks(), settings);
    assert_eq!(hnsw.index().dense_kind(), Some(DenseKind::Hnsw));
    for question in [QUESTION, "duty", "¿Cómo se dice 'trajo'?"] {
        let query = Query { exact: true, ..question.into() };
        let exact = hnsw.search(embedder(), query, 10).unwrap();
        assert_eq!(search(&hnsw, question).hits, exact.hits, "{question}");
    }
}

#[test]
fn searches_and_indexes_are_reproducible() {
    let first = retriever(chunks(), settings(Mode::Hybrid));
    let mut reversed = chunks();
    reversed.reverse();
    let second = retriever(reversed, settings(Mode::Hybrid));
    assert_eq!(search(&first, QUESTION).hits, search(&first, QUESTION).hits);
    assert_eq!(search(&first, QUESTION).hits, search(&second, QUESTION).hits);
}

#[test]
fn a_search_returns_top_k_passages() {
    let settings = RetrieveSettings { top_k: 2, ..settings(Mode::Hybrid) };
    assert_eq!(found(&retriever(chunks(), settings), QUESTION).len(), 2);
}

#[test]
fn an_empty_question_is_an_error_in_every_mode() {
    for mode in [Mode::Vector, Mode::Bm25, Mode::Hybrid] {
        let retriever = retriever(chunks(), settings(mode));
        for question in ["", " \n\t"] {
            let error = retriever.search(embedder(), question.into(), 10).unwrap_err();
            assert!(matches!(error, Error::EmptyQuestion), "{error}");
        }
    }
}

#[test]
fn settings_out_of_range_are_rejected() {
    let none = RetrieveSettings { top_k: 0, ..settings(Mode::Hybrid) };
    let message = none.check().err().unwrap().to_string();
    assert!(message.starts_with("retrieve.top_k is 0"), "{message}");
}

#[test]
fn in_fusion_by_scores_every_retriever_scores_every_passage() {
    for fusion in [Fusion::MinMax, Fusion::ZScore] {
        let settings = RetrieveSettings { fusion, bm25_weight: 0.0, ..settings(Mode::Hybrid) };
        // With weight 0, BM25 changes nothing: the order is that of the cosines.
        let (fused, vector) =
            (retriever(chunks(), settings), retriever(chunks(), self::settings(Mode::Vector)));
        assert_eq!(found(&fused, QUESTION), found(&vector, QUESTION));
    }
    let settings =
        RetrieveSettings { fusion: Fusion::MinMax, top_k: 3, depth: 3, ..settings(Mode::Hybrid) };
    let hybrid = retriever(chunks(), settings);
    // "drank" is in one passage; the others are scored by dense search and by BM25.
    let hits = search(&hybrid, "drank").hits;
    assert_eq!(hybrid.chunks()[hits[0].chunk].doc, "drink");
    assert!((hits[0].score - 2.0).abs() < 1e-9, "first by both retrievers: {hits:?}");
}
