//! Drafts and how they are made.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt, vec,
};

use fiel_metrics::{contains, normalize_answer, strip_citations};
use fiel_record::LintLevel;
use fiel_text::Lang;
use serde::{Deserialize, Serialize};

use super::{
    DRAFTED, DraftStyle, DraftTask,
    reply::{question_alone, question_and_answer},
    sentence::proof,
    twin::Twins,
};
use crate::{Author, BoxError, Error, Question, Split};

/// Number of attempts per draft, each with another passage or question.
const TRIES: usize = 6;

/// A question that a model drafted, before a person reviews it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Draft {
    /// Its style.
    pub style: DraftStyle,
    /// Id of the document it was drafted from; for a misspelled question, the id of the plain one.
    pub source: String,
    /// The passage it was drafted from, as it is in the file; for a misspelled question, the plain
    /// one and its evidence.
    pub passage: String,
    /// The question as it would be added to the set.
    pub question: Question,
    /// The reader's answer.
    pub check: DraftCheck,
}

/// The reader's answer to a drafted question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DraftCheck {
    /// The answer from the evidence alone; to an unanswerable question, from retrieved passages.
    pub answer: String,
    /// Whether the reader declined to answer.
    pub abstained: bool,
    /// F1 against the references of the draft; absent without references.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub f1: Option<f64>,
    /// Whether it confirms the draft: the same answer, or abstention on an unanswerable question.
    pub agrees: bool,
}

/// Why an attempt at a draft is dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum DropReason {
    /// The model wrote no question, or no answer to it.
    NoQuestion,
    /// The passage lacks the answer.
    NotInPassage,
    /// The document contains the sentence of the answer more than once.
    NotUnique,
    /// The question contains its answer.
    GivesAway,
    /// The set or another draft has the same question.
    Repeated,
    /// The linter finds an error.
    Unusable,
    /// The question should be unanswerable, but the reader's answer is in the passage.
    Answered,
}

impl fmt::Display for DropReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoQuestion => "the model wrote no question or no answer",
            Self::NotInPassage => "the answer is not in the passage",
            Self::NotUnique => "the sentence of the answer is not unique in its document",
            Self::GivesAway => "the question contains its answer",
            Self::Repeated => "the question exists already",
            Self::Unusable => "the linter finds an error",
            Self::Answered => "the passage answers a question that should be unanswerable",
        })
    }
}

/// Has the model write a draft from a passage in a language.
pub type Write<'w> = dyn FnMut(DraftTask, &str, Lang) -> Result<String, BoxError> + 'w;
/// Has the reader answer a drafted question.
pub type Read<'w> = dyn FnMut(&Question) -> Result<DraftCheck, BoxError> + 'w;

/// Drafts questions one by one. Each passage is used once, in an order that depends on the seed,
/// those of documents with few questions first.
pub struct Suggester<'w> {
    write: &'w mut Write<'w>,
    read: &'w mut Read<'w>,
    passages: vec::IntoIter<usize>,
    twins: Twins,
    /// Normalized texts of the drafted questions.
    asked: BTreeSet<String>,
    dropped: BTreeMap<DropReason, usize>,
}

impl<'w> Suggester<'w> {
    /// Drafts for the current questions of a set; `write` and `read` are the model.
    pub fn new(
        author: &Author<'_>,
        seed: u64,
        write: &'w mut Write<'w>,
        read: &'w mut Read<'w>,
    ) -> Self {
        Self {
            write,
            read,
            passages: author.passages_in_need(seed).into_iter(),
            twins: Twins::new(author, seed),
            asked: BTreeSet::new(),
            dropped: BTreeMap::new(),
        }
    }

    /// Number of dropped attempts by reason.
    pub fn dropped(&self) -> &BTreeMap<DropReason, usize> {
        &self.dropped
    }

    /// A draft of a style. Returns `None` if no passage is left, or several attempts were dropped.
    ///
    /// # Errors
    /// [`Error::Model`] if the model fails, [`Error::Search`] if the linter does.
    pub fn draft(
        &mut self,
        author: &Author<'_>,
        style: DraftStyle,
    ) -> Result<Option<Draft>, Error> {
        for _ in 0..TRIES {
            let candidate = match style {
                DraftStyle::Typo => self.twins.next(author).map(Ok),
                _ => self.passages.next().map(|at| self.write(author, style, at)).transpose()?,
            };
            let draft = match candidate {
                None => return Ok(None),
                Some(Ok(candidate)) => self.screen(author, style, candidate)?,
                Some(Err(reason)) => Err(reason),
            };
            match draft {
                Ok(draft) => return Ok(Some(draft)),
                Err(reason) => *self.dropped.entry(reason).or_default() += 1,
            }
        }
        Ok(None)
    }

    /// A question about a passage.
    fn write(
        &mut self,
        author: &Author<'_>,
        style: DraftStyle,
        passage: usize,
    ) -> Result<Result<Candidate, DropReason>, Error> {
        let task = match style {
            DraftStyle::Colloquial => DraftTask::Colloquial,
            DraftStyle::Unanswerable => DraftTask::Unanswerable,
            DraftStyle::Plain | DraftStyle::Typo => DraftTask::Plain,
        };
        let lang = author.lang();
        let reply =
            (self.write)(task, &author.read_passage(passage), lang).map_err(Error::Model)?;
        let parsed = match task {
            DraftTask::Unanswerable => question_alone(&reply).map(|asked| (asked, None)),
            _ => question_and_answer(&reply).map(|(asked, answer)| (asked, Some(answer))),
        };
        let Some((asked, answer)) = parsed else {
            return Ok(Err(DropReason::NoQuestion));
        };
        let quote = answer.as_ref().map(|answer| {
            let (text, span) = author.place(passage).ok_or(DropReason::NotInPassage)?;
            proof(text, span, &asked, answer, lang)
        });
        Ok(quote.transpose().map(|quote| {
            let (doc, shown) = author.shown(passage);
            let answers = answer.into_iter().collect();
            let question = Question {
                lang,
                split: Split::Dev,
                tags: vec![style.tag().to_owned(), DRAFTED.to_owned()],
                ..author.draft(passage, &asked, answers, &quote.unwrap_or_default())
            };
            Candidate { source: doc.to_owned(), passage: shown.to_owned(), question }
        }))
    }

    /// Checks a question and has the reader answer it.
    fn screen(
        &mut self,
        author: &Author<'_>,
        style: DraftStyle,
        Candidate { source, passage, question }: Candidate,
    ) -> Result<Result<Draft, DropReason>, Error> {
        let lang = question.lang;
        let text = normalize_answer(&question.question, lang);
        let answer = question.answers.first();
        if author.has_question(&text) || !self.asked.insert(text) {
            return Ok(Err(DropReason::Repeated));
        }
        if answer.is_some_and(|a| contains(&question.question, &[a], lang) == 1.0) {
            return Ok(Err(DropReason::GivesAway));
        }
        if author.check(&question)?.iter().any(|f| f.level == LintLevel::Error) {
            return Ok(Err(DropReason::Unusable));
        }
        let check = (self.read)(&question).map_err(Error::Model)?;
        // An answer outside the passage may be invented; a person judges it.
        let answer = strip_citations(&check.answer);
        let is_answered = question.unanswerable
            && !check.abstained
            && contains(&passage, &[answer.trim()], lang) == 1.0;
        if is_answered {
            return Ok(Err(DropReason::Answered));
        }
        Ok(Ok(Draft { style, source, passage, question, check }))
    }
}

/// A question before it is screened; the fields are those of [`Draft`].
pub(super) struct Candidate {
    pub source: String,
    pub passage: String,
    pub question: Question,
}
