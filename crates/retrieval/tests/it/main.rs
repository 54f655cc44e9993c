//! The retrievers and their fusion over a few chunks, with real embeddings.

// clippy.toml allows it in test functions only, and helpers are not test functions.
#![allow(clippy::unwrap_used)]

mod explained;
mod modes;
mod rewritten;

use std::sync::{Arc, OnceLock};

use fiel_corpus::{Chunk, ChunkKind, Chunker, Document};
use fiel_embedding::Embedder;
use fiel_models::{DeviceChoice, ModelStore, ModelStoreOptions, select_device};
use fiel_retrieval::{Analysis, Index, RetrieveSettings, Retrieved, Retriever, RewriteSettings};

/// The embedder of all tests, loaded from the user's store.
fn embedder() -> &'static Embedder {
    static EMBEDDER: OnceLock<Embedder> = OnceLock::new();
    EMBEDDER.get_or_init(|| {
        let options = ModelStoreOptions { quiet: true, ..ModelStoreOptions::from_env() };
        let store = ModelStore::new(options).unwrap();
        let (device, class) = select_device(DeviceChoice::Cpu).unwrap();
        Embedder::load(&store.ensure("all-MiniLM-L6-v2").unwrap(), &device, class).unwrap()
    })
}

/// Documents of one chunk each.
const DOCUMENTS: [(&str, &str); 8] = [
    ("buy", "The past of buy is bought (Spanish: compró)."),
    ("bring", "The past of bring is brought (Spanish: trajo)."),
    ("drink", "Drink, drank, drunk: a vowel that changes twice."),
    ("eat", "Eat has the forms ate and eaten."),
    ("gerund", "Enjoy and avoid are followed by the -ing form."),
    ("modal", "Must says that something is an obligation."),
    ("passive", "The house was built in 1900."),
    ("tags", "It is late, isn't it?"),
];

fn chunks() -> Vec<Chunk> {
    let chunker = Chunker::new(ChunkKind::Structure, 64, 0).unwrap();
    let documents = DOCUMENTS.map(|(id, text)| Document::plain(id, text));
    let doc_chunks = |doc| chunker.chunks(doc, &|text| embedder().piece_count(text));
    documents.iter().flat_map(doc_chunks).collect()
}

/// An index over the documents, built from chunks in any order.
fn retriever(chunks: Vec<Chunk>, settings: RetrieveSettings) -> Retriever {
    rewriting(chunks, settings, RewriteSettings::default())
}

fn rewriting(
    mut chunks: Vec<Chunk>,
    settings: RetrieveSettings,
    rewrite: RewriteSettings,
) -> Retriever {
    chunks.reverse();
    let entries: Vec<String> =
        chunks.iter().flat_map(Chunk::index_texts).map(std::borrow::Cow::into_owned).collect();
    let texts: Vec<&str> = entries.iter().map(String::as_str).collect();
    let vectors = embedder().embed(&texts, &mut |_| {}).unwrap();
    let index =
        Index::build(chunks, Some(&vectors), Analysis::default(), settings.dense, None).unwrap();
    Retriever::new(Arc::new(index), settings, rewrite).unwrap()
}

fn search(retriever: &Retriever, question: &str) -> Retrieved {
    let k = retriever.settings().top_k;
    retriever.search(embedder(), question.into(), k).unwrap()
}

/// Ids of the documents found, best first.
fn found(retriever: &Retriever, question: &str) -> Vec<String> {
    let hits = search(retriever, question).hits;
    hits.iter().map(|hit| retriever.chunks()[hit.chunk].doc.to_string()).collect()
}
