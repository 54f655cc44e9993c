//! A chat model with a cache of its answers.

use std::{
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Instant,
};

use candle_core::Device;
use fiel_models::{
    DeviceClass, ModelFiles,
    llm::{ChatTokenizer, Turn},
};
use fiel_store::GeneratedFolder;

use crate::{
    Error, Observer, PipelineProgress,
    cache::AnswerCache,
    completion::{Completion, CompletionRequest, YesNo},
    generation::{LoadedModel, POSITIONS},
    prompt::PROMPT_VERSION,
    sampling::argmax,
};

/// A language model that several users share, one at a time.
#[derive(Clone)]
pub struct SharedLanguageModel(pub(crate) Arc<Mutex<LanguageModel>>);

impl SharedLanguageModel {
    /// Waits for the model. A panic of an earlier user is harmless: it leaves no tokens that count
    /// as read.
    pub fn lock(&self) -> MutexGuard<'_, LanguageModel> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A chat model whose answers are cached on disk. Its weights are loaded for the first prompt that
/// is not in the cache.
pub struct LanguageModel {
    path: PathBuf,
    digest: String,
    class: DeviceClass,
    device: Device,
    answers: PathBuf,
    tokenizer: ChatTokenizer,
    yes_tokens: Vec<u32>,
    no_tokens: Vec<u32>,
    loaded: Option<LoadedModel>,
}

impl LanguageModel {
    /// Loads the tokenizer. `caches` is the cache folder.
    pub(crate) fn new(
        files: &ModelFiles,
        device: &Device,
        class: DeviceClass,
        caches: &Path,
    ) -> Result<Self, Error> {
        let path = files.gguf()?.to_owned();
        let tokenizer = ChatTokenizer::load(&path)?;
        if tokenizer.chat_template().is_none() {
            return Err(Error::NoChat(path));
        }
        let ids = |words: [&str; 2]| words.iter().filter_map(|w| tokenizer.id(w)).collect();
        Ok(Self {
            path,
            digest: files.digest(),
            class,
            device: device.clone(),
            answers: GeneratedFolder::Answers.path(caches),
            yes_tokens: ids(["yes", "Yes"]),
            no_tokens: ids(["no", "No"]),
            tokenizer,
            loaded: None,
        })
    }

    /// Digest of the model file.
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// Class of the device that the model runs on.
    pub fn device_class(&self) -> DeviceClass {
        self.class
    }

    /// Maximum of tokens in a prompt with its answer.
    pub(crate) fn capacity(&self) -> usize {
        POSITIONS.min(self.tokenizer.context())
    }

    /// Number of tokens in a text.
    pub fn count(&self, text: &str) -> usize {
        self.tokenizer.count(text)
    }

    /// Renders a conversation up to the answer in the format that the model was trained with.
    /// Control tokens in the texts of the turns are escaped.
    ///
    /// # Errors
    /// If the model has no chat template, or it cannot be rendered.
    pub fn render(&self, turns: &[Turn]) -> Result<String, Error> {
        let template =
            self.tokenizer.chat_template().ok_or_else(|| Error::NoChat(self.path.clone()))?;
        let escaped = |turn: &Turn| Turn::new(turn.role, self.tokenizer.defused(&turn.text));
        Ok(template.render(&turns.iter().map(escaped).collect::<Vec<_>>())?)
    }

    /// Answers a prompt. The observer receives the text piece by piece, and the loading of the
    /// weights.
    ///
    /// # Errors
    /// [`Error::TooLong`] if the prompt is too long, or the error of the model.
    pub fn complete(
        &mut self,
        request: &CompletionRequest<'_>,
        observer: &mut Observer<'_>,
    ) -> Result<Completion, Error> {
        let identity = format!(
            "{} prompt {PROMPT_VERSION} {} {} {}",
            self.digest,
            request.sampling.key(),
            request.max_tokens,
            self.class
        );
        let cache = AnswerCache::new(&self.answers, identity);
        if request.use_cache
            && let Some(cached) = cache.get(request.prompt)
        {
            observer.text(&cached.text);
            return Ok(cached);
        }
        let (loaded, tokenizer) = self.load(observer)?;
        let started = Instant::now();
        let mut completion = loaded.generate(tokenizer, request, observer)?;
        completion.time = started.elapsed();
        cache.put(request.prompt, &completion);
        Ok(completion)
    }

    /// Answers a yes/no question by the probabilities of "yes" and "no" as the first token.
    ///
    /// # Errors
    /// Same as [`complete`](Self::complete).
    pub fn yes_or_no(&mut self, prompt: &str) -> Result<YesNo, Error> {
        let cache = AnswerCache::new(&self.answers, format!("{} yes {}", self.digest, self.class));
        if let Some(cached) = cache.get(prompt) {
            return YesNo::from_completion(cached);
        }
        let (loaded, tokenizer) = self.load(&mut Observer::default())?;
        let tokens = tokenizer.encode(prompt);
        let prompt_tokens = tokens.len();
        let logits = loaded.read(tokens, 0)?;
        let most = f64::from(logits[argmax(&logits) as usize]);
        let mass = |tokens: &[u32]| -> f64 {
            let exp = |token: &u32| (f64::from(logits[*token as usize]) - most).exp();
            tokens.iter().map(exp).sum()
        };
        let (yes, no) = (mass(&self.yes_tokens), mass(&self.no_tokens));
        let answer = YesNo { yes: yes / (yes + no).max(f64::MIN_POSITIVE), prompt_tokens };
        cache.put(prompt, &answer.to_completion());
        Ok(answer)
    }

    /// The weights, loaded if they are not yet, and the tokenizer.
    fn load(
        &mut self,
        observer: &mut Observer<'_>,
    ) -> Result<(&mut LoadedModel, &ChatTokenizer), Error> {
        let loaded = match self.loaded.take() {
            Some(loaded) => loaded,
            None => {
                observer.progress(PipelineProgress::LoadingReader);
                LoadedModel::new(&self.path, &self.device, &self.tokenizer)?
            }
        };
        Ok((self.loaded.insert(loaded), &self.tokenizer))
    }
}
