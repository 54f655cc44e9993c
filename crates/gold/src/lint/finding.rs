use std::{collections::BTreeMap, fmt};

use serde::{Serialize, Serializer};

/// How much a finding weighs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// The question cannot be used.
    Error,
    /// It probably misleads.
    Warning,
    /// Worth knowing; never fails.
    Note,
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Note => "note",
        })
    }
}

/// What is wrong. The first digit is the subject: 0 the file and its evidence, 1 duplicates,
/// 2 copies, 3 answers, 4 unanswerable questions, 5 tags, 6 language, 7 accepted findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Code {
    /// The line is no usable question.
    G001,
    /// There is no such document.
    G002,
    /// The quote is not in its document.
    G003,
    /// The quote is in its document more than once.
    G004,
    /// A question is asked twice.
    G101,
    /// Two questions are nearly the same.
    G102,
    /// A question repeats a run of words of its evidence.
    G201,
    /// A question is made of the words of its evidence.
    G202,
    /// Most questions of the set are made of the words of their evidence.
    G203,
    /// No reference can be read off the evidence.
    G301,
    /// A reference lacks what `answer_contains` asks for.
    G302,
    /// The answer also stands in a passage that is not marked as evidence.
    G303,
    /// A passage looks like the answer to an unanswerable question.
    G401,
    /// Slices with few questions.
    G501,
    /// Combinations of tags that no question has.
    G502,
    /// A question is not in the language it says.
    G601,
    /// Questions in another language than the documents.
    G602,
    /// An accepted finding is not there any more.
    G701,
}

impl Code {
    /// Every code, in order.
    pub const ALL: [Self; 18] = [
        Self::G001,
        Self::G002,
        Self::G003,
        Self::G004,
        Self::G101,
        Self::G102,
        Self::G201,
        Self::G202,
        Self::G203,
        Self::G301,
        Self::G302,
        Self::G303,
        Self::G401,
        Self::G501,
        Self::G502,
        Self::G601,
        Self::G602,
        Self::G701,
    ];

    /// How much its findings weigh.
    pub fn level(self) -> Level {
        match self {
            Self::G001 | Self::G002 | Self::G003 | Self::G004 => Level::Error,
            Self::G501 | Self::G502 | Self::G602 | Self::G701 => Level::Note,
            _ => Level::Warning,
        }
    }

    /// What to do about it.
    pub fn remedy(self) -> &'static str {
        match self {
            Self::G001 => "mend or remove the line",
            Self::G002 => "name a document by its path below the knowledge base, without extension",
            Self::G003 => "copy the quote from the file as it stands, Markdown marks included",
            Self::G004 => "quote more of the sentence, so that it stands there once",
            Self::G101 => "remove one of the two",
            Self::G102 => "reword or remove one of the two, or tell them apart by their answers",
            Self::G201 => "ask in words that a person would use who has not read the passage",
            Self::G202 => "paraphrase, unless the question is about these very words",
            Self::G203 => "write more questions in other words than those of the documents",
            Self::G301 => {
                "give a reference in the words of the evidence, or quote the words that answer"
            }
            Self::G302 => "add the string to the reference, or drop it from answer_contains",
            Self::G303 => {
                "add the passage as an alternative of the same group, or make the question narrower"
            }
            Self::G401 => {
                "give the question this evidence and an answer, or ask for what is not there"
            }
            Self::G501 => "write more questions with these tags, or do not read their figures",
            Self::G502 => "write a question for each, or leave them out on purpose",
            Self::G601 => "correct `lang`, which decides stop words, articles and numbers",
            Self::G602 => "nothing, if the set is meant to cross languages; else correct `lang`",
            Self::G701 => "remove it from [lint.accept]",
        }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

impl Serialize for Code {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// One thing that was found. Ordered by place, then by weight.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Finding {
    /// Its code.
    pub code: Code,
    /// Its weight.
    pub level: Level,
    /// Line of the gold set; none for the set as a whole.
    pub line: Option<usize>,
    /// Id of the question.
    pub question: Option<String>,
    /// What was found, with its figure.
    pub message: String,
    /// The figures, by name.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub figures: BTreeMap<&'static str, f64>,
    /// What to do.
    pub remedy: &'static str,
}

impl Finding {
    pub(crate) fn of_set(code: Code, message: String) -> Self {
        Self {
            code,
            level: code.level(),
            line: None,
            question: None,
            message,
            figures: BTreeMap::new(),
            remedy: code.remedy(),
        }
    }

    pub(crate) fn at(code: Code, (line, id): (usize, &str), message: String) -> Self {
        Self { line: Some(line), question: Some(id.to_owned()), ..Self::of_set(code, message) }
    }

    pub(crate) fn figure(mut self, name: &'static str, value: f64) -> Self {
        self.figures.insert(name, value);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_in_order_and_each_has_a_remedy() {
        assert!(Code::ALL.is_sorted_by(|a, b| a < b));
        assert_eq!(Code::ALL.len(), Code::G701 as usize + 1);
        assert!(Code::ALL.iter().all(|c| c.remedy().len() > 20));
        assert_eq!(Code::G303.to_string(), "G303");
    }
}
