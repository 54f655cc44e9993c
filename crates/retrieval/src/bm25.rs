use std::collections::BTreeMap;

use tantivy::{
    DocAddress, Index, IndexReader, ReloadPolicy, Searcher, TantivyDocument, Term,
    collector::TopDocs,
    query::{BooleanQuery, BoostQuery, EnableScoring, Occur, Query, Scorer, TermQuery},
    schema::{FAST, Field, IndexRecordOption, Schema, TextFieldIndexing, TextOptions},
    tokenizer::TextAnalyzer,
};
use unicode_normalization::UnicodeNormalization;

use crate::{
    Analysis, Error,
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
    title: Option<(Field, f32)>,
    analyzer: TextAnalyzer,
    /// Position of each document of the segment.
    numbers: Vec<u32>,
    /// Document of each position.
    addresses: Vec<DocAddress>,
}

/// What a term of a question gave a text.
#[derive(Clone, Debug, PartialEq)]
pub struct TermPart {
    /// As it is compared: stemmed and folded.
    pub term: String,
    /// Texts that hold it.
    pub texts: u64,
    /// Part of the score by the text itself, the weight of the term in the query included.
    pub body: f64,
    /// Part of the score by the title.
    pub title: f64,
}

impl Bm25 {
    /// Indexes titles and texts; a hit names a text by its position. Titles have a field of their
    /// own when the analysis gives them a boost; the texts should hold them, too.
    ///
    /// # Errors
    /// When Tantivy fails.
    pub fn build<'a>(
        texts: impl IntoIterator<Item = (&'a str, &'a str)>,
        analysis: Analysis,
    ) -> Result<Self, Error> {
        let mut schema = Schema::builder();
        let options = || {
            let indexing = TextFieldIndexing::default()
                .set_tokenizer(ANALYZER)
                .set_index_option(IndexRecordOption::WithFreqs);
            TextOptions::default().set_indexing_options(indexing)
        };
        let words = schema.add_text_field("words", options());
        let boost = analysis.title_boost as f32;
        let title = (boost > 0.0).then(|| (schema.add_text_field("title", options()), boost));
        let number = schema.add_u64_field(NUMBER, FAST);
        let index = Index::create_in_ram(schema.build());
        index.tokenizers().register(ANALYZER, analysis.analyzer());
        let mut writer = index.writer_with_num_threads(1, 50_000_000)?;
        for (at, (head, text)) in texts.into_iter().enumerate() {
            let mut doc = TantivyDocument::new();
            doc.add_text(words, text.nfc().collect::<String>());
            if let Some((field, _)) = title {
                doc.add_text(field, head.nfc().collect::<String>());
            }
            doc.add_u64(number, at as u64);
            writer.add_document(doc)?;
        }
        writer.commit()?;
        let segments = index.searchable_segment_ids()?;
        if segments.len() > 1 {
            writer.merge(&segments).wait()?;
        }
        writer.wait_merging_threads()?;
        let reader: IndexReader = index
            .reader_builder()
            .reload_policy(ReloadPolicy::Manual)
            .try_into()?;
        let (numbers, addresses) = places(&reader.searcher())?;
        Ok(Self {
            reader,
            words,
            title,
            analyzer: analysis.analyzer(),
            numbers,
            addresses,
        })
    }

    /// The terms of a text as this index has them, in order, repetitions kept.
    pub fn terms(&self, text: &str) -> Vec<String> {
        terms(&mut self.analyzer.clone(), text)
    }

    /// How many texts hold a term.
    ///
    /// # Errors
    /// When Tantivy fails.
    pub fn texts_with(&self, term: &str) -> Result<u64, Error> {
        Ok(self
            .reader
            .searcher()
            .doc_freq(&Term::from_field_text(self.words, term))?)
    }

    /// How many texts there are.
    pub fn len(&self) -> usize {
        self.addresses.len()
    }

    /// Whether there is no text.
    pub fn is_empty(&self) -> bool {
        self.addresses.is_empty()
    }

    /// The `k` best texts for the words of a question, any of which may match. The question is
    /// analyzed like the texts and never parsed, so no character in it is syntax. A word that is
    /// repeated counts as often.
    ///
    /// # Errors
    /// [`Error::BadK`] when `k` is 0.
    pub fn search(&self, question: &str, k: usize) -> Result<Vec<Scored>, Error> {
        self.search_terms(&counted(self.terms(question)), k)
    }

    /// The same for terms with weights.
    ///
    /// # Errors
    /// [`Error::BadK`] when `k` is 0.
    pub fn search_terms(
        &self,
        query: &BTreeMap<String, f32>,
        k: usize,
    ) -> Result<Vec<Scored>, Error> {
        if k == 0 {
            return Err(Error::BadK(k));
        }
        // Tantivy makes room for as many hits as are asked for.
        let k = k.min(self.len()).max(1);
        let clauses = self.clauses(query);
        if clauses.is_empty() {
            return Ok(Vec::new());
        }
        let query = BooleanQuery::new(clauses);
        let searcher = self.reader.searcher();
        // Fetch past the cut until it does not run through equal scores.
        let mut limit = k + 1;
        loop {
            let found = searcher.search(&query, &TopDocs::with_limit(limit).order_by_score())?;
            let complete = found.len() < limit || found[limit - 1].0 < found[k - 1].0;
            if !complete {
                limit *= 2;
                continue;
            }
            let scored = found.into_iter().filter_map(|(score, address)| {
                let item = *self.numbers.get(address.doc_id as usize)? as usize;
                Some(Scored {
                    item,
                    score: f64::from(score),
                })
            });
            return top_k(scored, k);
        }
    }

    /// The scores of given texts for terms with weights: 0 for a text that holds none of them.
    ///
    /// # Errors
    /// When Tantivy fails.
    pub fn scores(
        &self,
        query: &BTreeMap<String, f32>,
        items: &[usize],
    ) -> Result<Vec<f64>, Error> {
        let searcher = self.reader.searcher();
        let mut scores = vec![0.0; items.len()];
        let clauses = self.clauses(query);
        let Some(segment) = searcher.segment_readers().first() else {
            return Ok(scores);
        };
        if clauses.is_empty() {
            return Ok(scores);
        }
        let weight =
            BooleanQuery::new(clauses).weight(EnableScoring::enabled_from_searcher(&searcher))?;
        let mut scorer = weight.scorer(segment, 1.0)?;
        let doc = |at: usize| self.addresses.get(items[at]).map(|address| address.doc_id);
        let mut order: Vec<usize> = (0..items.len()).collect();
        order.sort_by_key(|&at| doc(at));
        for at in order {
            let Some(doc) = doc(at) else { continue };
            // A scorer only goes forward, and may stand at a later text already.
            if scorer.doc() < doc {
                scorer.seek(doc);
            }
            if scorer.doc() == doc {
                scores[at] = f64::from(scorer.score());
            }
        }
        Ok(scores)
    }

    /// What each term of a query gives a text, in the order of the terms.
    ///
    /// # Errors
    /// When Tantivy fails.
    pub fn explain(
        &self,
        query: &BTreeMap<String, f32>,
        item: usize,
    ) -> Result<Vec<TermPart>, Error> {
        let searcher = self.reader.searcher();
        let part = |(term, &weight): (&String, &f32)| -> Result<TermPart, Error> {
            let score = |query: Box<dyn Query>| match self.addresses.get(item) {
                // Tantivy refuses to explain a text that does not match.
                Some(&at) => query
                    .explain(&searcher, at)
                    .map_or(0.0, |e| f64::from(e.value())),
                None => 0.0,
            };
            Ok(TermPart {
                texts: self.texts_with(term)?,
                body: score(clause(self.words, term, weight)),
                title: self.title.map_or(0.0, |(field, boost)| {
                    score(clause(field, term, weight * boost))
                }),
                term: term.clone(),
            })
        };
        query.iter().map(part).collect()
    }
}

impl Bm25 {
    fn clauses(&self, query: &BTreeMap<String, f32>) -> Vec<(Occur, Box<dyn Query>)> {
        let mut clauses = Vec::with_capacity(query.len());
        for (term, &weight) in query {
            clauses.push((Occur::Should, clause(self.words, term, weight)));
            if let Some((field, boost)) = self.title {
                clauses.push((Occur::Should, clause(field, term, weight * boost)));
            }
        }
        clauses
    }
}

/// How often each term occurs.
pub(crate) fn counted(terms: Vec<String>) -> BTreeMap<String, f32> {
    let mut out = BTreeMap::new();
    for term in terms {
        *out.entry(term).or_insert(0.0) += 1.0;
    }
    out
}

fn clause(field: Field, term: &str, weight: f32) -> Box<dyn Query> {
    let term = Term::from_field_text(field, term);
    let query = TermQuery::new(term, IndexRecordOption::WithFreqs);
    match weight == 1.0 {
        true => Box::new(query),
        false => Box::new(BoostQuery::new(Box::new(query), weight)),
    }
}

/// Position by document of the only segment, and the other way round.
fn places(searcher: &Searcher) -> Result<(Vec<u32>, Vec<DocAddress>), Error> {
    let mut numbers = Vec::new();
    for segment in searcher.segment_readers() {
        let column = segment.fast_fields().u64(NUMBER)?;
        numbers.extend((0..segment.max_doc()).map(|doc| column.first(doc).unwrap_or(0) as u32));
    }
    let mut addresses = vec![DocAddress::new(0, 0); numbers.len()];
    for (doc, &number) in numbers.iter().enumerate() {
        addresses[number as usize] = DocAddress::new(0, doc as u32);
    }
    Ok((numbers, addresses))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Language;

    fn index(texts: &[&str]) -> Bm25 {
        Bm25::build(texts.iter().map(|t| ("", *t)), Analysis::default()).expect("index")
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
    fn long_tokens_and_identifiers_are_found() {
        let long = "a1b2".repeat(60);
        let bm25 = index(&[
            &format!("key {long} here"),
            "call get_user_name() now",
            "error E-0308",
        ]);
        let first = |q: &str| items(bm25.search(q, 5).expect(q)).first().copied();
        assert_eq!(first(&long), Some(0));
        assert_eq!(first("get_user_name"), Some(1));
        assert_eq!(first("what is E-0308?"), Some(2));
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

    #[test]
    fn scores_of_given_texts_are_those_of_the_search() {
        let bm25 = index(&[
            "rain and wind",
            "snow",
            "rain, rain and rain",
            "wind of the north",
        ]);
        let query = counted(bm25.terms("rain wind"));
        let mut found = vec![0.0; 4];
        for hit in bm25.search_terms(&query, 10).expect("hits") {
            found[hit.item] = hit.score;
        }
        let items = [3, 1, 0, 2, 0];
        let scores = bm25.scores(&query, &items).expect("scores");
        for (item, score) in items.iter().zip(scores) {
            assert!((score - found[*item]).abs() < 1e-6, "{item}");
        }
        assert_eq!(bm25.scores(&BTreeMap::new(), &[1]).expect("scores"), [0.0]);
    }

    #[test]
    fn a_boosted_title_lifts_its_text_and_the_parts_add_up() {
        let texts = [
            ("Rain", "Rain: water from clouds"),
            ("Snow", "Snow: rain that froze, rain in winter"),
        ];
        let analysis = |title_boost| Analysis {
            language: Language::English,
            stop_words: false,
            title_boost,
        };
        let plain = Bm25::build(texts, analysis(0.0)).expect("index");
        assert_eq!(items(plain.search("rain", 2).expect("hits")), [1, 0]);
        let boosted = Bm25::build(texts, analysis(2.0)).expect("index");
        let hits = boosted.search("rain clouds", 2).expect("hits");
        assert_eq!(hits[0].item, 0);
        let query = counted(boosted.terms("rain clouds"));
        let parts = boosted.explain(&query, 0).expect("parts");
        let sum: f64 = parts.iter().map(|p| p.body + p.title).sum();
        assert!((sum - hits[0].score).abs() < 1e-5, "{sum} {hits:?}");
        assert_eq!(
            (parts[0].term.as_str(), parts[0].texts, parts[0].title),
            ("cloud", 1, 0.0)
        );
        assert!(parts[1].title > 0.0);
    }
}
