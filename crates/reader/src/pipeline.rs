use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use fiel_corpus::KnowledgeBase;
use fiel_embedding::{CrossEncoder, Embedder, dot};
use fiel_metrics::Lang;
use fiel_models::{DeviceClass, select_device};
use fiel_retrieval::{
    DenseKind, Explanation, Late, Query, RerankMethod, Reranker, Retrieved, Retriever,
    RewriteMethod, Scored, TokenCache, top_k,
};

use crate::{
    Context, Error, GuardScore, PipelineSettings, Stock, assemble,
    attributed::attributed,
    dont_know, extractive, is_abstention,
    language_model::LanguageModel,
    not_enough,
    prompt::Prompts,
    said::said,
    sample::Sampling,
    settings::EXTRACTIVE,
    stock::{Indexed, SharedEmbedder, chunks_digest},
};

/// What a long step tells while it works.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// Texts embedded so far, and in all.
    Embedding(usize, usize),
    /// The weights of the reader are being read.
    LoadingReader,
}

/// An answer with all that led to it.
#[derive(Clone, Debug, Default, PartialEq)]
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
    /// What the passages have to do with the question, where there is a guard.
    pub guard: Option<GuardScore>,
    /// Whether the guard answered and not the reader.
    pub guarded: bool,
    /// Id of the passage that supports an answer without a citation best, with `read.repair`.
    pub attributed: Option<String>,
    /// What the model said first, where that only repeated the question and the answer took its
    /// place.
    pub echoed: Option<String>,
}

/// Tokens of the keywords that a language model may write for a question.
const KEYWORD_TOKENS: usize = 32;

/// From a question to its answer. What `eval` measures is what `ask` runs.
pub struct Pipeline {
    embedder: SharedEmbedder,
    indexed: Arc<Indexed>,
    retriever: Retriever,
    rerank: Rerank,
    model: Option<Arc<Mutex<LanguageModel>>>,
    reads: bool,
    prompts: Prompts,
    settings: PipelineSettings,
    class: DeviceClass,
    /// Language of the documents.
    lang: Lang,
}

enum Rerank {
    None,
    Late(Arc<TokenCache>),
    CrossEncoder(Arc<CrossEncoder>),
    Llm,
}

impl Pipeline {
    /// Cuts, embeds and indexes a knowledge base, or takes from the stock what is there. `reads`:
    /// whether questions are to be answered, too; else only [`retrieve`](Self::retrieve) works.
    ///
    /// # Errors
    /// When a setting makes no sense, a model is missing, or an index cannot be built.
    pub fn build(
        kb: &KnowledgeBase,
        settings: &PipelineSettings,
        reads: bool,
        stock: &mut Stock,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Self, Error> {
        stock.check(settings, reads)?;
        let (device, class) = select_device(settings.device)?;
        let indexed = stock.index(kb, settings, progress)?;
        let retriever = Retriever::new(
            Arc::clone(&indexed.index),
            settings.retrieve.clone(),
            settings.rewrite.clone(),
        )?;
        let rerank = match settings.rerank.method {
            RerankMethod::None => Rerank::None,
            RerankMethod::Late => Rerank::Late(stock.tokens()),
            RerankMethod::CrossEncoder => {
                Rerank::CrossEncoder(stock.cross_encoder(&settings.rerank.model, settings.device)?)
            }
            RerankMethod::Llm => Rerank::Llm,
        };
        let model = match settings.needs_language_model(reads) {
            true => Some(stock.language_model(&settings.read.model, &device, class)?),
            false => None,
        };
        Ok(Self {
            embedder: stock.embedder(&settings.embed.model, settings.device)?,
            indexed,
            retriever,
            rerank,
            model,
            reads,
            prompts: Prompts::load(settings.read.prompt.as_deref())?,
            settings: settings.clone(),
            class,
            lang: kb.info.lang,
        })
    }

    /// The settings it was built with.
    pub fn settings(&self) -> &PipelineSettings {
        &self.settings
    }

    /// The indexes and how they are searched.
    pub fn retriever(&self) -> &Retriever {
        &self.retriever
    }

    /// Class of the device that models run on.
    pub fn device_class(&self) -> DeviceClass {
        self.class
    }

    /// Digest of the embedder's files.
    pub fn embedder_digest(&self) -> &str {
        &self.embedder.digest
    }

    /// Digest of the files of the language model, `extractive`, or `None` without a reader.
    pub fn reader_digest(&self) -> Option<String> {
        match &self.model {
            Some(model) => Some(locked(model).digest().to_owned()),
            None => self.reads.then(|| EXTRACTIVE.to_owned()),
        }
    }

    /// SHA-256 of what a language model is asked beside question and passages.
    pub fn prompts_digest(&self) -> &str {
        self.prompts.digest()
    }

    /// What the scores of the cross-encoder depend on besides their texts, where one reranks.
    pub fn reranker_key(&self) -> Option<&str> {
        match &self.rerank {
            Rerank::CrossEncoder(model) => Some(model.key()),
            _ => None,
        }
    }

    /// Documents without any text.
    pub fn blank_documents(&self) -> &[String] {
        &self.indexed.blank_documents
    }

    /// Texts that were embedded when the index was made and not taken from the cache.
    pub fn embedded_now(&self) -> usize {
        self.indexed.embedded_now
    }

    /// Texts of which the embedder reads only the beginning.
    pub fn cut_chunks(&self) -> usize {
        self.indexed.cut_chunks
    }

    /// SHA-256 over ids, spans and texts of all chunks.
    pub fn chunks_digest(&self) -> String {
        chunks_digest(self.retriever.chunks())
    }

    /// The passages for a question: rewritten, found by the legs, fused, reranked.
    ///
    /// # Errors
    /// When the question is empty or a step fails.
    pub fn retrieve(&self, question: &str) -> Result<Retrieved, Error> {
        let rewritten = self.rewrite(question)?;
        let found =
            self.retriever
                .search(self.embedder(), rewritten.query(question), self.wanted())?;
        self.finish(question, rewritten, found)
    }

    /// The same, and what an exact scan in the dense leg gives; `None` where the dense leg is exact
    /// or not used.
    ///
    /// # Errors
    /// As [`retrieve`](Self::retrieve).
    pub fn retrieve_both(&self, question: &str) -> Result<(Retrieved, Option<Retrieved>), Error> {
        let found = self.retrieve(question)?;
        if self.retriever.dense_kind() != Some(DenseKind::Hnsw) {
            return Ok((found, None));
        }
        let rewritten = Rewritten {
            text: found.rewritten.clone(),
            keywords: found.keywords.clone(),
            time: Duration::ZERO,
        };
        let query = rewritten.query(question);
        let exact = self
            .retriever
            .search_exact(self.embedder(), query, self.wanted())?;
        let exact = match exact.nearest == found.nearest {
            true => found.clone(),
            false => self.finish(question, rewritten, exact)?,
        };
        Ok((found, Some(exact)))
    }

    /// Why a chunk, by its position, has its place in the legs.
    ///
    /// # Errors
    /// As [`retrieve`](Self::retrieve).
    ///
    /// # Panics
    /// When there is no such chunk.
    pub fn explain(&self, question: &str, chunk: usize) -> Result<Explanation, Error> {
        let rewritten = self.rewrite(question)?;
        let query = rewritten.query(question);
        Ok(self.retriever.explain(self.embedder(), query, chunk)?)
    }

    fn embedder(&self) -> &Embedder {
        &self.embedder.embedder
    }

    /// Passages that the legs must give.
    fn wanted(&self) -> usize {
        let top_k = self.settings.retrieve.top_k;
        match self.rerank {
            Rerank::None => top_k,
            _ => top_k.max(self.settings.rerank.depth),
        }
    }

    fn rewrite(&self, question: &str) -> Result<Rewritten, Error> {
        let started = Instant::now();
        let mut out = Rewritten::default();
        match (self.settings.rewrite.method, &self.model) {
            (RewriteMethod::Typo, _) => {
                let is_word = |word: &str| self.embedder().pieces(word) == 1;
                let repaired = self.indexed.index.repaired(question, &is_word);
                out.text = (repaired != question).then_some(repaired);
            }
            (RewriteMethod::Llm, Some(model)) => {
                let mut model = locked(model);
                let prompt = model.render(&self.prompts.keywords(question, self.lang)?)?;
                let said = model.answer(
                    &prompt,
                    KEYWORD_TOKENS,
                    Sampling::GREEDY,
                    false,
                    &mut |_| {},
                    &mut || {},
                )?;
                out.keywords = Some(said.text);
            }
            _ => {}
        }
        out.time = started.elapsed();
        Ok(out)
    }

    fn finish(
        &self,
        question: &str,
        rewritten: Rewritten,
        mut found: Retrieved,
    ) -> Result<Retrieved, Error> {
        let started = Instant::now();
        let depth = self.settings.rerank.depth.min(found.hits.len());
        let chunks = self.retriever.chunks();
        let passages: Vec<String> = match self.rerank {
            Rerank::None => Vec::new(),
            _ => found.hits[..depth]
                .iter()
                .map(|hit| chunks[hit.chunk].passage())
                .collect(),
        };
        let passages: Vec<&str> = passages.iter().map(String::as_str).collect();
        let asked = rewritten.query(question).text;
        let scores = match (&self.rerank, &self.model) {
            (Rerank::Late(cache), _) => Late {
                embedder: self.embedder(),
                cache,
            }
            .scores(asked, &passages)?,
            (Rerank::CrossEncoder(model), _) => {
                let scores = model.scores(asked, &passages)?;
                scores.into_iter().map(f64::from).collect()
            }
            (Rerank::Llm, Some(model)) => {
                let mut model = locked(model);
                let yes = |passage: &&str| {
                    let turns = self.prompts.relevance(asked, passage, self.lang)?;
                    let prompt = model.render(&turns)?;
                    model.yes(&prompt)
                };
                passages.iter().map(yes).collect::<Result<_, Error>>()?
            }
            _ => Vec::new(),
        };
        if !scores.is_empty() {
            found.rerank(&scores, self.settings.rerank.weight)?;
        }
        found.hits.truncate(self.settings.retrieve.top_k);
        found.rerank_time = started.elapsed();
        found.rewrite_time = rewritten.time;
        found.rewritten = rewritten.text;
        found.keywords = rewritten.keywords;
        Ok(found)
    }

    /// The context that [`read`](Self::read) would offer: chunks by position, best first.
    pub fn context(&self, chunks: &[usize]) -> Context {
        let all = self.retriever.chunks();
        let chosen = chunks.iter().filter_map(|&at| all.get(at));
        let model = self.model.as_ref().map(|model| locked(model));
        let count = |text: &str| match &model {
            Some(model) => model.count(text),
            None => self.embedder().pieces(text),
        };
        assemble(chosen, self.settings.read.context_tokens, &count)
    }

    /// What chunks, by position, have to do with a question; see `[read.guard]`.
    ///
    /// # Errors
    /// When a leg fails.
    pub fn guard_score(&self, question: &str, chunks: &[usize]) -> Result<GuardScore, Error> {
        let all = self.retriever.chunks();
        let texts: Vec<String> = chunks
            .iter()
            .filter_map(|&at| all.get(at))
            .map(|c| c.passage())
            .collect();
        if texts.is_empty() || question.trim().is_empty() {
            return Ok(GuardScore::default());
        }
        let mut together = vec![question];
        together.extend(texts.iter().map(String::as_str));
        let vectors = self.embedder().embed(&together, &mut |_| {})?;
        let mut score = GuardScore::default();
        for (at, text) in texts.iter().enumerate() {
            let cosine = f64::from(dot(vectors.row(0), vectors.row(at + 1)));
            score.cosine = score.cosine.max(cosine);
            score.share = score
                .share
                .max(self.indexed.index.idf_share(question, text));
        }
        Ok(score)
    }

    /// Chunks by position, nearest to the question first.
    ///
    /// # Errors
    /// When embedding fails.
    pub fn nearest(&self, question: &str, chunks: Vec<usize>) -> Result<Vec<usize>, Error> {
        let all = self.retriever.chunks();
        let texts: Vec<String> = chunks.iter().map(|&at| all[at].passage()).collect();
        let mut together = vec![question];
        together.extend(texts.iter().map(String::as_str));
        let vectors = self.embedder().embed(&together, &mut |_| {})?;
        let scored = chunks.iter().enumerate().map(|(row, &item)| Scored {
            item,
            score: f64::from(dot(vectors.row(0), vectors.row(row + 1))),
        });
        Ok(top_k(scored, chunks.len())?
            .into_iter()
            .map(|s| s.item)
            .collect())
    }

    /// As [`read`](Self::read), unless the guard says that nothing was found: then the reader is
    /// not asked.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn read_guarded(
        &self,
        question: &str,
        chunks: &[usize],
        lang: Lang,
        fresh: bool,
        sink: &mut dyn FnMut(&str),
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Outcome, Error> {
        let started = Instant::now();
        let guard = match self.settings.read.guard {
            None => None,
            Some(guard) => Some((guard, self.guard_score(question, chunks)?)),
        };
        if !guard.is_some_and(|(guard, score)| guard.refuses(score)) {
            return Ok(Outcome {
                guard: guard.map(|(_, score)| score),
                ..self.read(question, chunks, lang, fresh, sink, progress)?
            });
        }
        let answer = not_enough(lang).to_owned();
        sink(&answer);
        Ok(Outcome {
            context: self.context(chunks),
            answer,
            abstained: true,
            guard: guard.map(|(_, score)| score),
            guarded: true,
            time: started.elapsed(),
            ..Outcome::default()
        })
    }

    /// Answers a question from given chunks, best first. `sink` is given the answer as it comes;
    /// `fresh` asks past the cache.
    ///
    /// # Errors
    /// When there is no reader, the prompt is too long, or the model fails.
    pub fn read(
        &self,
        question: &str,
        chunks: &[usize],
        lang: Lang,
        fresh: bool,
        sink: &mut dyn FnMut(&str),
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Outcome, Error> {
        let mut outcome = self.read_with(question, chunks, lang, (fresh, 0), sink, progress)?;
        if self.settings.read.repair {
            outcome.attributed = attributed(&outcome, lang);
        }
        Ok(outcome)
    }

    /// Answers again, past the cache: `number` is added to `read.seed`.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn read_again(
        &self,
        question: &str,
        chunks: &[usize],
        lang: Lang,
        number: u64,
    ) -> Result<Outcome, Error> {
        self.read_with(
            question,
            chunks,
            lang,
            (true, number),
            &mut |_| {},
            &mut |_| {},
        )
    }

    fn read_with(
        &self,
        question: &str,
        chunks: &[usize],
        lang: Lang,
        (fresh, number): (bool, u64),
        sink: &mut dyn FnMut(&str),
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Outcome, Error> {
        let context = self.context(chunks);
        let started = Instant::now();
        let mut outcome = Outcome {
            context,
            ..Outcome::default()
        };
        if !self.reads {
            return Err(Error::BadSetting {
                setting: "read.model",
                value: self.settings.read.model.clone(),
                reason: "no reader was loaded",
            });
        }
        let model = self
            .model
            .as_ref()
            .filter(|_| self.settings.read.model != EXTRACTIVE);
        if let Some(model) = model {
            let mut model = locked(model);
            outcome.prompt = self.fitted(&model, question, &mut outcome.context, lang)?;
            // Where nothing was found, nothing is asked of a model.
            if !outcome.context.passages.is_empty() {
                let (said, echoed) = said(
                    &self.settings.read,
                    &mut model,
                    (question, &outcome, lang),
                    (fresh, number),
                    sink,
                    &mut || progress(Progress::LoadingReader),
                )?;
                outcome.abstained = is_abstention(&said.text);
                outcome.answer = said.text;
                outcome.echoed = echoed;
                outcome.prompt_tokens = said.prompt_tokens;
                outcome.answer_tokens = said.answer_tokens;
                outcome.time = said.time;
                outcome.cached = said.cached;
                return Ok(outcome);
            }
            outcome.prompt.clear();
        }
        let passages = &outcome.context.passages;
        let found = match model {
            None => extractive::answer(self.embedder(), question, passages, lang)?,
            Some(_) => None,
        };
        outcome.answer = found.unwrap_or_else(|| dont_know(lang).to_owned());
        sink(&outcome.answer);
        outcome.abstained = is_abstention(&outcome.answer);
        outcome.time = started.elapsed();
        Ok(outcome)
    }

    /// The prompt of a context, whose last passages are dropped until the model can read it.
    fn fitted(
        &self,
        model: &LanguageModel,
        question: &str,
        context: &mut Context,
        lang: Lang,
    ) -> Result<String, Error> {
        let read = &self.settings.read;
        loop {
            let turns = self
                .prompts
                .answer(question, &context.passages, read.order, lang)?;
            let prompt = model.render(&turns)?;
            let fits = model.count(&prompt) + read.max_answer_tokens <= model.capacity();
            if fits || !context.drop_last() {
                return Ok(prompt);
            }
        }
    }

    /// Retrieves and reads.
    ///
    /// # Errors
    /// As [`retrieve`](Self::retrieve) and [`read`](Self::read).
    pub fn ask(
        &self,
        question: &str,
        lang: Lang,
        fresh: bool,
        sink: &mut dyn FnMut(&str),
        progress: &mut dyn FnMut(Progress),
    ) -> Result<(Retrieved, Outcome), Error> {
        let retrieved = self.retrieve(question)?;
        let chunks = self.top(&retrieved);
        let outcome = self.read_guarded(question, &chunks, lang, fresh, sink, progress)?;
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

/// What became of a question before it was searched for.
#[derive(Default)]
struct Rewritten {
    /// The question repaired, where it had to be.
    text: Option<String>,
    /// Keywords for a further list.
    keywords: Option<String>,
    time: Duration,
}

impl Rewritten {
    fn query<'a>(&'a self, question: &'a str) -> Query<'a> {
        Query {
            text: self.text.as_deref().unwrap_or(question),
            keywords: self.keywords.as_deref(),
        }
    }
}

/// A panic while the model was in use leaves no half state that the next prompt would see: what
/// was read is forgotten before each.
fn locked(model: &Mutex<LanguageModel>) -> MutexGuard<'_, LanguageModel> {
    model.lock().unwrap_or_else(PoisonError::into_inner)
}
