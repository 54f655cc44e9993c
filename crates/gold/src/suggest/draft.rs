use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
};

use fiel_metrics::{contains, normalize_answer, strip_citations};
use fiel_text::Lang;
use serde::{Deserialize, Serialize, Serializer};

use super::{
    DRAFTED, DraftCheck, DraftStyle, DraftTask,
    said::{question_alone, question_and_answer},
    sentence::proof,
    twin::Twins,
};
use crate::{Author, BoxError, Error, Level, Question, Split};

/// Attempts at one draft, each with another passage or question.
const TRIES: usize = 6;

/// A question that a model drafted and no person has seen yet.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Draft {
    /// How it is put.
    pub style: DraftStyle,
    /// The document it was drafted from; of a misspelled question the id of the plain one.
    pub source: String,
    /// The passage it was drafted from, as it stands there; of a misspelled question the plain one
    /// and its evidence.
    pub passage: String,
    /// As it would be added.
    pub question: Question,
    /// What the reader makes of it.
    pub check: DraftCheck,
}

/// Why a draft is not shown to anyone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum DropReason {
    /// The model wrote no question, or no answer to it.
    NoQuestion,
    /// The answer is not in the passage.
    NotInPassage,
    /// The sentence of the answer stands in its document more than once.
    NotUnique,
    /// The question holds its answer.
    GivesAway,
    /// The same question is there already.
    Repeated,
    /// The linter finds an error.
    Unusable,
    /// It should have no answer, and the reader finds one word for word in its passage.
    Answered,
}

impl fmt::Display for DropReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoQuestion => "no question or answer was written",
            Self::NotInPassage => "the answer is not in the passage",
            Self::NotUnique => "the sentence of the answer stands in its document more than once",
            Self::GivesAway => "the question holds its answer",
            Self::Repeated => "the same question is there already",
            Self::Unusable => "the linter finds an error",
            Self::Answered => "the passage answers what should have no answer",
        })
    }
}

impl Serialize for DropReason {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Writes what is asked for from a passage, in a language.
pub type Write<'w> = dyn FnMut(DraftTask, &str, Lang) -> Result<String, BoxError> + 'w;
/// Has the reader answer a drafted question.
pub type Read<'w> = dyn FnMut(&Question) -> Result<DraftCheck, BoxError> + 'w;

/// Drafts questions one by one, from passages in an order that the seed decides, those of documents
/// with few questions first. Each passage is used once.
pub struct Suggester<'w> {
    write: &'w mut Write<'w>,
    read: &'w mut Read<'w>,
    passages: std::vec::IntoIter<usize>,
    twins: Twins,
    asked: BTreeSet<String>,
    dropped: BTreeMap<DropReason, usize>,
}

impl<'w> Suggester<'w> {
    /// For a set as it is now; `write` and `read` are the model.
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

    /// Attempts that led to nothing, by reason.
    pub fn dropped(&self) -> &BTreeMap<DropReason, usize> {
        &self.dropped
    }

    /// A draft of a style; none when there is nothing left to draft from, or several attempts led
    /// to nothing.
    ///
    /// # Errors
    /// When the model or the linter fails.
    pub fn draft(
        &mut self,
        author: &Author<'_>,
        style: DraftStyle,
    ) -> Result<Option<Draft>, Error> {
        for _ in 0..TRIES {
            let Some(made) = self.attempt(author, style)? else {
                return Ok(None);
            };
            let kept = match made {
                Ok(made) => self.kept(author, made)?,
                Err(reason) => Err(reason),
            };
            match kept {
                Err(reason) => *self.dropped.entry(reason).or_default() += 1,
                Ok(Made { source, passage, question }) => {
                    let check = (self.read)(&question).map_err(Error::Model)?;
                    if is_answered(&question, &check, &passage) {
                        *self.dropped.entry(DropReason::Answered).or_default() += 1;
                        continue;
                    }
                    return Ok(Some(Draft { style, source, passage, question, check }));
                }
            }
        }
        Ok(None)
    }

    fn attempt(
        &mut self,
        author: &Author<'_>,
        style: DraftStyle,
    ) -> Result<Option<Result<Made, DropReason>>, Error> {
        let task = match style {
            DraftStyle::Plain => DraftTask::Plain,
            DraftStyle::Colloquial => DraftTask::Colloquial,
            DraftStyle::Unanswerable => DraftTask::Unanswerable,
            DraftStyle::Typo => return Ok(self.twins.next(author).map(Ok)),
        };
        let Some(at) = self.passages.next() else {
            return Ok(None);
        };
        let lang = author.lang();
        let said = (self.write)(task, &author.read_passage(at), lang).map_err(Error::Model)?;
        let taken = match style {
            DraftStyle::Unanswerable => question_alone(&said).map(|asked| (asked, Vec::new())),
            _ => question_and_answer(&said).map(|(asked, answer)| (asked, vec![answer])),
        };
        let Some((asked, answers)) = taken else {
            return Ok(Some(Err(DropReason::NoQuestion)));
        };
        let quote = match answers.first() {
            None => String::new(),
            Some(answer) => {
                let (text, span) = author.place(at);
                match proof(text, span, &asked, answer, lang) {
                    Ok(quote) => quote,
                    Err(reason) => return Ok(Some(Err(reason))),
                }
            }
        };
        let (doc, shown) = author.shown(at);
        let question = Question {
            lang,
            split: Split::Dev,
            tags: vec![style.tag().to_owned(), DRAFTED.to_owned()],
            ..author.draft(at, &asked, answers, &quote)
        };
        Ok(Some(Ok(Made { source: doc.to_owned(), passage: shown.to_owned(), question })))
    }

    /// What can be shown to a person.
    fn kept(&mut self, author: &Author<'_>, made: Made) -> Result<Result<Made, DropReason>, Error> {
        let question = &made.question;
        let lang = question.lang;
        let text = normalize_answer(&question.question, lang);
        let is_there = author.asks(&text) || !self.asked.insert(text);
        let answer = question.answers.first();
        Ok(if is_there {
            Err(DropReason::Repeated)
        } else if answer.is_some_and(|a| contains(&question.question, &[a], lang) == 1.0) {
            Err(DropReason::GivesAway)
        } else if author.check(question)?.iter().any(|f| f.level == Level::Error) {
            Err(DropReason::Unusable)
        } else {
            Ok(made)
        })
    }
}

/// Whether the reader's answer to an unanswerable question stands in the passage it is about. Another
/// answer may be the reader's invention, and is a person's to judge.
fn is_answered(question: &Question, check: &DraftCheck, passage: &str) -> bool {
    let answer = strip_citations(&check.answer);
    question.unanswerable
        && !check.abstained
        && contains(passage, &[answer.trim()], question.lang) == 1.0
}

/// A question before anybody looked at it.
pub(super) struct Made {
    pub source: String,
    pub passage: String,
    pub question: Question,
}
