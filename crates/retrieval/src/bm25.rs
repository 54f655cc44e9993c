//! BM25 search over texts, with Tantivy counting the terms.

use std::collections::BTreeMap;

use tantivy::{
    Index, SegmentReader, TantivyDocument,
    schema::{FAST, Field, IndexRecordOption, Schema, TextFieldIndexing, TextOptions},
    tokenizer::{PreTokenizedString, Token},
};

use crate::{
    Analysis, Error,
    analyze::Analyzer,
    fields::TermField,
    impacts::Impacts,
    order::{ScoredItem, top_k},
};

/// Name of the Tantivy field that holds the position of a text.
const POSITION: &str = "number";

/// A BM25 index (Robertson and Zaragoza, 2009; k1 = 1.2, b = 0.75) in memory.
///
/// Tantivy counts the terms with one writer thread into one segment, so the same texts always give
/// the same index. The score of every term in every text is computed once, when the index is built.
pub struct Bm25 {
    analyzer: Analyzer,
    /// Leaves out stop words, if the settings ask for it.
    without_stop_words: Option<Analyzer>,
    texts: usize,
    words: Impacts,
    fields: Vec<FieldImpacts>,
}

/// The index of a field other than the words of the text.
struct FieldImpacts {
    field: TermField,
    /// Weight of its scores in the sum.
    weight: f32,
    impacts: Impacts,
}

impl FieldImpacts {
    fn score(&self, (term, weight): (&String, &f32), item: usize) -> f64 {
        f64::from(weight * self.weight * self.impacts.score(term, item))
    }
}

/// A question as BM25 searches for it: terms with their weights.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TermQuery {
    /// Terms of the words of the question.
    pub words: BTreeMap<String, f32>,
    /// Terms per field, in the order of the index. Empty for [`TermField::Title`], which is searched
    /// for the words.
    fields: Vec<BTreeMap<String, f32>>,
}

impl TermQuery {
    /// Replaces the words by others whose weights sum to 1. The weights of the other terms are
    /// divided by the former sum, so that their share stays the same.
    pub(crate) fn with_words(mut self, words: BTreeMap<String, f32>) -> Self {
        let sum: f32 = self.words.values().sum();
        for weight in self.fields.iter_mut().flat_map(BTreeMap::values_mut) {
            *weight /= sum;
        }
        self.words = words;
        self
    }
}

/// The part of a BM25 score that one term contributes.
#[derive(Clone, Debug, PartialEq)]
pub struct TermScore {
    /// The term, stemmed and folded to ASCII.
    pub term: String,
    /// Weight in the query.
    pub weight: f32,
    /// Number of texts that contain it.
    pub texts: u64,
    /// Score in the text, times the weight.
    pub body: f64,
    /// Score in the title, times the same weight and the title boost.
    pub title: f64,
}

/// A BM25 score broken down by term and field.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ScoreBreakdown {
    /// By word of the query, in their order.
    pub terms: Vec<TermScore>,
    /// By field other than text and title: unstemmed words, pairs of words, character n-grams.
    pub fields: Vec<(TermField, f64)>,
}

impl ScoreBreakdown {
    /// The score: the sum of all parts.
    pub fn score(&self) -> f64 {
        let terms: f64 = self.terms.iter().map(|part| part.body + part.title).sum();
        let fields: f64 = self.fields.iter().map(|(_, part)| part).sum();
        terms + fields
    }
}

impl Bm25 {
    /// Indexes pairs of title and text; a hit names a text by its position. Titles count only if
    /// the analysis boosts them, so the texts should contain them as well.
    ///
    /// # Errors
    /// [`Error::Bm25`] if Tantivy fails.
    pub fn build<'a>(
        texts: impl IntoIterator<Item = (&'a str, &'a str)>,
        analysis: Analysis,
    ) -> Result<Self, Error> {
        let analyzer = analysis.analyzer();
        let mut schema = Schema::builder();
        let frequencies =
            TextFieldIndexing::default().set_index_option(IndexRecordOption::WithFreqs);
        let mut add_field = |name: &str| {
            let options = TextOptions::default().set_indexing_options(frequencies.clone());
            schema.add_text_field(name, options)
        };
        let words = add_field("words");
        let fields: Vec<(TermField, f32, Field)> = TermField::weighted(analysis)
            .map(|(kind, weight)| (kind, weight, add_field(&format!("{kind:?}"))))
            .collect();
        let position = schema.add_u64_field(POSITION, FAST);
        let index = Index::create_in_ram(schema.build());
        let mut writer = index.writer_with_num_threads(1, 50_000_000)?;
        let mut count = 0;
        for (title, text) in texts {
            let mut doc = TantivyDocument::new();
            doc.add_pre_tokenized_text(words, tokenized(analyzer.terms(text)));
            for (kind, _, field) in &fields {
                let text = if *kind == TermField::Title { title } else { text };
                doc.add_pre_tokenized_text(*field, tokenized(kind.terms(&analyzer, text)));
            }
            doc.add_u64(position, count);
            writer.add_document(doc)?;
            count += 1;
        }
        writer.commit()?;
        let segments = index.searchable_segment_ids()?;
        if segments.len() > 1 {
            writer.merge(&segments).wait()?;
        }
        writer.wait_merging_threads()?;
        let searcher = index.reader()?.searcher();
        // An index without texts has no segment.
        let impacts = |field| match searcher.segment_readers().first() {
            Some(segment) => Impacts::read(segment, field, &positions(segment)?),
            None => Ok(Impacts::default()),
        };
        let fields = fields.into_iter().map(|(kind, weight, field)| {
            Ok(FieldImpacts { field: kind, weight, impacts: impacts(field)? })
        });
        Ok(Self {
            words: impacts(words)?,
            fields: fields.collect::<Result<_, Error>>()?,
            texts: count as usize,
            analyzer,
            without_stop_words: analysis.without_stop_words(),
        })
    }

    /// The terms of a text as the index stores them, in order, with repetitions.
    pub fn terms(&self, text: &str) -> Vec<String> {
        self.analyzer.terms(text)
    }

    /// Number of texts that contain a term.
    pub fn texts_with(&self, term: &str) -> u64 {
        self.words.texts_with(term) as u64
    }

    /// Number of texts.
    pub(crate) fn len(&self) -> usize {
        self.texts
    }

    /// The query of a question. The question is analyzed like the texts and never parsed, so no
    /// character in it is syntax. A repeated word weighs as much as its repetitions. Stop words are
    /// left out if the settings ask for it and the question has other words.
    pub fn query(&self, question: &str) -> TermQuery {
        let without = self.without_stop_words.as_ref().map(|analyzer| analyzer.terms(question));
        let words = without.filter(|words| !words.is_empty());
        let words = words.unwrap_or_else(|| self.terms(question));
        let fields = self.fields.iter().map(|index| match index.field {
            TermField::Title => BTreeMap::new(),
            field => term_counts(field.terms(&self.analyzer, question)),
        });
        TermQuery { fields: fields.collect(), words: term_counts(words) }
    }

    /// The `k` best texts among those that contain any of the terms.
    ///
    /// # Errors
    /// [`Error::BadK`] if `k` is 0.
    pub fn search(&self, query: &TermQuery, k: usize) -> Result<Vec<ScoredItem>, Error> {
        if k == 0 {
            return Err(Error::BadK);
        }
        let sums = self.sums(query);
        let mut positive: Vec<f32> = sums.iter().copied().filter(|sum| *sum > 0.0).collect();
        let least = if positive.len() > k {
            *positive.select_nth_unstable_by(k - 1, |a, b| b.total_cmp(a)).1
        } else {
            f32::MIN_POSITIVE
        };
        let hits = (0..).zip(&sums).filter(|(_, sum)| **sum >= least);
        let scored = hits.map(|(item, &sum)| ScoredItem { item, score: f64::from(sum) });
        top_k(scored, k)
    }

    /// The scores of the given texts. The score of a text without any of the terms is 0.
    pub fn scores(&self, query: &TermQuery, items: &[usize]) -> Vec<f64> {
        let sums = self.sums(query);
        let score = |item: &usize| sums.get(*item).map_or(0.0, |sum| f64::from(*sum));
        items.iter().map(score).collect()
    }

    /// Breaks down the score of a text by term and field.
    pub fn explain(&self, query: &TermQuery, item: usize) -> ScoreBreakdown {
        let title = self.fields.iter().find(|f| f.field == TermField::Title);
        let term_score = |(term, weight): (&String, &f32)| TermScore {
            term: term.clone(),
            weight: *weight,
            texts: self.texts_with(term),
            body: f64::from(weight * self.words.score(term, item)),
            title: title.map_or(0.0, |title| title.score((term, weight), item)),
        };
        let others = self.fields.iter().zip(&query.fields);
        let others = others.filter(|(index, _)| index.field != TermField::Title);
        let field_score = |(index, terms): (&FieldImpacts, &BTreeMap<String, f32>)| {
            (index.field, terms.iter().map(|term| index.score(term, item)).sum())
        };
        ScoreBreakdown {
            terms: query.words.iter().map(term_score).collect(),
            fields: others.map(field_score).collect(),
        }
    }

    /// The score of every text. Terms are added in their order, so that rounding is reproducible.
    fn sums(&self, query: &TermQuery) -> Vec<f32> {
        let mut sums = vec![0.0; self.texts];
        for (term, weight) in &query.words {
            self.words.add(term, *weight, &mut sums);
        }
        for (index, terms) in self.fields.iter().zip(&query.fields) {
            let terms = if index.field == TermField::Title { &query.words } else { terms };
            for (term, weight) in terms {
                index.impacts.add(term, weight * index.weight, &mut sums);
            }
        }
        sums
    }
}

/// The number of occurrences of each term.
pub(crate) fn term_counts(terms: Vec<String>) -> BTreeMap<String, f32> {
    let mut counts = BTreeMap::new();
    for term in terms {
        *counts.entry(term).or_insert(0.0) += 1.0;
    }
    counts
}

fn tokenized(terms: Vec<String>) -> PreTokenizedString {
    let token = |(position, text)| Token { position, text, ..Token::default() };
    PreTokenizedString {
        text: String::new(),
        tokens: terms.into_iter().enumerate().map(token).collect(),
    }
}

/// The position of the text of each document of a segment.
fn positions(segment: &SegmentReader) -> Result<Vec<u32>, Error> {
    let column = segment.fast_fields().u64(POSITION)?;
    let position = |doc| column.first(doc).unwrap_or_default() as u32;
    Ok((0..segment.max_doc()).map(position).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use fiel_text::Lang;

    fn index(texts: &[&str]) -> Bm25 {
        Bm25::build(texts.iter().map(|t| ("", *t)), Analysis::default()).expect("index")
    }

    fn items(hits: Vec<ScoredItem>) -> Vec<usize> {
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
        let first = |q: &str| items(bm25.search(&bm25.query(q), 5).expect(q)).first().copied();
        assert_eq!(first("status:open"), Some(0));
        assert_eq!(first("France - Paris"), Some(1));
        assert_eq!(first("capital of \"France"), Some(1));
        assert_eq!(first("meeting at 10:30"), Some(2));
        assert_eq!(first("AND gates"), Some(3));
        assert_eq!(first("What's the past participle of eat?"), Some(4));
        assert_eq!(first("??? !"), None);
    }

    #[test]
    fn a_question_of_stop_words_only_still_searches() {
        let analysis = Analysis { language: Lang::En, stop_words: true, ..Analysis::default() };
        let texts = ["to be or not to be", "the rain", "the sun and the rain"];
        let bm25 = Bm25::build(texts.iter().map(|t| ("", *t)), analysis).expect("index");
        let found = |q: &str| items(bm25.search(&bm25.query(q), 5).expect(q));
        assert_eq!(found("to be or not to be"), [0]);
        assert_eq!(found("the rain")[0], 1);
        assert_eq!(bm25.query("the rain").words.len(), 1);
    }

    #[test]
    fn long_tokens_and_identifiers_are_found() {
        let long = "a1b2".repeat(60);
        let bm25 =
            index(&[&format!("key {long} here"), "call get_user_name() now", "error E-0308"]);
        let first = |q: &str| items(bm25.search(&bm25.query(q), 5).expect(q)).first().copied();
        assert_eq!(first(&long), Some(0));
        assert_eq!(first("get_user_name"), Some(1));
        assert_eq!(first("what is E-0308?"), Some(2));
    }

    #[test]
    fn equal_scores_come_in_order_and_a_cut_through_them_takes_the_first() {
        let texts = vec!["same words here"; 40];
        let bm25 = index(&texts);
        let words = bm25.query("words");
        assert_eq!(items(bm25.search(&words, 5).expect("hits")), [0, 1, 2, 3, 4]);
        assert_eq!(bm25.search(&words, 100).expect("hits").len(), 40);
        assert_eq!(bm25.search(&words, usize::MAX).expect("hits").len(), 40);
        assert!(matches!(bm25.search(&words, 0), Err(Error::BadK)));
    }

    #[test]
    fn scores_of_given_texts_are_those_of_the_search() {
        let bm25 = index(&["rain and wind", "snow", "rain, rain and rain", "wind of the north"]);
        let query = bm25.query("rain wind");
        let mut found = [0.0; 4];
        for hit in bm25.search(&query, 10).expect("hits") {
            found[hit.item] = hit.score;
        }
        let items = [3, 1, 0, 2, 0];
        let scores = bm25.scores(&query, &items);
        for (item, score) in items.iter().zip(scores) {
            assert!((score - found[*item]).abs() < 1e-6, "{item}");
        }
        assert_eq!(bm25.scores(&TermQuery::default(), &[1]), [0.0]);
    }

    #[test]
    fn a_boosted_title_lifts_its_text_and_the_parts_add_up() {
        let texts = [
            ("Rain", "Rain: water from clouds"),
            ("Snow", "Snow: rain that froze, rain in winter"),
        ];
        let analysis =
            |title_boost| Analysis { language: Lang::En, title_boost, ..Analysis::default() };
        let plain = Bm25::build(texts, analysis(0.0)).expect("index");
        assert_eq!(items(plain.search(&plain.query("rain"), 2).expect("hits")), [1, 0]);
        let boosted = Bm25::build(texts, analysis(2.0)).expect("index");
        let query = boosted.query("rain clouds");
        let hits = boosted.search(&query, 2).expect("hits");
        assert_eq!(hits[0].item, 0);
        let breakdown = boosted.explain(&query, 0);
        let (sum, parts) = (breakdown.score(), breakdown.terms);
        assert!((sum - hits[0].score).abs() < 1e-5, "{sum} {hits:?}");
        assert_eq!((parts[0].term.as_str(), parts[0].texts, parts[0].title), ("cloud", 1, 0.0));
        assert!(parts[1].title > 0.0);
    }
}
