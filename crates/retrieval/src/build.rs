//! Builds the index of a knowledge base: cuts documents into chunks, embeds and indexes them.

use std::{
    borrow::Cow,
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::Arc,
};

use fiel_corpus::{Chunk, KnowledgeBase};
use fiel_embedding::{Embedder, EmbeddingCache};
use fiel_store::{GeneratedFolder, sha256_hex};
use fiel_text::id::DocId;

use crate::{Analysis, ChunkSettings, Error, Index, Mode, RetrieveSettings};

/// Builds indexes. Calls with settings that lead to the same index share it.
pub struct IndexBuilder {
    caches: PathBuf,
    built: BTreeMap<String, Arc<BuiltIndex>>,
}

/// An index with the statistics of its construction.
pub struct BuiltIndex {
    /// The index.
    pub index: Arc<Index>,
    /// Ids of documents without a chunk.
    pub blank_documents: Vec<DocId>,
    /// Number of texts embedded; the vectors of the others came from the cache.
    pub newly_embedded: usize,
    /// Number of indexed texts longer than the embedder reads.
    pub truncated_texts: usize,
    /// Number of indexed texts of which the vocabulary of the embedder lacks more than half.
    pub unknown_texts: usize,
}

impl IndexBuilder {
    /// Creates a builder that caches embeddings and graphs below `caches`.
    pub fn new(caches: &Path) -> Self {
        Self { caches: caches.to_owned(), built: BTreeMap::new() }
    }

    /// Cuts, embeds and indexes a knowledge base. `progress` receives the number of texts embedded
    /// so far and the number of texts to embed.
    ///
    /// # Errors
    /// [`Error::NoChunks`] if no document has text, or the error of the step that fails.
    pub fn build(
        &mut self,
        kb: &KnowledgeBase,
        chunk: &ChunkSettings,
        retrieve: &RetrieveSettings,
        embedder: &Embedder,
        progress: &mut dyn FnMut(usize, usize),
    ) -> Result<Arc<BuiltIndex>, Error> {
        let analysis = Analysis {
            language: kb.info.lang,
            stop_words: retrieve.stop_words,
            title_boost: retrieve.title_boost,
            exact_weight: retrieve.exact_weight,
            pair_weight: retrieve.pair_weight,
            gram_weight: retrieve.gram_weight,
        };
        // BM25 alone needs no vectors.
        let has_vectors = retrieve.mode != Mode::Bm25;
        let key = format!(
            "{} {chunk:?} {} {analysis:?} {:?} {has_vectors}",
            kb.digest(),
            embedder.key(),
            retrieve.dense
        );
        if let Some(built) = self.built.get(&key) {
            return Ok(Arc::clone(built));
        }
        let (chunks, blank_documents) = cut_documents(kb, chunk, embedder)?;
        if chunks.is_empty() {
            return Err(Error::NoChunks { kb: kb.name.clone(), documents: kb.documents.len() });
        }
        let entries: Vec<String> =
            chunks.iter().flat_map(Chunk::index_texts).map(Cow::into_owned).collect();
        let texts: Vec<&str> = entries.iter().map(String::as_str).collect();
        let (mut vectors, mut newly_embedded) = (None, 0);
        let (mut truncated_texts, mut unknown_texts) = (0, 0);
        if has_vectors {
            let folder = GeneratedFolder::Embeddings.path(&self.caches);
            let mut cache = EmbeddingCache::open(&folder, embedder);
            let (embedded, new) = cache.embed(embedder, &texts, progress)?;
            (vectors, newly_embedded) = (Some(embedded), new);
            truncated_texts = texts.iter().filter(|text| embedder.is_cut(text)).count();
            unknown_texts = texts.iter().filter(|text| embedder.is_unknown(text)).count();
        }
        let graphs = GeneratedFolder::Graphs.path(&self.caches);
        let index =
            Index::build(chunks, vectors.as_ref(), analysis, retrieve.dense, Some(&graphs))?;
        let built = Arc::new(BuiltIndex {
            index: Arc::new(index),
            blank_documents,
            newly_embedded,
            truncated_texts,
            unknown_texts,
        });
        self.built.insert(key, Arc::clone(&built));
        Ok(built)
    }
}

/// Cuts the documents of a knowledge base into chunks, whose length is counted in word pieces of
/// the embedder. Returns the chunks, document by document, and the ids of documents without a chunk.
///
/// # Errors
/// [`Error::Corpus`] if a setting is out of range.
pub fn cut_documents(
    kb: &KnowledgeBase,
    settings: &ChunkSettings,
    embedder: &Embedder,
) -> Result<(Vec<Chunk>, Vec<DocId>), Error> {
    let chunker = settings.chunker()?;
    let (mut chunks, mut blank_documents) = (Vec::new(), Vec::new());
    for doc in &kb.documents {
        let doc_chunks = chunker.chunks(doc, &|text| embedder.piece_count(text));
        if doc_chunks.is_empty() {
            blank_documents.push(doc.id.clone());
        }
        chunks.extend(doc_chunks);
    }
    Ok((chunks, blank_documents))
}

/// SHA-256 of the ids, spans and texts of chunks, in their order.
pub fn chunks_digest(chunks: &[Chunk]) -> String {
    let mut all = String::new();
    for chunk in chunks {
        let text = sha256_hex(chunk.passage().as_bytes());
        all.push_str(&format!("{}\t{:?}\t{text}\n", chunk.id, chunk.span));
        for entry in &chunk.entries {
            all.push_str(&format!("\t{}\n", sha256_hex(entry.as_bytes())));
        }
    }
    sha256_hex(all.as_bytes())
}
