use std::collections::BTreeMap;

use tantivy::{
    Index, SegmentReader, TantivyDocument,
    schema::{FAST, Field, IndexRecordOption, Schema, TextFieldIndexing, TextOptions},
    tokenizer::{PreTokenizedString, TextAnalyzer, Token},
};

use crate::{
    Analysis, Error,
    analyze::terms,
    fields::Further,
    impacts::Impacts,
    order::{Scored, top_k},
};

const NUMBER: &str = "number";

/// A BM25 index (Robertson and Zaragoza, 2009; k1 = 1.2, b = 0.75) in memory.
///
/// Tantivy counts the terms, with one writer thread and one segment, so that the same texts give
/// the same index; what each term gives each text is taken from it once.
pub struct Bm25 {
    analyzer: TextAnalyzer,
    texts: usize,
    words: Impacts,
    /// Other ways to make terms, with the weight of what they give.
    further: Vec<(Further, f32, Impacts)>,
}

/// What BM25 looks for: terms with their weights.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TermQuery {
    /// Of the words of a text.
    pub words: BTreeMap<String, f32>,
    /// Of each further way to make terms, in the order of the index.
    further: Vec<BTreeMap<String, f32>>,
}

impl TermQuery {
    /// The same with other words, whose weights sum to 1: the further terms are brought down as
    /// the words were.
    pub(crate) fn with_words(mut self, words: BTreeMap<String, f32>) -> Self {
        let sum: f32 = self.words.values().sum();
        for weight in self.further.iter_mut().flat_map(BTreeMap::values_mut) {
            *weight /= sum;
        }
        self.words = words;
        self
    }
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

/// What BM25 gave a text: the sum of its parts is the score.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Parts {
    /// By each word of the query, in their order.
    pub terms: Vec<TermPart>,
    /// By words as they are written, by pairs of words and by the letters of words, where these
    /// have a weight.
    pub further: Vec<(Further, f64)>,
}

impl Parts {
    /// The score.
    pub fn sum(&self) -> f64 {
        let terms: f64 = self.terms.iter().map(|part| part.body + part.title).sum();
        let further: f64 = self.further.iter().map(|(_, part)| part).sum();
        terms + further
    }
}

impl Bm25 {
    /// Indexes titles and texts; a hit names a text by its position. Titles count when the
    /// analysis gives them a boost; the texts should hold them, too.
    ///
    /// # Errors
    /// When Tantivy fails.
    pub fn build<'a>(
        texts: impl IntoIterator<Item = (&'a str, &'a str)>,
        analysis: Analysis,
    ) -> Result<Self, Error> {
        let analyzer = analysis.analyzer();
        let mut schema = Schema::builder();
        let counted = TextFieldIndexing::default().set_index_option(IndexRecordOption::WithFreqs);
        let mut field = |name: &str| {
            schema.add_text_field(
                name,
                TextOptions::default().set_indexing_options(counted.clone()),
            )
        };
        let words = field("words");
        let further: Vec<(Further, f32, Field)> = Further::of(analysis)
            .map(|(further, weight)| (further, weight, field(&format!("{further:?}"))))
            .collect();
        let number = schema.add_u64_field(NUMBER, FAST);
        let index = Index::create_in_ram(schema.build());
        let mut writer = index.writer_with_num_threads(1, 50_000_000)?;
        let mut all = 0;
        for (head, text) in texts {
            let mut doc = TantivyDocument::new();
            doc.add_pre_tokenized_text(words, tokenized(terms(&mut analyzer.clone(), text)));
            for (further, _, field) in &further {
                let text = if *further == Further::Title {
                    head
                } else {
                    text
                };
                doc.add_pre_tokenized_text(*field, tokenized(further.terms(&analyzer, text)));
            }
            doc.add_u64(number, all);
            writer.add_document(doc)?;
            all += 1;
        }
        writer.commit()?;
        let segments = index.searchable_segment_ids()?;
        if segments.len() > 1 {
            writer.merge(&segments).wait()?;
        }
        writer.wait_merging_threads()?;
        let searcher = index.reader()?.searcher();
        // Without a text there is no segment.
        let read = |field| match searcher.segment_readers().first() {
            Some(segment) => Impacts::read(segment, field, &numbers(segment)?),
            None => Ok(Impacts::default()),
        };
        let of =
            |(further, weight, field): (Further, f32, Field)| Ok((further, weight, read(field)?));
        Ok(Self {
            words: read(words)?,
            further: further.into_iter().map(of).collect::<Result<_, Error>>()?,
            texts: all as usize,
            analyzer,
        })
    }

    /// The terms of a text as this index has them, in order, repetitions kept.
    pub fn terms(&self, text: &str) -> Vec<String> {
        terms(&mut self.analyzer.clone(), text)
    }

    /// How many texts hold a term.
    pub fn texts_with(&self, term: &str) -> u64 {
        self.words.texts_with(term) as u64
    }

    /// How many texts there are.
    pub fn len(&self) -> usize {
        self.texts
    }

    /// Whether there is no text.
    pub fn is_empty(&self) -> bool {
        self.texts == 0
    }

    /// What is looked for with a question, which is analyzed like the texts and never parsed, so
    /// no character in it is syntax. A word that is repeated counts as often.
    pub fn query(&self, question: &str) -> TermQuery {
        let words = counted(self.terms(question));
        let of = |(further, ..): &(Further, f32, Impacts)| match further {
            Further::Title => BTreeMap::new(),
            _ => counted(further.terms(&self.analyzer, question)),
        };
        TermQuery {
            further: self.further.iter().map(of).collect(),
            words,
        }
    }

    /// The `k` best texts, of those that hold any of the terms.
    ///
    /// # Errors
    /// [`Error::BadK`] when `k` is 0.
    pub fn search(&self, query: &TermQuery, k: usize) -> Result<Vec<Scored>, Error> {
        if k == 0 {
            return Err(Error::BadK(k));
        }
        let sums = self.sums(query);
        let mut found: Vec<f32> = sums.iter().copied().filter(|sum| *sum > 0.0).collect();
        let least = match found.len() > k {
            true => *found.select_nth_unstable_by(k - 1, |a, b| b.total_cmp(a)).1,
            false => f32::MIN_POSITIVE,
        };
        let hits = (0..).zip(&sums).filter(|(_, sum)| **sum >= least);
        let scored = hits.map(|(item, &sum)| Scored {
            item,
            score: f64::from(sum),
        });
        top_k(scored, k)
    }

    /// The scores of given texts: 0 for a text that holds none of the terms.
    pub fn scores(&self, query: &TermQuery, items: &[usize]) -> Vec<f64> {
        let sums = self.sums(query);
        let score = |item: &usize| sums.get(*item).map_or(0.0, |sum| f64::from(*sum));
        items.iter().map(score).collect()
    }

    /// What each term of a query gives a text.
    pub fn explain(&self, query: &TermQuery, item: usize) -> Parts {
        let title = self.further.iter().find(|(f, ..)| *f == Further::Title);
        let part = |(term, &weight): (&String, &f32)| TermPart {
            term: term.clone(),
            texts: self.texts_with(term),
            body: f64::from(weight * self.words.of(term, item)),
            title: title.map_or(0.0, |(_, boost, impacts)| {
                f64::from(weight * boost * impacts.of(term, item))
            }),
        };
        let further = self.further.iter().zip(&query.further);
        let further = further.filter(|((further, ..), _)| *further != Further::Title);
        let sum = |((further, weight, impacts), terms): (&(_, f32, Impacts), &BTreeMap<_, _>)| {
            let give =
                |(term, by): (&String, &f32)| f64::from(by * weight * impacts.of(term, item));
            (*further, terms.iter().map(give).sum())
        };
        Parts {
            terms: query.words.iter().map(part).collect(),
            further: further.map(sum).collect(),
        }
    }

    /// The score of every text, terms added in their order.
    fn sums(&self, query: &TermQuery) -> Vec<f32> {
        let mut sums = vec![0.0; self.texts];
        for (term, weight) in &query.words {
            self.words.add(term, *weight, &mut sums);
        }
        for ((further, weight, impacts), terms) in self.further.iter().zip(&query.further) {
            let terms = match further {
                Further::Title => &query.words,
                _ => terms,
            };
            for (term, by) in terms {
                impacts.add(term, by * weight, &mut sums);
            }
        }
        sums
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

fn tokenized(terms: Vec<String>) -> PreTokenizedString {
    let token = |(position, text)| Token {
        position,
        text,
        ..Token::default()
    };
    PreTokenizedString {
        text: String::new(),
        tokens: terms.into_iter().enumerate().map(token).collect(),
    }
}

/// The text of each document of a segment.
fn numbers(segment: &SegmentReader) -> Result<Vec<u32>, Error> {
    let column = segment.fast_fields().u64(NUMBER)?;
    let number = |doc| column.first(doc).unwrap_or_default() as u32;
    Ok((0..segment.max_doc()).map(number).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use fiel_text::Lang;

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
        let first = |q: &str| {
            items(bm25.search(&bm25.query(q), 5).expect(q))
                .first()
                .copied()
        };
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
        let first = |q: &str| {
            items(bm25.search(&bm25.query(q), 5).expect(q))
                .first()
                .copied()
        };
        assert_eq!(first(&long), Some(0));
        assert_eq!(first("get_user_name"), Some(1));
        assert_eq!(first("what is E-0308?"), Some(2));
    }

    #[test]
    fn equal_scores_come_in_order_and_a_cut_through_them_takes_the_first() {
        let texts = vec!["same words here"; 40];
        let bm25 = index(&texts);
        let words = bm25.query("words");
        assert_eq!(
            items(bm25.search(&words, 5).expect("hits")),
            [0, 1, 2, 3, 4]
        );
        assert_eq!(bm25.search(&words, 100).expect("hits").len(), 40);
        assert_eq!(bm25.search(&words, usize::MAX).expect("hits").len(), 40);
        assert!(matches!(bm25.search(&words, 0), Err(Error::BadK(0))));
    }

    #[test]
    fn scores_of_given_texts_are_those_of_the_search() {
        let bm25 = index(&[
            "rain and wind",
            "snow",
            "rain, rain and rain",
            "wind of the north",
        ]);
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
        let analysis = |title_boost| Analysis {
            language: Lang::En,
            title_boost,
            ..Analysis::default()
        };
        let plain = Bm25::build(texts, analysis(0.0)).expect("index");
        assert_eq!(
            items(plain.search(&plain.query("rain"), 2).expect("hits")),
            [1, 0]
        );
        let boosted = Bm25::build(texts, analysis(2.0)).expect("index");
        let query = boosted.query("rain clouds");
        let hits = boosted.search(&query, 2).expect("hits");
        assert_eq!(hits[0].item, 0);
        let parts = boosted.explain(&query, 0);
        let (sum, parts) = (parts.sum(), parts.terms);
        assert!((sum - hits[0].score).abs() < 1e-5, "{sum} {hits:?}");
        assert_eq!(
            (parts[0].term.as_str(), parts[0].texts, parts[0].title),
            ("cloud", 1, 0.0)
        );
        assert!(parts[1].title > 0.0);
    }
}
