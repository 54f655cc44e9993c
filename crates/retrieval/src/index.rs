//! The index of a knowledge base: its chunks, BM25 and dense search over their entries.

use std::{collections::BTreeSet, ops::Range, path::Path, sync::OnceLock};

use fiel_corpus::Chunk;
use fiel_embedding::{Vectors, dot};
use fiel_store::sha256_hex;

use crate::{
    Analysis, Bm25, Dense, DenseChoice, DenseKind, Error, ScoredItem, TermQuery, Unsound,
    typo::Vocabulary,
};

/// Chunks with the indexes over their entries: the texts that are indexed, of which a chunk has one
/// or more.
pub struct Index {
    /// Ordered by id.
    chunks: Vec<Chunk>,
    /// Indexed texts, grouped by chunk.
    entries: Vec<String>,
    /// The chunk of each entry.
    owners: Vec<usize>,
    bm25: Bm25,
    dense: Option<Dense>,
    analysis: Analysis,
    vocabulary: OnceLock<Vocabulary>,
}

impl Index {
    /// Indexes chunks, with the vectors of their entries chunk by chunk; without vectors there is no
    /// dense search. Chunks are sorted by id, which decides between equal scores. `dumps` is the
    /// folder that caches graphs between runs.
    ///
    /// # Errors
    /// [`Error::Mismatch`] if the number of vectors is not that of the entries, or the error of an
    /// index that cannot be built.
    pub fn build(
        chunks: Vec<Chunk>,
        vectors: Option<&Vectors>,
        analysis: Analysis,
        dense: DenseChoice,
        dumps: Option<&Path>,
    ) -> Result<Self, Error> {
        let mut total = 0;
        let with_row = |chunk: Chunk| {
            let row = total;
            total += chunk.index_texts().count();
            (chunk, row)
        };
        let mut chunks: Vec<(Chunk, usize)> = chunks.into_iter().map(with_row).collect();
        if let Some(vectors) = vectors.filter(|vectors| vectors.len() != total) {
            return Err(Error::Mismatch(vectors.len(), total));
        }
        chunks.sort_by(|(a, _), (b, _)| a.id.cmp(&b.id));
        let mut sorted = vectors.map(|vectors| Vectors::new(vectors.dim()));
        let (mut entries, mut owners, mut titles) = (Vec::new(), Vec::new(), Vec::new());
        for (owner, (chunk, first_row)) in chunks.iter().enumerate() {
            for (row, entry) in (*first_row..).zip(chunk.index_texts()) {
                if let (Some(sorted), Some(vectors)) = (&mut sorted, vectors) {
                    sorted.push(vectors.row(row));
                }
                entries.push(entry.into_owned());
                owners.push(owner);
                titles.push(chunk.heading.join(" > "));
            }
        }
        let chunks = chunks.into_iter().map(|(chunk, _)| chunk).collect();
        let texts = titles.iter().zip(&entries);
        let bm25 = Bm25::build(texts.map(|(t, e)| (t.as_str(), e.as_str())), analysis)?;
        let dense = sorted.map(|vectors| Dense::build(vectors, dense, dumps));
        Ok(Self { chunks, entries, owners, bm25, dense, analysis, vocabulary: OnceLock::new() })
    }

    /// All chunks, ordered by id.
    pub fn chunks(&self) -> &[Chunk] {
        &self.chunks
    }

    /// The method of dense search; `None` without vectors.
    pub fn dense_kind(&self) -> Option<DenseKind> {
        self.dense.as_ref().map(Dense::kind)
    }

    /// Why dense search is exact although HNSW was chosen.
    pub fn unsound(&self) -> Option<Unsound> {
        self.dense.as_ref().and_then(Dense::unsound)
    }

    /// SHA-256 of the analysis of BM25 and of the ids and vectors of all chunks. Texts are not part
    /// of it.
    pub fn digest(&self) -> String {
        let mut all = format!("{}\n", self.analysis.identity());
        for (entry, owner) in self.owners.iter().enumerate() {
            let vector = self.dense.as_ref().map(|dense| dense.vectors().row(entry));
            let bytes: Vec<u8> =
                vector.iter().copied().flatten().flat_map(|x| x.to_le_bytes()).collect();
            let id = &self.chunks[*owner].id;
            all.push_str(&format!("{id}\t{}\n", sha256_hex(&bytes)));
        }
        sha256_hex(all.as_bytes())
    }

    /// Replaces the misspelled words of a question by words of the index. Words that `is_word`
    /// accepts are never replaced.
    pub fn correct_spelling(&self, question: &str, is_word: &dyn Fn(&str) -> bool) -> String {
        let vocabulary = self
            .vocabulary
            .get_or_init(|| Vocabulary::new(self.entries.iter().map(String::as_str)));
        vocabulary.correct(question, &self.bm25, is_word)
    }

    /// Share of the inverse document frequency of the question's terms, ln(1 + (N − n + 0.5) /
    /// (n + 0.5)) each, that a text contains: 0 if it contains none, 1 if all.
    pub fn idf_share(&self, question: &str, text: &str) -> f64 {
        let text_terms: BTreeSet<String> = self.bm25.terms(text).into_iter().collect();
        let question_terms: BTreeSet<String> = self.bm25.terms(question).into_iter().collect();
        let (mut all, mut shared) = (0.0, 0.0);
        for term in question_terms {
            let (texts, with) = (self.bm25.len() as f64, self.bm25.texts_with(&term) as f64);
            let idf = (1.0 + (texts - with + 0.5) / (with + 0.5)).ln();
            all += idf;
            shared += if text_terms.contains(&term) { idf } else { 0.0 };
        }
        if all > 0.0 { shared / all } else { 0.0 }
    }

    pub(crate) fn bm25(&self) -> &Bm25 {
        &self.bm25
    }

    /// # Errors
    /// [`Error::NoVectors`] without vectors.
    pub(crate) fn dense(&self) -> Result<&Dense, Error> {
        self.dense.as_ref().ok_or(Error::NoVectors)
    }

    pub(crate) fn entry_terms(&self, entry: usize) -> Vec<String> {
        self.bm25.terms(&self.entries[entry])
    }

    pub(crate) fn chunk_entries(&self, chunk: usize) -> Range<usize> {
        let first = self.owners.partition_point(|&owner| owner < chunk);
        first..self.owners.partition_point(|&owner| owner <= chunk)
    }

    /// The `k` best chunks of ranked entries, each at the place of its best entry.
    pub(crate) fn by_chunk(&self, entries: Vec<ScoredItem>, k: usize) -> Vec<ScoredItem> {
        if self.owners.len() == self.chunks.len() {
            return entries;
        }
        let mut seen = vec![false; self.chunks.len()];
        let first = |s: &ScoredItem| !std::mem::replace(&mut seen[self.owners[s.item]], true);
        let mut chunks: Vec<ScoredItem> = entries.into_iter().filter(first).collect();
        chunks.iter_mut().for_each(|s| s.item = self.owners[s.item]);
        // Entries of equal score are in their own order, which is that of their chunks.
        chunks.truncate(k);
        chunks
    }

    /// Cosines of a vector and the best entry of each given chunk.
    pub(crate) fn cosines(&self, query: &[f32], chunks: &[usize]) -> Result<Vec<f64>, Error> {
        let vectors = self.dense()?.vectors();
        let cosine = |entry| f64::from(dot(vectors.row(entry), query));
        let best = |&chunk: &usize| {
            let entries = self.chunk_entries(chunk);
            entries.map(cosine).fold(f64::NEG_INFINITY, f64::max)
        };
        Ok(chunks.iter().map(best).collect())
    }

    /// BM25 scores of the best entry of each given chunk.
    pub(crate) fn bm25_scores(&self, query: &TermQuery, chunks: &[usize]) -> Vec<f64> {
        let ranges: Vec<Range<usize>> = chunks.iter().map(|c| self.chunk_entries(*c)).collect();
        let entries: Vec<usize> = ranges.iter().cloned().flatten().collect();
        let mut scores = self.bm25.scores(query, &entries).into_iter();
        let best = |range: Range<usize>| scores.by_ref().take(range.len()).fold(0.0, f64::max);
        ranges.into_iter().map(best).collect()
    }

    /// Number of entries to fetch so that about `k` chunks are among them.
    pub(crate) fn entries_for(&self, k: usize) -> usize {
        k.saturating_mul(self.owners.len().div_ceil(self.chunks.len().max(1)).max(1))
    }
}
