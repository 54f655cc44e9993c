use std::{
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use candle_core::Device;
use fiel_corpus::{Chunk, ChunkKind, Chunker, KnowledgeBase, sha256_hex};
use fiel_embedding::{Embedder, EmbeddingCache};
use fiel_metrics::Lang;
use fiel_models::{DeviceClass, ModelFiles, Store, Task, llm::DecoderConfig, select_device};
use fiel_retrieval::{Language, Retrieved, Retriever};

use crate::{
    Context, Error, PipelineSettings, assemble,
    cache::{AnswerCache, Stored},
    dont_know, extractive, is_abstention,
    llm::LlmReader,
    prompt::PROMPT_VERSION,
};

/// What a long step tells while it works.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// Chunks embedded so far, and in all.
    Embedding(usize, usize),
    /// The weights of the reader are being read.
    LoadingReader,
}

/// An answer with all that led to it.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// The passages offered and those left out.
    pub context: Context,
    /// The whole prompt; empty for a reader without a language model.
    pub prompt: String,
    /// The answer with its citations.
    pub answer: String,
    /// Whether it is a refusal.
    pub abstained: bool,
    /// Tokens of the prompt.
    pub prompt_tokens: usize,
    /// Tokens of the answer.
    pub answer_tokens: usize,
    /// Time to read and answer.
    pub time: Duration,
    /// Whether the answer came from the cache; `time` then says nothing about the reader.
    pub cached: bool,
}

/// The reader that needs no language model.
const EXTRACTIVE: &str = "extractive";

enum Reader {
    Extractive,
    Llm(Box<LlmReader>),
}

/// From a question to its answer. What `eval` measures is what `ask` runs.
pub struct Pipeline {
    embedder: Embedder,
    retriever: Retriever,
    reader: Option<Reader>,
    answers: Option<AnswerCache>,
    settings: PipelineSettings,
    device: Device,
    class: DeviceClass,
    embedder_digest: String,
    reader_digest: Option<String>,
    blank_documents: Vec<String>,
    embedded_now: usize,
    cut_chunks: usize,
    caches: PathBuf,
}

impl Pipeline {
    /// Cuts, embeds and indexes a knowledge base. `caches` is the folder for generated files.
    /// The reader is added by [`with_reader`](Self::with_reader).
    ///
    /// # Errors
    /// When a setting makes no sense, the model is missing, or an index cannot be built.
    pub fn build(
        kb: &KnowledgeBase,
        settings: &PipelineSettings,
        store: &Store,
        caches: &Path,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Self, Error> {
        settings.retrieve.check()?;
        check_read(settings)?;
        Chunker::new(
            ChunkKind::Structure,
            settings.chunk.size,
            settings.chunk.overlap,
        )?;
        let (device, class) = select_device(settings.device)?;
        let (embedder, files) = embedder(settings, store, &device, class)?;
        let (chunks, blank_documents) = cut(kb, settings, &embedder)?;
        if chunks.is_empty() {
            return Err(Error::NoChunks {
                kb: kb.name.clone(),
                documents: kb.documents.len(),
            });
        }
        let passages: Vec<String> = chunks.iter().map(Chunk::passage).collect();
        let cut_chunks = passages.iter().filter(|p| embedder.is_cut(p)).count();
        let texts: Vec<&str> = passages.iter().map(String::as_str).collect();
        let mut cache = EmbeddingCache::open(&caches.join("embeddings"), &embedder)?;
        let (vectors, embedded_now) = cache.embed(&embedder, &texts, &mut |done, of| {
            progress(Progress::Embedding(done, of))
        })?;
        let language = Language::from_code(&kb.info.lang);
        let retriever = Retriever::build(chunks, &vectors, language, settings.retrieve.clone())?;
        Ok(Self {
            embedder,
            retriever,
            reader: None,
            answers: None,
            settings: settings.clone(),
            device,
            class,
            embedder_digest: files.digest(),
            reader_digest: None,
            blank_documents,
            embedded_now,
            cut_chunks,
            caches: caches.to_owned(),
        })
    }

    /// Finds or fetches the reader that the settings name, so that one that cannot be had is known
    /// before anything is embedded.
    ///
    /// # Errors
    /// As [`with_reader`](Self::with_reader).
    pub fn check_reader(settings: &PipelineSettings, store: &Store) -> Result<(), Error> {
        if settings.read.model != EXTRACTIVE {
            let files = reader_files(store, &settings.read.model)?;
            DecoderConfig::read(files.gguf()?)?;
        }
        Ok(())
    }

    /// Adds the reader that the settings name, fetching it when it is missing.
    ///
    /// # Errors
    /// When the model cannot be had or is no language model.
    pub fn with_reader(mut self, store: &Store) -> Result<Self, Error> {
        let read = &self.settings.read;
        if read.model == EXTRACTIVE {
            self.reader = Some(Reader::Extractive);
            self.reader_digest = Some(EXTRACTIVE.to_owned());
            return Ok(self);
        }
        let files = reader_files(store, &read.model)?;
        let reader = LlmReader::new(&files, &self.device, read.max_answer_tokens)?;
        let digest = files.digest();
        let identity = format!(
            "{digest} prompt {PROMPT_VERSION} greedy {} {}",
            read.max_answer_tokens, self.class
        );
        self.answers = Some(AnswerCache::new(&self.caches.join("answers"), identity));
        self.reader = Some(Reader::Llm(Box::new(reader)));
        self.reader_digest = Some(digest);
        Ok(self)
    }

    /// The settings it was built with.
    pub fn settings(&self) -> &PipelineSettings {
        &self.settings
    }

    /// The indexes.
    pub fn retriever(&self) -> &Retriever {
        &self.retriever
    }

    /// Class of the device that models run on.
    pub fn device_class(&self) -> DeviceClass {
        self.class
    }

    /// Digest of the embedder's files.
    pub fn embedder_digest(&self) -> &str {
        &self.embedder_digest
    }

    /// Digest of the reader's files; `None` without a reader.
    pub fn reader_digest(&self) -> Option<&str> {
        self.reader_digest.as_deref()
    }

    /// Documents without any text.
    pub fn blank_documents(&self) -> &[String] {
        &self.blank_documents
    }

    /// Chunks that were embedded now and not taken from the cache.
    pub fn embedded_now(&self) -> usize {
        self.embedded_now
    }

    /// Chunks of which the embedder reads only the beginning.
    pub fn cut_chunks(&self) -> usize {
        self.cut_chunks
    }

    /// SHA-256 over ids, spans and texts of all chunks.
    pub fn chunks_digest(&self) -> String {
        chunks_digest(self.retriever.chunks())
    }

    /// The passages for a question.
    ///
    /// # Errors
    /// When the question is empty or a leg fails.
    pub fn retrieve(&self, question: &str) -> Result<Retrieved, Error> {
        Ok(self.retriever.search(&self.embedder, question)?)
    }

    /// The same with an exact scan in the dense leg.
    ///
    /// # Errors
    /// As [`retrieve`](Self::retrieve).
    pub fn retrieve_exact(&self, question: &str) -> Result<Retrieved, Error> {
        Ok(self.retriever.search_exact(&self.embedder, question)?)
    }

    /// The context that [`read`](Self::read) would offer: chunks by position, best first.
    pub fn context(&self, chunks: &[usize]) -> Context {
        let all = self.retriever.chunks();
        let chosen = chunks.iter().filter_map(|&at| all.get(at));
        let count = |text: &str| match &self.reader {
            Some(Reader::Llm(reader)) => reader.count(text),
            _ => self.embedder.pieces(text),
        };
        assemble(chosen, self.settings.read.context_tokens, &count)
    }

    /// Answers a question from given chunks, best first. `sink` is given the answer as it comes;
    /// `fresh` asks past the cache.
    ///
    /// # Errors
    /// When there is no reader, the prompt is too long, or the model fails.
    pub fn read(
        &mut self,
        question: &str,
        chunks: &[usize],
        lang: Lang,
        fresh: bool,
        sink: &mut dyn FnMut(&str),
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Outcome, Error> {
        let context = self.context(chunks);
        let started = Instant::now();
        let answer =
            |text: String, prompt: String, context: Context, tokens: (usize, usize), cached| {
                Outcome {
                    abstained: is_abstention(&text),
                    context,
                    prompt,
                    answer: text,
                    prompt_tokens: tokens.0,
                    answer_tokens: tokens.1,
                    time: started.elapsed(),
                    cached,
                }
            };
        if context.passages.is_empty() {
            // Nothing was found, so nothing is asked of a model.
            let text = dont_know(lang).to_owned();
            sink(&text);
            return Ok(answer(text, String::new(), context, (0, 0), false));
        }
        match &mut self.reader {
            None => Err(Error::BadSetting {
                setting: "read.model",
                value: self.settings.read.model.clone(),
                reason: "no reader was loaded",
            }),
            Some(Reader::Extractive) => {
                let best =
                    extractive::best_sentence(&self.embedder, question, &context.passages, lang)?;
                let text = best.unwrap_or_else(|| dont_know(lang).to_owned());
                sink(&text);
                Ok(answer(text, String::new(), context, (0, 0), false))
            }
            Some(Reader::Llm(reader)) => {
                let prompt = reader.prompt(question, &context.passages, lang);
                let cache = self.answers.as_ref().filter(|_| !fresh);
                if let Some(stored) = cache.map(|c| c.get(&prompt)).transpose()?.flatten() {
                    sink(&stored.text);
                    let tokens = (stored.prompt_tokens, stored.answer_tokens);
                    return Ok(answer(stored.text, prompt, context, tokens, true));
                }
                if !reader.is_loaded() {
                    progress(Progress::LoadingReader);
                    reader.decoder()?;
                }
                let started = Instant::now();
                let generated = reader.generate(&prompt, sink)?;
                let time = started.elapsed();
                let stored = Stored {
                    text: generated.text,
                    prompt_tokens: generated.prompt_tokens,
                    answer_tokens: generated.answer_tokens,
                };
                if let Some(cache) = &self.answers {
                    cache.put(&prompt, &stored)?;
                }
                let tokens = (stored.prompt_tokens, stored.answer_tokens);
                Ok(Outcome {
                    time,
                    ..answer(stored.text, prompt, context, tokens, false)
                })
            }
        }
    }

    /// Retrieves and reads.
    ///
    /// # Errors
    /// As [`retrieve`](Self::retrieve) and [`read`](Self::read).
    pub fn ask(
        &mut self,
        question: &str,
        lang: Lang,
        fresh: bool,
        sink: &mut dyn FnMut(&str),
        progress: &mut dyn FnMut(Progress),
    ) -> Result<(Retrieved, Outcome), Error> {
        let retrieved = self.retrieve(question)?;
        let chunks = self.top(&retrieved);
        let outcome = self.read(question, &chunks, lang, fresh, sink, progress)?;
        Ok((retrieved, outcome))
    }

    /// The chunks that end-to-end reading is given: the first `read.context_k`.
    pub fn top(&self, retrieved: &Retrieved) -> Vec<usize> {
        retrieved
            .hits
            .iter()
            .take(self.settings.read.context_k)
            .map(|hit| hit.chunk)
            .collect()
    }
}

/// The chunks of a knowledge base in the order of their ids, and their digest as in
/// [`Pipeline::chunks_digest`]. Nothing is embedded.
///
/// # Errors
/// When the embedder, whose tokens are counted, cannot be had.
pub fn chunks_of(
    kb: &KnowledgeBase,
    settings: &PipelineSettings,
    store: &Store,
) -> Result<(Vec<Chunk>, String), Error> {
    let (device, class) = select_device(settings.device)?;
    let (embedder, _) = embedder(settings, store, &device, class)?;
    let (mut chunks, _) = cut(kb, settings, &embedder)?;
    chunks.sort_by(|a, b| a.id.cmp(&b.id));
    let digest = chunks_digest(&chunks);
    Ok((chunks, digest))
}

fn embedder(
    settings: &PipelineSettings,
    store: &Store,
    device: &Device,
    class: DeviceClass,
) -> Result<(Embedder, ModelFiles), Error> {
    let model = &settings.embed.model;
    check_task(store, "embed.model", model, Task::Embedding)?;
    let files = store.ensure(model)?;
    Ok((Embedder::load(&files, device, class)?, files))
}

/// All chunks, and the documents that have none.
fn cut(
    kb: &KnowledgeBase,
    settings: &PipelineSettings,
    embedder: &Embedder,
) -> Result<(Vec<Chunk>, Vec<String>), Error> {
    let chunker = Chunker::new(
        ChunkKind::Structure,
        settings.chunk.size,
        settings.chunk.overlap,
    )?;
    let (mut chunks, mut blank) = (Vec::new(), Vec::new());
    for doc in &kb.documents {
        let of_doc = chunker.chunks(doc, &|text| embedder.pieces(text));
        if of_doc.is_empty() {
            blank.push(doc.id.clone());
        }
        chunks.extend(of_doc);
    }
    Ok((chunks, blank))
}

fn chunks_digest(chunks: &[Chunk]) -> String {
    let mut all = String::new();
    for chunk in chunks {
        all.push_str(&format!(
            "{}\t{:?}\t{}\n",
            chunk.id,
            chunk.span,
            sha256_hex(chunk.passage().as_bytes())
        ));
    }
    sha256_hex(all.as_bytes())
}

fn check_read(settings: &PipelineSettings) -> Result<(), Error> {
    let read = &settings.read;
    let positive = [
        ("read.context_k", read.context_k),
        ("read.context_tokens", read.context_tokens),
        ("read.max_answer_tokens", read.max_answer_tokens),
    ];
    for (setting, value) in positive {
        if value == 0 {
            return Err(Error::BadSetting {
                setting,
                value: value.to_string(),
                reason: "it must be at least 1",
            });
        }
    }
    if read.context_k > settings.retrieve.top_k {
        return Err(Error::BadSetting {
            setting: "read.context_k",
            value: read.context_k.to_string(),
            reason: "it may not be larger than retrieve.top_k",
        });
    }
    Ok(())
}

fn check_task(store: &Store, setting: &'static str, id: &str, wanted: Task) -> Result<(), Error> {
    // Only the registry knows what a model is for.
    match store.status_of(id)?.task {
        Some(task) if task != wanted => Err(Error::WrongTask {
            setting,
            id: id.to_owned(),
            task: task.to_string(),
        }),
        _ => Ok(()),
    }
}

/// A model of the registry or the hub, or a GGUF file by its path.
fn reader_files(store: &Store, model: &str) -> Result<ModelFiles, Error> {
    check_task(store, "read.model", model, Task::TextGeneration)?;
    Ok(store.ensure(model)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_that_make_no_sense_are_named() {
        let with = |change: fn(&mut PipelineSettings)| {
            let mut settings = PipelineSettings::default();
            change(&mut settings);
            check_read(&settings)
                .err()
                .map(|e| e.to_string())
                .unwrap_or_default()
        };
        assert_eq!(with(|_| {}), "");
        assert!(with(|s| s.read.context_k = 0).starts_with("read.context_k is 0"));
        assert!(with(|s| s.read.context_k = 11).contains("retrieve.top_k"));
    }
}
