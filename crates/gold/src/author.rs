use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
    path::{Path, PathBuf},
};

use fiel_corpus::KnowledgeBase;
use fiel_metrics::{normalize, tokens};
use fiel_store::{sha256_hex, write_atomic};
use fiel_text::{Lang, id::QuestionId, quote_for, word_matches};

use crate::{
    BuildIndex, Code, Error, Evidence, Finding, Gold, Question,
    gold::check,
    ids::{fresh_id, variant_id},
    import::split_of,
    lint::{Passages, lint_question},
};

/// Words of the shortest passage that a question is drafted from.
const WORDS: usize = 8;

/// A gold set that is being written, question by question.
pub struct Author<'a> {
    kb: &'a KnowledgeBase,
    passages: Passages,
    gold: Gold,
    path: PathBuf,
}

impl<'a> Author<'a> {
    /// Opens a gold set, or begins one where there is none.
    ///
    /// # Errors
    /// When the set that is there is faulty, or the documents cannot be indexed.
    pub fn open(path: &Path, kb: &'a KnowledgeBase, index: BuildIndex) -> Result<Self, Error> {
        let gold = match Gold::load(path) {
            Err(Error::NoGold { .. }) => Gold::empty(path),
            other => other?,
        };
        Ok(Self { kb, passages: Passages::new(kb, index)?, gold, path: path.to_owned() })
    }

    /// Questions in the set.
    pub fn len(&self) -> usize {
        self.gold.questions.len()
    }

    /// Whether the set has no question yet.
    pub fn is_empty(&self) -> bool {
        self.gold.questions.is_empty()
    }

    /// All passages, or those of one document, in an order that the seed decides.
    pub fn passages(&self, doc: Option<&str>, seed: u64) -> Vec<usize> {
        let chunks = &self.passages.chunks;
        let mut order: Vec<usize> =
            (0..chunks.len()).filter(|&at| doc.is_none_or(|doc| chunks[at].doc == doc)).collect();
        order.sort_by_cached_key(|&at| sha256_hex(format!("{seed} {}", chunks[at].id).as_bytes()));
        order
    }

    /// Passages with words enough for a question: those of documents with few questions first, one
    /// of each document before a second of any, else in an order that the seed decides.
    pub(crate) fn passages_in_need(&self, seed: u64) -> Vec<usize> {
        let mut used: BTreeMap<&str, usize> = BTreeMap::new();
        for question in self.questions() {
            let docs: BTreeSet<&str> = question.evidence.iter().map(|e| e.doc.as_str()).collect();
            for doc in docs {
                *used.entry(doc).or_default() += 1;
            }
        }
        let chunks = &self.passages.chunks;
        let is_enough = |at: &usize| chunks[*at].text.split_whitespace().count() >= WORDS;
        let order = self.passages(None, seed).into_iter().filter(is_enough);
        let mut ranked: Vec<(usize, usize)> = order
            .map(|at| {
                let used = used.entry(&chunks[at].doc).or_default();
                *used += 1;
                (*used, at)
            })
            .collect();
        ranked.sort_by_key(|&(used, _)| used);
        ranked.into_iter().map(|(_, at)| at).collect()
    }

    /// The questions of the set.
    pub(crate) fn questions(&self) -> impl Iterator<Item = &Question> {
        self.gold.questions.iter().map(|(_, question)| question)
    }

    /// Whether a question of the set is this one, normalized.
    pub(crate) fn asks(&self, text: &str) -> bool {
        self.questions().any(|q| normalize(&q.question, q.lang) == text)
    }

    /// The language of most questions, or, where there are none, that of the documents.
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
        words.filter(|w| !w.is_empty()).map(str::to_lowercase).collect()
    }

    /// A passage as it is read: headings and text.
    pub(crate) fn read_passage(&self, passage: usize) -> String {
        self.passages.chunks[passage].passage()
    }

    /// The text of a passage's document, and the part of it that is the passage.
    pub(crate) fn place(&self, passage: usize) -> (&str, Range<usize>) {
        let chunk = &self.passages.chunks[passage];
        let text = self.kb.document(&chunk.doc).map(|doc| doc.text.as_str());
        let text = text.filter(|text| text.get(chunk.span.clone()).is_some());
        text.map_or(("", 0..0), |text| (text, chunk.span.clone()))
    }

    /// The document of a passage, and the passage as it stands in the file.
    pub fn shown(&self, passage: usize) -> (&str, &str) {
        let chunk = &self.passages.chunks[passage];
        let text = self.kb.document(&chunk.doc).map(|doc| doc.text.as_str());
        let text = text.and_then(|text| text.get(chunk.span.clone()));
        (&chunk.doc, text.unwrap_or(&chunk.text).trim())
    }

    /// The sentence of a passage that holds a text.
    pub fn sentence(&self, passage: usize, text: &str) -> Option<String> {
        let chunk = &self.passages.chunks[passage];
        let doc = self.kb.document(&chunk.doc)?;
        // The last place, for a heading may hold the words as well.
        let place = word_matches(doc.text.get(chunk.span.clone())?, text).last()?;
        let start = chunk.span.start + place.start;
        quote_for(&doc.text, chunk.span.clone(), start..start + text.len())
    }

    /// A question about a passage; without answers an unanswerable one. Its id is made of its
    /// words, its split of its id.
    pub fn draft(
        &self,
        passage: usize,
        asked: &str,
        answers: Vec<String>,
        quote: &str,
    ) -> Question {
        let id = self.id(asked);
        let lang = self.kb.info.lang;
        let unanswerable = answers.is_empty();
        let evidence = Evidence {
            doc: self.passages.chunks[passage].doc.clone(),
            quote: Some(quote.to_owned()),
            group: None,
            grade: None,
        };
        Question {
            question: asked.to_owned(),
            lang,
            evidence: if unanswerable { Vec::new() } else { vec![evidence] },
            answers,
            answer_contains: Vec::new(),
            context: Vec::new(),
            tags: Vec::new(),
            unanswerable,
            split: split_of(&id),
            id,
        }
    }

    /// An id for a question, made of its first words in the style of the set.
    fn id(&self, asked: &str) -> QuestionId {
        let lang = self.kb.info.lang;
        let words: Vec<String> = tokens(asked, lang)
            .into_iter()
            .filter(|word| !lang.is_stop_word(word))
            .take(4)
            .collect();
        fresh_id(&self.ids(), &words).into()
    }

    /// An id for a variant of a question.
    pub(crate) fn variant_id(&self, of: &str, word: &str) -> QuestionId {
        variant_id(&self.ids(), of, word).into()
    }

    fn ids(&self) -> Vec<&str> {
        self.questions().map(|q| q.id.as_str()).collect()
    }

    /// A question under an id of its own: the one it has, unless that is taken or `anew`.
    pub fn renamed(&self, question: Question, anew: bool) -> Question {
        let id = match anew || self.ids().contains(&question.id.as_str()) {
            true => self.id(&question.question),
            false => question.id,
        };
        Question { id, ..question }
    }

    /// What the linter says of a question beside those of the set.
    ///
    /// # Errors
    /// When the words of the question cannot be looked up.
    pub fn check(&self, question: &Question) -> Result<Vec<Finding>, Error> {
        let line = self.next_line();
        let mut out = Vec::new();
        check(question, &mut |fault| {
            out.push(Finding::at(Code::G001, (line, &question.id), fault.to_owned()));
        });
        let others = &self.gold.questions;
        out.extend(lint_question(question, line, others, self.kb, &self.passages)?);
        Ok(out)
    }

    /// Adds a question at the end of the file, which is replaced as a whole.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn add(&mut self, question: Question) -> Result<(), Error> {
        let mut text = fiel_store::read_optional_text(&self.path)?.unwrap_or_default();
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        let line = text.lines().count() + 1;
        let json = serde_json::to_string(&question).map_err(|e| Error::io(&self.path, e.into()))?;
        text.push_str(&json);
        text.push('\n');
        write_atomic(&self.path, text.as_bytes())?;
        self.gold.questions.push((line, question));
        Ok(())
    }

    fn next_line(&self) -> usize {
        self.gold.questions.last().map_or(1, |(line, _)| line + 1)
    }
}
