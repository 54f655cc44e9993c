use std::{collections::BTreeSet, path::Path, sync::OnceLock};

use fiel_corpus::{Chunk, sha256_hex};
use fiel_embedding::{Vectors, dot};

use crate::{
    Analysis, Bm25, Dense, DenseChoice, DenseKind, Error, Scored, TermQuery, typo::Vocabulary,
};

/// What is searched: the chunks, and both indexes over their entries. Settings that leave it as it
/// is can share one.
pub struct Index {
    chunks: Vec<Chunk>,
    /// Indexed texts, by chunk.
    entries: Vec<String>,
    /// The chunk of each entry.
    owners: Vec<usize>,
    bm25: Bm25,
    dense: Option<Dense>,
    analysis: Analysis,
    words: OnceLock<Vocabulary>,
}

impl Index {
    /// Indexes chunks with the vectors of their entries, which follow one another chunk by chunk;
    /// without vectors there is no dense leg.
    /// Chunks are put in the order of their ids, which decides between equal scores. `dumps` is the
    /// folder where graphs are kept between runs.
    ///
    /// # Errors
    /// When numbers do not fit, or an index cannot be built.
    pub fn build(
        chunks: Vec<Chunk>,
        vectors: Option<&Vectors>,
        analysis: Analysis,
        dense: DenseChoice,
        dumps: Option<&Path>,
    ) -> Result<Self, Error> {
        let mut starts = Vec::with_capacity(chunks.len());
        let mut total = 0;
        for chunk in &chunks {
            starts.push(total);
            total += chunk.index_texts().count();
        }
        if let Some(vectors) = vectors.filter(|vectors| vectors.len() != total) {
            return Err(Error::Mismatch {
                entries: total,
                vectors: vectors.len(),
            });
        }
        let mut order: Vec<usize> = (0..chunks.len()).collect();
        order.sort_by(|&a, &b| chunks[a].id.cmp(&chunks[b].id));
        let mut sorted = vectors.map(|vectors| Vectors::new(vectors.dim()));
        let (mut entries, mut owners, mut titles) = (Vec::new(), Vec::new(), Vec::new());
        for (place, &at) in order.iter().enumerate() {
            for (offset, entry) in chunks[at].index_texts().enumerate() {
                if let (Some(sorted), Some(vectors)) = (&mut sorted, vectors) {
                    sorted.push(vectors.row(starts[at] + offset));
                }
                entries.push(entry.into_owned());
                owners.push(place);
                titles.push(chunks[at].heading.join(" > "));
            }
        }
        let mut slots: Vec<Option<Chunk>> = chunks.into_iter().map(Some).collect();
        let chunks: Vec<Chunk> = order.iter().filter_map(|&at| slots[at].take()).collect();
        let texts = titles.iter().zip(&entries);
        let bm25 = Bm25::build(texts.map(|(t, e)| (t.as_str(), e.as_str())), analysis)?;
        let dense = match sorted {
            Some(sorted) => Some(Dense::build(sorted, dense, dumps)?),
            None => None,
        };
        Ok(Self {
            chunks,
            entries,
            owners,
            bm25,
            dense,
            analysis,
            words: OnceLock::new(),
        })
    }

    /// All chunks, ordered by id.
    pub fn chunks(&self) -> &[Chunk] {
        &self.chunks
    }

    /// How the dense leg searches; `None` without one.
    pub fn dense_kind(&self) -> Option<DenseKind> {
        self.dense.as_ref().map(Dense::kind)
    }

    /// SHA-256 over what the indexes hold: how BM25 makes terms, and the id and vectors of each
    /// chunk. Texts are not in it.
    pub fn digest(&self) -> String {
        let mut all = format!("{:?}\n", self.analysis);
        for (entry, owner) in self.owners.iter().enumerate() {
            let vector = self.dense.as_ref().map(|dense| dense.vectors().row(entry));
            let bytes: Vec<u8> = vector
                .iter()
                .copied()
                .flatten()
                .flat_map(|x| x.to_le_bytes())
                .collect();
            let id = &self.chunks[*owner].id;
            all.push_str(&format!("{id}\t{}\n", sha256_hex(&bytes)));
        }
        sha256_hex(all.as_bytes())
    }

    /// The question with the words that the index does not know repaired by those it knows;
    /// `is_word` spares words that are known from elsewhere.
    pub fn repaired(&self, question: &str, is_word: &dyn Fn(&str) -> bool) -> String {
        let words = self
            .words
            .get_or_init(|| Vocabulary::new(self.entries.iter().map(String::as_str)));
        words.repair(question, &self.bm25, is_word)
    }

    /// Share of the question's inverse document frequency, ln(1 + (N − n + 0.5) / (n + 0.5)) of
    /// each of its terms, that the terms of a text hold: 0 for none, 1 for all.
    pub fn idf_share(&self, question: &str, text: &str) -> f64 {
        let held: BTreeSet<String> = self.bm25.terms(text).into_iter().collect();
        let asked: BTreeSet<String> = self.bm25.terms(question).into_iter().collect();
        let (mut all, mut shared) = (0.0, 0.0);
        for term in asked {
            let (texts, with) = (self.bm25.len() as f64, self.bm25.texts_with(&term) as f64);
            let idf = (1.0 + (texts - with + 0.5) / (with + 0.5)).ln();
            all += idf;
            shared += if held.contains(&term) { idf } else { 0.0 };
        }
        if all > 0.0 { shared / all } else { 0.0 }
    }

    pub(crate) fn bm25(&self) -> &Bm25 {
        &self.bm25
    }

    /// # Errors
    /// [`Error::NoVectors`] without a dense leg.
    pub(crate) fn dense(&self) -> Result<&Dense, Error> {
        self.dense.as_ref().ok_or(Error::NoVectors)
    }

    /// The terms of an entry.
    pub(crate) fn terms_of(&self, entry: usize) -> Vec<String> {
        self.bm25.terms(&self.entries[entry])
    }

    /// The entries of a chunk.
    pub(crate) fn entries_of(&self, chunk: usize) -> std::ops::Range<usize> {
        let first = self.owners.partition_point(|&owner| owner < chunk);
        first..self.owners.partition_point(|&owner| owner <= chunk)
    }

    /// Entries as they were found → their chunks, each once, at its best entry.
    pub(crate) fn by_chunk(&self, entries: Vec<Scored>, k: usize) -> Vec<Scored> {
        if self.owners.len() == self.chunks.len() {
            return entries;
        }
        let mut seen = vec![false; self.chunks.len()];
        let first = |s: &Scored| !std::mem::replace(&mut seen[self.owners[s.item]], true);
        let mut chunks: Vec<Scored> = entries.into_iter().filter(first).collect();
        chunks.iter_mut().for_each(|s| s.item = self.owners[s.item]);
        // Entries of equal score came in their own order, which is that of their chunks.
        chunks.truncate(k);
        chunks
    }

    /// Cosines between a vector and given chunks: of each the best entry.
    ///
    /// # Errors
    /// [`Error::NoVectors`] without a dense leg.
    pub(crate) fn cosines(&self, query: &[f32], chunks: &[usize]) -> Result<Vec<f64>, Error> {
        let vectors = self.dense()?.vectors();
        let cosine = |entry| f64::from(dot(vectors.row(entry), query));
        let best = |&chunk: &usize| {
            let entries = self.entries_of(chunk);
            entries.map(cosine).fold(f64::NEG_INFINITY, f64::max)
        };
        Ok(chunks.iter().map(best).collect())
    }

    /// BM25 of given chunks: of each the best entry.
    pub(crate) fn bm25_scores(&self, query: &TermQuery, chunks: &[usize]) -> Vec<f64> {
        let of: Vec<std::ops::Range<usize>> = chunks.iter().map(|c| self.entries_of(*c)).collect();
        let entries: Vec<usize> = of.iter().cloned().flatten().collect();
        let mut scores = self.bm25.scores(query, &entries).into_iter();
        let best = |entries: std::ops::Range<usize>| {
            scores.by_ref().take(entries.len()).fold(0.0, f64::max)
        };
        of.into_iter().map(best).collect()
    }

    /// Entries that must be fetched so that about `k` chunks are among them.
    pub(crate) fn entries_for(&self, k: usize) -> usize {
        k.saturating_mul(self.owners.len().div_ceil(self.chunks.len().max(1)).max(1))
    }
}
