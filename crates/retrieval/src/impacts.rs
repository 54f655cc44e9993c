use std::{collections::HashMap, ops::Range};

use tantivy::{
    DocSet, SegmentReader, TantivyError,
    postings::Postings,
    query::Bm25Weight,
    schema::{Field, IndexRecordOption},
};

use crate::Error;

/// What each term of a field gives each text that holds it, computed once: a search then only adds
/// (Lù, "BM25S: Orders of magnitude faster lexical search via eager sparse scoring", 2024).
#[derive(Default)]
pub(crate) struct Impacts {
    /// Where the list of each term lies. Only looked up, never walked.
    lists: HashMap<String, Range<usize>>,
    /// Texts, ascending within a list.
    texts: Vec<u32>,
    /// What the term gives each of them at weight 1.
    scores: Vec<f32>,
}

impl Impacts {
    /// Reads a field of a segment; `numbers` holds the text of each of its documents.
    ///
    /// # Errors
    /// When Tantivy fails.
    pub(crate) fn read(
        segment: &SegmentReader,
        field: Field,
        numbers: &[u32],
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
            let mut postings = index
                .read_postings_from_terminfo(&info, option)
                .map_err(TantivyError::from)?;
            list.clear();
            while let Some(&text) = numbers.get(postings.doc() as usize) {
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
        Ok(Self {
            lists,
            texts,
            scores,
        })
    }

    /// How many texts hold a term.
    pub(crate) fn texts_with(&self, term: &str) -> usize {
        self.lists.get(term).map_or(0, Range::len)
    }

    /// Adds what a term gives, times `weight`, to the sums of all texts.
    pub(crate) fn add(&self, term: &str, weight: f32, sums: &mut [f32]) {
        let Some(range) = self.lists.get(term).cloned() else {
            return;
        };
        let scores = &self.scores[range.clone()];
        for (text, score) in self.texts[range].iter().zip(scores) {
            sums[*text as usize] += weight * score;
        }
    }

    /// What a term gives a text at weight 1.
    pub(crate) fn of(&self, term: &str, text: usize) -> f32 {
        let Some(range) = self.lists.get(term).cloned() else {
            return 0.0;
        };
        let place = self.texts[range.clone()].binary_search(&(text as u32));
        place.map_or(0.0, |at| self.scores[range.start + at])
    }
}
