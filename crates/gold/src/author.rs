//! Writing a gold set question by question.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
    path::{Path, PathBuf},
    slice,
};

use fiel_corpus::KnowledgeBase;
use fiel_metrics::{answer_tokens, normalize_answer};
use fiel_record::LintFinding;
use fiel_store::{read_optional_text, sha256_hex, write_atomic};
use fiel_text::{Lang, id::QuestionId, quote_for, word_matches};

use crate::{
    BuildIndex, Error, Evidence, Gold, Question,
    error::to_json_lines,
    ids::{fresh_id, variant_id},
    import::split_of,
    lint::{Passages, lint_question},
};

/// Number of words of the shortest passage to draft a question from.
const WORDS: usize = 8;

/// A gold set that a person extends.
pub struct Author<'a> {
    kb: &'a KnowledgeBase,
    passages: Passages,
    gold: Gold,
    path: PathBuf,
}

impl<'a> Author<'a> {
    /// Opens a gold set, or starts a new one if the file does not exist.
    ///
    /// # Errors
    /// As [`Gold::load`], except for [`Error::NoGold`]; [`Error::Search`] if the passages cannot be
    /// indexed.
    pub fn open(path: &Path, kb: &'a KnowledgeBase, index: BuildIndex) -> Result<Self, Error> {
        let gold = match Gold::load(path) {
            Err(Error::NoGold { .. }) => Gold::empty(path),
            other => other?,
        };
        Ok(Self { kb, passages: Passages::new(kb, index)?, gold, path: path.to_owned() })
    }

    /// Number of questions in the set.
    pub fn len(&self) -> usize {
        self.gold.questions.len()
    }

    /// Whether the set has no question.
    pub fn is_empty(&self) -> bool {
        self.gold.questions.is_empty()
    }

    /// All passages, or those of one document, in an order that depends on the seed.
    pub fn passages(&self, doc: Option<&str>, seed: u64) -> Vec<usize> {
        let chunks = &self.passages.chunks;
        let mut order: Vec<usize> =
            (0..chunks.len()).filter(|&at| doc.is_none_or(|doc| chunks[at].doc == doc)).collect();
        order.sort_by_cached_key(|&at| sha256_hex(format!("{seed} {}", chunks[at].id).as_bytes()));
        order
    }

    /// Passages that are long enough for a question, those of documents with few questions first:
    /// by the number of questions and earlier passages of the document, then in an order that
    /// depends on the seed.
    pub(crate) fn passages_in_need(&self, seed: u64) -> Vec<usize> {
        let mut used: BTreeMap<&str, usize> = BTreeMap::new();
        for question in self.questions() {
            let docs: BTreeSet<&str> = question.evidence.iter().map(|e| e.doc.as_str()).collect();
            for doc in docs {
                *used.entry(doc).or_default() += 1;
            }
        }
        let chunks = &self.passages.chunks;
        let mut order = self.passages(None, seed);
        order.retain(|&at| chunks[at].text.split_whitespace().count() >= WORDS);
        order.sort_by_cached_key(|&at| {
            let used = used.entry(&chunks[at].doc).or_default();
            *used += 1;
            *used
        });
        order
    }

    pub(crate) fn questions(&self) -> impl Iterator<Item = &Question> {
        self.gold.questions.iter().map(|(_, question)| question)
    }

    /// Whether the set has a question with this normalized text.
    pub(crate) fn has_question(&self, text: &str) -> bool {
        self.questions().any(|q| normalize_answer(&q.question, q.lang) == text)
    }

    /// The language of most questions; without questions, that of the documents.
    pub fn lang(&self) -> Lang {
        let mut counts: BTreeMap<Lang, usize> = BTreeMap::new();
        for question in self.questions() {
            *counts.entry(question.lang).or_default() += 1;
        }
        let most = counts.into_iter().max_by_key(|&(_, count)| count);
        most.map_or(self.kb.info.lang, |(lang, _)| lang)
    }

    /// Every word of the documents, in lower case.
    pub(crate) fn vocabulary(&self) -> BTreeSet<String> {
        let texts = self.kb.documents.iter().map(|doc| doc.text.as_str());
        let words = texts.flat_map(|text| text.split(|c: char| !c.is_alphanumeric()));
        words.filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
    }

    /// A passage as the reader is given it: headings and text.
    pub(crate) fn read_passage(&self, passage: usize) -> String {
        self.passages.chunks[passage].passage()
    }

    /// The text of the document of a passage, and the range of the passage in it.
    pub(crate) fn place(&self, passage: usize) -> Option<(&str, Range<usize>)> {
        let chunk = &self.passages.chunks[passage];
        let text = &self.kb.document(&chunk.doc)?.text;
        text.get(chunk.span.clone()).map(|_| (text.as_str(), chunk.span.clone()))
    }

    /// The id of the document of a passage, and the passage as it is in the file.
    pub fn shown(&self, passage: usize) -> (&str, &str) {
        let chunk = &self.passages.chunks[passage];
        let text = self.place(passage).map_or(chunk.text.as_str(), |(text, span)| &text[span]);
        (&chunk.doc, text.trim())
    }

    /// The sentence of a passage that contains a text.
    pub fn sentence(&self, passage: usize, text: &str) -> Option<String> {
        let (doc, span) = self.place(passage)?;
        // The last occurrence, because a heading may contain the words as well.
        let place = word_matches(&doc[span.clone()], text).last()?;
        let start = span.start + place.start;
        quote_for(doc, span, start..start + text.len())
    }

    /// A question about a passage; unanswerable if it has no answers. Its id is made of its words.
    pub fn draft(
        &self,
        passage: usize,
        asked: &str,
        answers: Vec<String>,
        quote: &str,
    ) -> Question {
        let id = self.fresh_id(asked);
        let evidence = (!answers.is_empty()).then(|| Evidence {
            doc: self.passages.chunks[passage].doc.clone(),
            quote: Some(quote.to_owned()),
            ..Evidence::default()
        });
        Question {
            question: asked.to_owned(),
            lang: self.kb.info.lang,
            unanswerable: answers.is_empty(),
            evidence: evidence.into_iter().collect(),
            answers,
            split: split_of(&id),
            id,
            ..Question::default()
        }
    }

    /// A free id for a question, made of its first content words in the style of the set.
    fn fresh_id(&self, asked: &str) -> QuestionId {
        let lang = self.kb.info.lang;
        let words = answer_tokens(asked, lang).into_iter().filter(|word| !lang.is_stop_word(word));
        fresh_id(&self.ids(), &words.take(4).collect::<Vec<_>>()).into()
    }

    /// A free id for a variant of a question.
    pub(crate) fn variant_id(&self, id: &str, word: &str) -> QuestionId {
        variant_id(&self.ids(), id, word).into()
    }

    fn ids(&self) -> Vec<&str> {
        self.questions().map(|q| q.id.as_str()).collect()
    }

    /// A question with a free id: a new one if its own is taken, or if `always`.
    pub fn renamed(&self, mut question: Question, always: bool) -> Question {
        if always || self.ids().contains(&question.id.as_str()) {
            question.id = self.fresh_id(&question.question);
        }
        question
    }

    /// The findings of the linter if a question were added to the set.
    ///
    /// # Errors
    /// [`Error::Search`] if the passages cannot be searched.
    pub fn check(&self, question: &Question) -> Result<Vec<LintFinding>, Error> {
        let line = self.gold.questions.last().map_or(1, |(line, _)| line + 1);
        lint_question(question, line, &self.gold.questions, self.kb, &self.passages)
    }

    /// Appends a question to the file, which is replaced as a whole.
    ///
    /// # Errors
    /// [`Error::Store`] if the file cannot be read or written.
    pub fn add(&mut self, question: Question) -> Result<(), Error> {
        let mut text = read_optional_text(&self.path)?.unwrap_or_default();
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        let line = text.lines().count() + 1;
        text.push_str(&to_json_lines(&self.path, slice::from_ref(&question))?);
        write_atomic(&self.path, text.as_bytes())?;
        self.gold.questions.push((line, question));
        Ok(())
    }
}
