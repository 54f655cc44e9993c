//! The passages of a knowledge base, for the linter and the author.

use std::collections::{BTreeMap, BTreeSet};

use fiel_corpus::{Chunk, ChunkKind, Chunker, KnowledgeBase};
use fiel_metrics::answer_tokens;
use fiel_record::one_line;
use fiel_text::Lang;

use super::words::content;
use crate::Error;

/// An error of a search engine or a model.
pub type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// A search of passages by their words, the only part of an engine that this crate needs.
pub trait PassageIndex {
    /// Positions of the `k` best passages for a text, best first.
    ///
    /// # Errors
    /// The error of the engine.
    fn nearest(&self, text: &str, k: usize) -> Result<Vec<usize>, BoxError>;
}

/// Builds a [`PassageIndex`] over passages in a language.
pub type BuildIndex = fn(&[String], Lang) -> Result<Box<dyn PassageIndex>, BoxError>;

/// Maximum number of words of a passage, headings included. A section of ordinary length is one
/// passage.
const SIZE: usize = 160;

/// The sections of a knowledge base with an index of their words.
pub(crate) struct Passages {
    pub chunks: Vec<Chunk>,
    /// The normalized words of each passage, headings included, with a blank at both ends.
    words: Vec<String>,
    lang: Lang,
    stems: Vec<BTreeSet<String>>,
    frequency: BTreeMap<String, usize>,
    index: Box<dyn PassageIndex>,
}

impl Passages {
    pub(crate) fn new(kb: &KnowledgeBase, build: BuildIndex) -> Result<Self, Error> {
        let chunker = Chunker::new(ChunkKind::Structure, SIZE, 0)?;
        let count = |text: &str| text.split_whitespace().count();
        let chunks: Vec<Chunk> =
            kb.documents.iter().flat_map(|doc| chunker.chunks(doc, &count)).collect();
        let lang = kb.info.lang;
        let texts: Vec<String> = chunks.iter().map(Chunk::passage).collect();
        let stems: Vec<_> = texts.iter().map(|text| content(text, lang)).collect();
        let mut frequency = BTreeMap::new();
        for stem in stems.iter().flatten() {
            *frequency.entry(stem.clone()).or_default() += 1;
        }
        let index = build(&texts, lang).map_err(Error::Search)?;
        Ok(Self {
            chunks,
            words: texts.iter().map(|text| spaced(text, lang)).collect(),
            lang,
            stems,
            frequency,
            index,
        })
    }

    /// Positions of the `k` best passages by BM25.
    pub(crate) fn nearest(&self, text: &str, k: usize) -> Result<Vec<usize>, Error> {
        self.index.nearest(text, k).map_err(Error::Search)
    }

    /// Positions of the passages that contain a text at word borders.
    pub(crate) fn containing(&self, text: &str) -> BTreeSet<usize> {
        let needle = spaced(text, self.lang);
        (0..self.words.len())
            .filter(|&at| needle.len() > 2 && self.words[at].contains(&needle))
            .collect()
    }

    /// The name of a passage, `verb-eat, "Past simple"`, and the start of its text.
    pub(crate) fn shown(&self, at: usize) -> (String, String) {
        let chunk = &self.chunks[at];
        let name = match chunk.heading.last() {
            Some(heading) => format!("{}, \"{heading}\"", chunk.doc),
            None => chunk.doc.to_string(),
        };
        (name, one_line(&chunk.text, 160))
    }

    /// Weighted share of the words that a passage contains. The weight is the IDF of BM25,
    /// ln(1 + (N - n + 0.5) / (n + 0.5)) for a word in n of N passages.
    pub(crate) fn coverage(&self, words: &BTreeSet<String>, passage: usize) -> f64 {
        let weight = |word: &String| {
            let n = self.frequency.get(word).copied().unwrap_or(0) as f64;
            (1.0 + (self.stems.len() as f64 - n + 0.5) / (n + 0.5)).ln()
        };
        let all: f64 = words.iter().map(weight).sum();
        let found: f64 = words.intersection(&self.stems[passage]).map(weight).sum();
        if all > 0.0 { found / all } else { 0.0 }
    }
}

fn spaced(text: &str, lang: Lang) -> String {
    format!(" {} ", answer_tokens(text, lang).join(" "))
}
