//! From a question to its answer: the pipeline that every command shares.

mod build;
mod read;
mod retrieve;

pub use build::PipelineBuilder;

use std::sync::Arc;

use fiel_embedding::{CrossEncoder, Embedder, dot};
use fiel_models::DeviceClass;
use fiel_retrieval::{BuiltIndex, LateInteraction, Retriever, ScoredItem, chunks_digest, top_k};
use fiel_text::Lang;

use crate::{
    Error, PipelineSettings, PromptSets, language_model::SharedLanguageModel,
    prompt::ReaderPrompts, settings::EXTRACTIVE,
};

/// Retrieves passages for questions and answers questions from passages. `fiel eval` measures the
/// pipeline that `fiel ask` runs.
pub struct Pipeline {
    embedder: Arc<Embedder>,
    embedder_digest: String,
    built: Arc<BuiltIndex>,
    retriever: Retriever,
    reranker: Option<Reranker>,
    /// The reader model; also loaded if it rewrites or reranks.
    model: Option<SharedLanguageModel>,
    /// Whether questions are answered.
    reads: bool,
    prompts: PromptSets<ReaderPrompts>,
    settings: PipelineSettings,
    class: DeviceClass,
    /// Language of the documents.
    lang: Lang,
}

enum Reranker {
    LateInteraction(Arc<LateInteraction>),
    CrossEncoder(Arc<CrossEncoder>),
    Llm(SharedLanguageModel),
}

impl Pipeline {
    /// The settings of the pipeline.
    pub fn settings(&self) -> &PipelineSettings {
        &self.settings
    }

    /// The retriever.
    pub fn retriever(&self) -> &Retriever {
        &self.retriever
    }

    /// Class of the device that models run on.
    pub fn device_class(&self) -> DeviceClass {
        self.class
    }

    /// Digest of the files of the embedder.
    pub fn embedder_digest(&self) -> &str {
        &self.embedder_digest
    }

    /// Digest of the file of the language model, `extractive`, or `None` without a reader.
    pub fn reader_digest(&self) -> Option<String> {
        match &self.model {
            Some(model) => Some(model.lock().digest().to_owned()),
            None => self.reads.then(|| EXTRACTIVE.to_owned()),
        }
    }

    /// SHA-256 of the prompts.
    pub fn prompts_digest(&self) -> &str {
        self.prompts.digest()
    }

    /// The key of the cross-encoder: everything that its scores depend on besides the texts. `None`
    /// without a cross-encoder.
    pub fn reranker_key(&self) -> Option<&str> {
        match &self.reranker {
            Some(Reranker::CrossEncoder(model)) => Some(model.key()),
            _ => None,
        }
    }

    /// The index with the statistics of its construction.
    pub fn built(&self) -> &BuiltIndex {
        &self.built
    }

    /// SHA-256 of the ids, spans and texts of all chunks.
    pub fn chunks_digest(&self) -> String {
        chunks_digest(self.retriever.chunks())
    }

    /// Sorts chunks, given by position, by their cosine with the question, nearest first.
    ///
    /// # Errors
    /// If embedding fails.
    ///
    /// # Panics
    /// If a position is out of range.
    pub fn nearest(&self, question: &str, chunks: Vec<usize>) -> Result<Vec<usize>, Error> {
        let all = self.retriever.chunks();
        let texts: Vec<String> = chunks.iter().map(|&chunk| all[chunk].passage()).collect();
        let cosines = self.cosines(question, &texts)?;
        let scored = chunks.iter().zip(cosines);
        let scored = scored.map(|(&item, score)| ScoredItem { item, score });
        let nearest = top_k(scored, chunks.len())?;
        Ok(nearest.into_iter().map(|s| s.item).collect())
    }

    fn cosines(&self, question: &str, texts: &[String]) -> Result<Vec<f64>, Error> {
        let mut batch = vec![question];
        batch.extend(texts.iter().map(String::as_str));
        let vectors = self.embedder.embed(&batch, &mut |_| {})?;
        let cosine = |text| f64::from(dot(vectors.row(0), text));
        Ok(vectors.rows().skip(1).map(cosine).collect())
    }
}
