//! Retrieval: rewriting of the question, search, reranking.

use std::time::{Duration, Instant};

use fiel_retrieval::{DenseKind, Explanation, Query, Retrieved, RewriteMethod};

use super::{Pipeline, Reranker};
use crate::{CompletionRequest, Error, Observer};

/// Maximum of tokens in the keywords that the model writes for a question.
const KEYWORD_TOKENS: usize = 32;

/// A question rewritten for the search.
#[derive(Default)]
struct Rewritten {
    /// The question with corrected spelling; `None` if nothing was corrected.
    text: Option<String>,
    /// Keywords to search for in addition.
    keywords: Option<String>,
    time: Duration,
}

impl Rewritten {
    fn query<'a>(&'a self, question: &'a str) -> Query<'a> {
        let text = self.text.as_deref().unwrap_or(question);
        Query { text, keywords: self.keywords.as_deref(), exact: false }
    }
}

impl Pipeline {
    /// Retrieves passages for a question: rewrites it, searches, fuses and reranks.
    ///
    /// # Errors
    /// If the question is empty, or a step fails.
    pub fn retrieve(&self, question: &str) -> Result<Retrieved, Error> {
        let rewritten = self.rewrite(question)?;
        let query = rewritten.query(question);
        let found = self.retriever.search(&self.embedder, query, self.search_depth())?;
        self.rerank(question, rewritten, found)
    }

    /// Retrieves as [`retrieve`](Self::retrieve) does, and again with an exact dense search; the
    /// second result is `None` if dense search is exact anyway or not used.
    ///
    /// # Errors
    /// Same as [`retrieve`](Self::retrieve).
    pub fn retrieve_both(&self, question: &str) -> Result<(Retrieved, Option<Retrieved>), Error> {
        let found = self.retrieve(question)?;
        if self.built.index.dense_kind() != Some(DenseKind::Hnsw) {
            return Ok((found, None));
        }
        let rewritten = Rewritten {
            text: found.rewritten.clone(),
            keywords: found.keywords.clone(),
            time: Duration::ZERO,
        };
        let query = Query { exact: true, ..rewritten.query(question) };
        let exact = self.retriever.search(&self.embedder, query, self.search_depth())?;
        let exact = if exact.nearest == found.nearest {
            found.clone()
        } else {
            self.rerank(question, rewritten, exact)?
        };
        Ok((found, Some(exact)))
    }

    /// Explains the rank of the chunk at a position, before reranking.
    ///
    /// # Errors
    /// Same as [`retrieve`](Self::retrieve).
    ///
    /// # Panics
    /// If the position is out of range.
    pub fn explain(&self, question: &str, chunk: usize) -> Result<Explanation, Error> {
        let rewritten = self.rewrite(question)?;
        let query = rewritten.query(question);
        Ok(self.retriever.explain(&self.embedder, query, chunk)?)
    }

    /// The positions of the chunks to read: the first `read.context_k` hits.
    pub fn top(&self, retrieved: &Retrieved) -> Vec<usize> {
        let hits = retrieved.hits.iter().take(self.settings.read.context_k);
        hits.map(|hit| hit.chunk).collect()
    }

    /// Number of passages to search for.
    fn search_depth(&self) -> usize {
        let reranked = self.reranker.as_ref().map_or(0, |_| self.settings.rerank.depth);
        self.settings.retrieve.top_k.max(reranked)
    }

    fn rewrite(&self, question: &str) -> Result<Rewritten, Error> {
        let started = Instant::now();
        let mut rewritten = Rewritten::default();
        match (self.settings.rewrite.method, &self.model) {
            (RewriteMethod::Typo, _) => {
                let is_word = |word: &str| self.embedder.piece_count(word) == 1;
                let corrected = self.built.index.correct_spelling(question, &is_word);
                rewritten.text = (corrected != question).then_some(corrected);
            }
            (RewriteMethod::Llm, Some(model)) => {
                let mut model = model.lock();
                let prompts = self.prompts.get(self.lang)?;
                let prompt = model.render(&prompts.keywords.turns(&[("question", question)]))?;
                let request = CompletionRequest::greedy(&prompt, KEYWORD_TOKENS);
                let completion = model.complete(&request, &mut Observer::default())?;
                rewritten.keywords = Some(completion.text);
            }
            _ => {}
        }
        rewritten.time = started.elapsed();
        Ok(rewritten)
    }

    /// Reranks and cuts off the passages found.
    fn rerank(
        &self,
        question: &str,
        rewritten: Rewritten,
        mut found: Retrieved,
    ) -> Result<Retrieved, Error> {
        let started = Instant::now();
        if let Some(scores) = self.rerank_scores(rewritten.query(question).text, &found)? {
            found.rerank(&scores, self.settings.rerank.weight)?;
        }
        found.hits.truncate(self.settings.retrieve.top_k);
        found.rerank_time = started.elapsed();
        found.rewrite_time = rewritten.time;
        found.rewritten = rewritten.text;
        found.keywords = rewritten.keywords;
        Ok(found)
    }

    /// Scores of the first `rerank.depth` passages; `None` without a reranker.
    fn rerank_scores(&self, query: &str, found: &Retrieved) -> Result<Option<Vec<f64>>, Error> {
        let Some(reranker) = &self.reranker else {
            return Ok(None);
        };
        let chunks = self.retriever.chunks();
        let hits = found.hits.iter().take(self.settings.rerank.depth);
        let passages: Vec<String> = hits.map(|hit| chunks[hit.chunk].passage()).collect();
        let texts: Vec<&str> = passages.iter().map(String::as_str).collect();
        let scores = match reranker {
            Reranker::LateInteraction(model) => model.scores(&self.embedder, query, &texts)?,
            Reranker::CrossEncoder(model) => {
                model.scores(query, &texts)?.into_iter().map(f64::from).collect()
            }
            Reranker::Llm(model) => {
                let prompts = self.prompts.get(self.lang)?;
                let mut model = model.lock();
                let yes = |passage: &&str| {
                    let values = [("question", query), ("passage", passage)];
                    let prompt = model.render(&prompts.relevance.turns(&values))?;
                    Ok(model.yes_or_no(&prompt)?.yes)
                };
                texts.iter().map(yes).collect::<Result<_, Error>>()?
            }
        };
        Ok(Some(scores))
    }
}
