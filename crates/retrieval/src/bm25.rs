use tantivy::{
    Index, IndexReader, ReloadPolicy, TantivyDocument, Term,
    collector::TopDocs,
    query::{BooleanQuery, Occur, Query, TermQuery},
    schema::{FAST, Field, IndexRecordOption, Schema, TextFieldIndexing, TextOptions},
    tokenizer::TextAnalyzer,
};
use unicode_normalization::UnicodeNormalization;

use crate::{
    Error, Language,
    analyze::terms,
    order::{Scored, top_k},
};

const ANALYZER: &str = "fiel";
const NUMBER: &str = "number";

/// A BM25 index (Robertson and Zaragoza, 2009; k1 = 1.2, b = 0.75) in memory.
///
/// One writer thread and one segment, so that the same texts give the same index.
pub struct Bm25 {
    reader: IndexReader,
    words: Field,
    analyzer: TextAnalyzer,
}

impl Bm25 {
    /// Indexes texts; a hit names a text by its position.
    ///
    /// # Errors
    /// When Tantivy fails.
    pub fn build<'a>(
        texts: impl IntoIterator<Item = &'a str>,
        language: Language,
    ) -> Result<Self, Error> {
        let mut schema = Schema::builder();
        let indexing = TextFieldIndexing::default()
            .set_tokenizer(ANALYZER)
            .set_index_option(IndexRecordOption::WithFreqs);
        let words = schema.add_text_field(
            "words",
            TextOptions::default().set_indexing_options(indexing),
        );
        let number = schema.add_u64_field(NUMBER, FAST);
        let index = Index::create_in_ram(schema.build());
        index.tokenizers().register(ANALYZER, language.analyzer());
        let mut writer = index.writer_with_num_threads(1, 50_000_000)?;
        for (at, text) in texts.into_iter().enumerate() {
            let mut doc = TantivyDocument::new();
            doc.add_text(words, text.nfc().collect::<String>());
            doc.add_u64(number, at as u64);
            writer.add_document(doc)?;
        }
        writer.commit()?;
        let segments = index.searchable_segment_ids()?;
        if segments.len() > 1 {
            writer.merge(&segments).wait()?;
        }
        writer.wait_merging_threads()?;
        let reader = index
            .reader_builder()
            .reload_policy(ReloadPolicy::Manual)
            .try_into()?;
        Ok(Self {
            reader,
            words,
            analyzer: language.analyzer(),
        })
    }

    /// The `k` best texts for the words of a question, any of which may match. The question is
    /// analyzed like the texts and never parsed, so no character in it is syntax.
    ///
    /// # Errors
    /// [`Error::BadK`] when `k` is 0.
    pub fn search(&self, question: &str, k: usize) -> Result<Vec<Scored>, Error> {
        if k == 0 {
            return Err(Error::BadK(k));
        }
        // Tantivy makes room for as many hits as are asked for.
        let searcher = self.reader.searcher();
        let k = k.min(searcher.num_docs() as usize).max(1);
        let clause = |term: &String| {
            let term = Term::from_field_text(self.words, term);
            let query: Box<dyn Query> =
                Box::new(TermQuery::new(term, IndexRecordOption::WithFreqs));
            (Occur::Should, query)
        };
        let clauses: Vec<_> = terms(&mut self.analyzer.clone(), question)
            .iter()
            .map(clause)
            .collect();
        if clauses.is_empty() {
            return Ok(Vec::new());
        }
        let query = BooleanQuery::new(clauses);
        // Fetch past the cut until it does not run through equal scores.
        let mut limit = k + 1;
        loop {
            let found = searcher.search(&query, &TopDocs::with_limit(limit).order_by_score())?;
            let complete = found.len() < limit || found[limit - 1].0 < found[k - 1].0;
            if !complete {
                limit *= 2;
                continue;
            }
            let mut scored = Vec::with_capacity(found.len());
            for (score, address) in found {
                let numbers = searcher
                    .segment_reader(address.segment_ord)
                    .fast_fields()
                    .u64(NUMBER)?;
                if let Some(number) = numbers.first(address.doc_id) {
                    scored.push(Scored {
                        item: number as usize,
                        score: f64::from(score),
                    });
                }
            }
            return top_k(scored, k);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn index(texts: &[&str]) -> Bm25 {
        Bm25::build(texts.iter().copied(), Language::English).expect("index")
    }

    fn items(hits: Vec<Scored>) -> Vec<usize> {
        hits.into_iter().map(|h| h.item).collect()
    }

    #[test]
    fn questions_are_never_parsed() {
        let bm25 = index(&[
            "status open",
            "France - Paris, the capital",
            "meeting at 10:30",
            "AND gates",
            "eat ate eaten",
        ]);
        let first = |q: &str| items(bm25.search(q, 5).expect(q)).first().copied();
        assert_eq!(first("status:open"), Some(0));
        assert_eq!(first("France - Paris"), Some(1));
        assert_eq!(first("capital of \"France"), Some(1));
        assert_eq!(first("meeting at 10:30"), Some(2));
        assert_eq!(first("AND gates"), Some(3));
        assert_eq!(first("What's the past participle of eat?"), Some(4));
        assert_eq!(first("??? !"), None);
    }

    #[test]
    fn equal_scores_come_in_order_and_a_cut_through_them_takes_the_first() {
        let texts = vec!["same words here"; 40];
        let bm25 = index(&texts);
        assert_eq!(
            items(bm25.search("words", 5).expect("hits")),
            [0, 1, 2, 3, 4]
        );
        assert_eq!(bm25.search("words", 100).expect("hits").len(), 40);
        assert_eq!(bm25.search("words", usize::MAX).expect("hits").len(), 40);
        assert!(matches!(bm25.search("words", 0), Err(Error::BadK(0))));
    }
}
