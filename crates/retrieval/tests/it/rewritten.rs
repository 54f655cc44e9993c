//! Rewriting of the question, and reranking.

use fiel_retrieval::{
    LateInteraction, Mode, Query, RetrieveSettings, RewriteMethod, RewriteSettings,
};

use crate::{chunks, embedder, found, retriever, rewriting, search};

fn bm25() -> RetrieveSettings {
    RetrieveSettings { mode: Mode::Bm25, ..RetrieveSettings::default() }
}

#[test]
fn feedback_adds_no_common_words() {
    let rm3 = RewriteSettings { method: RewriteMethod::Rm3, ..RewriteSettings::default() };
    let plain = retriever(chunks(), bm25());
    assert_eq!(found(&plain, "bought"), ["buy"]);
    let expanded = rewriting(chunks(), bm25(), rm3);
    let found = found(&expanded, "bought");
    assert_eq!(found[0], "buy");
    // Terms that few texts contain are added, so neither "past" nor "Spanish".
    assert_eq!(found.len(), 1);
}

#[test]
fn keywords_are_another_list() {
    let hybrid = retriever(chunks(), RetrieveSettings::default());
    let query =
        Query { text: "What is the past of buy?", keywords: Some("obligation"), exact: false };
    let hits = hybrid.search(embedder(), query, 10).unwrap().hits;
    let hit = |doc: &str| hits.iter().find(|h| hybrid.chunks()[h.chunk].doc == doc);
    assert_eq!(hit("modal").unwrap().rewrite.unwrap().rank, 1);
    assert_eq!(hit("buy").unwrap().rewrite, None);
    let blank = Query { keywords: Some(" "), ..query };
    let same = hybrid.search(embedder(), blank, 10).unwrap().hits;
    assert_eq!(same, search(&hybrid, query.text).hits);
}

#[test]
fn typos_are_corrected_by_the_words_of_the_index() {
    let index = retriever(chunks(), bm25());
    let corrected = index.index().correct_spelling("obligacion, brougth", &|_| false);
    assert_eq!(corrected, "obligation, brought");
    assert_eq!(found(&index, &corrected).len(), 2);
}

#[test]
fn late_interaction_is_the_same_alone_and_among_others_and_prefers_the_text_itself() {
    let scores = |model: &LateInteraction, question: &str, texts: &[&str]| {
        model.scores(embedder(), question, texts).unwrap()
    };
    let model = LateInteraction::default();
    let texts = ["The house was built in 1900.", "Must says that something is an obligation.", " "];
    let question = "When was the house built?";
    let all = scores(&model, question, &texts);
    assert!(all[0] > all[1] && all[2] == 0.0, "{all:?}");
    assert!(all[0] <= 1.0);
    for (text, score) in texts.iter().zip(&all) {
        assert_eq!(scores(&LateInteraction::default(), question, &[text]), [*score]);
    }
    let itself = scores(&model, texts[0], &texts[..1])[0];
    assert!((itself - 1.0).abs() < 1e-3, "{itself}");
}
