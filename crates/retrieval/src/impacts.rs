//! Precomputed BM25 scores per term and text.

use std::{collections::HashMap, ops::Range};

use tantivy::{
    DocSet, SegmentReader, TantivyError,
    postings::Postings,
    query::Bm25Weight,
    schema::{Field, IndexRecordOption},
};

use crate::Error;

/// The score of each term of a field in each text that contains it. A search only adds them up
/// (Lù, "BM25S: Orders of magnitude faster lexical search via eager sparse scoring", 2024).
#[derive(Default)]
pub(crate) struct Impacts {
    /// The range of each term in `texts` and `scores`. Never iterated, so its order does not matter.
    lists: HashMap<String, Range<usize>>,
    /// Positions of texts, ascending within a range.
    texts: Vec<u32>,
    /// Scores at weight 1, parallel to `texts`.
    scores: Vec<f32>,
}

impl Impacts {
    /// Reads a field of a segment; `positions` maps its documents to texts.
    pub(crate) fn read(
        segment: &SegmentReader,
        field: Field,
        positions: &[u32],
    ) -> Result<Self, Error> {
        let index = segment.inverted_index(field)?;
        let lengths = segment.get_fieldnorms_reader(field)?;
        let all = u64::from(segment.max_doc());
        let mean = index.total_num_tokens() as f32 / all as f32;
        let (mut lists, mut texts, mut scores) = (HashMap::new(), Vec::new(), Vec::new());
        let mut stream = index.terms().stream().map_err(TantivyError::from)?;
        let mut list: Vec<(u32, f32)> = Vec::new();
        while stream.advance() {
            let info = stream.value().clone();
            let weight =
                Bm25Weight::for_one_term_without_explain(u64::from(info.doc_freq), all, mean);
            let option = IndexRecordOption::WithFreqs;
            let mut postings =
                index.read_postings_from_terminfo(&info, option).map_err(TantivyError::from)?;
            list.clear();
            while let Some(&text) = positions.get(postings.doc() as usize) {
                let length = lengths.fieldnorm_id(postings.doc());
                list.push((text, weight.score(length, postings.term_freq())));
                postings.advance();
            }
            list.sort_unstable_by_key(|(text, _)| *text);
            let start = texts.len();
            texts.extend(list.iter().map(|(text, _)| *text));
            scores.extend(list.iter().map(|(_, score)| *score));
            let term = String::from_utf8_lossy(stream.key()).into_owned();
            lists.insert(term, start..texts.len());
        }
        Ok(Self { lists, texts, scores })
    }

    /// Number of texts that contain a term.
    pub(crate) fn texts_with(&self, term: &str) -> usize {
        self.lists.get(term).map_or(0, Range::len)
    }

    /// The texts that contain a term, ascending, and its scores in them.
    fn list(&self, term: &str) -> (&[u32], &[f32]) {
        let range = self.lists.get(term).cloned().unwrap_or_default();
        (&self.texts[range.clone()], &self.scores[range])
    }

    /// Adds the scores of a term, times `weight`, to `sums`, which holds a sum per text.
    pub(crate) fn add(&self, term: &str, weight: f32, sums: &mut [f32]) {
        let (texts, scores) = self.list(term);
        for (text, score) in texts.iter().zip(scores) {
            sums[*text as usize] += weight * score;
        }
    }

    /// The score of a term in a text at weight 1; 0 if the text does not contain it.
    pub(crate) fn score(&self, term: &str, text: usize) -> f32 {
        let (texts, scores) = self.list(term);
        texts.binary_search(&(text as u32)).map_or(0.0, |position| scores[position])
    }
}
