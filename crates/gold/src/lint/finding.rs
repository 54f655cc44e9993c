//! The codes of findings.

use fiel_record::{LintFinding, LintLevel};

/// The kind of a finding. The first digit is the subject: 0 the file and its evidence,
/// 1 duplicates, 2 copies, 3 answers, 4 unanswerable questions, 5 tags, 6 language, 7 accepted
/// findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Code {
    /// The line is not a usable question.
    G001,
    /// The knowledge base lacks the document.
    G002,
    /// The document lacks the quote.
    G003,
    /// The document contains the quote more than once.
    G004,
    /// The set contains the question twice.
    G101,
    /// Two questions are nearly the same.
    G102,
    /// The question repeats a run of words of its evidence.
    G201,
    /// The question consists of words of its evidence.
    G202,
    /// Most questions of the set consist of words of their evidence.
    G203,
    /// The evidence contains no reference.
    G301,
    /// A reference lacks a string of `answer_contains`.
    G302,
    /// A passage that is not marked as evidence contains the answer.
    G303,
    /// A passage seems to answer an unanswerable question.
    G401,
    /// Slices with few questions.
    G501,
    /// Combinations of tags without a question.
    G502,
    /// The question is not in the language of its `lang`.
    G601,
    /// Questions in another language than the documents.
    G602,
    /// An accepted finding that no longer occurs.
    G701,
}

impl Code {
    /// A finding about the set; the caller adds line and question.
    pub(super) fn finding(self, message: String, figures: &[(&str, f64)]) -> LintFinding {
        LintFinding {
            code: format!("{self:?}"),
            level: self.level(),
            line: None,
            question: None,
            message,
            figures: figures.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect(),
            remedy: self.remedy().to_owned(),
        }
    }

    fn level(self) -> LintLevel {
        match self {
            Self::G001 | Self::G002 | Self::G003 | Self::G004 => LintLevel::Error,
            Self::G501 | Self::G502 | Self::G602 | Self::G701 => LintLevel::Note,
            _ => LintLevel::Warning,
        }
    }

    fn remedy(self) -> &'static str {
        match self {
            Self::G001 => "correct or remove the line",
            Self::G002 => "name a document by its path below the knowledge base, without extension",
            Self::G003 => "copy the quote exactly from the file, including Markdown marks",
            Self::G004 => "quote more of the sentence, so that the quote is unique",
            Self::G101 => "remove one of the two",
            Self::G102 => "reword or remove one of the two, or give them different answers",
            Self::G201 => "ask in the words of a person who has not read the passage",
            Self::G202 => "paraphrase, unless the question is about these very words",
            Self::G203 => "write more questions in other words than those of the documents",
            Self::G301 => "give a reference in the words of the evidence, or quote the answer",
            Self::G302 => "add the string to the reference, or remove it from answer_contains",
            Self::G303 => {
                "add the passage as an alternative in the same group, or narrow the question"
            }
            Self::G401 => "give the question this evidence and an answer, or ask something else",
            Self::G501 => "write more questions with these tags, or ignore the means of the slices",
            Self::G502 => "write a question for each, or leave them out on purpose",
            Self::G601 => "correct `lang`, which decides stop words, articles and numbers",
            Self::G602 => "correct `lang`, unless the set is meant to be cross-lingual",
            Self::G701 => "remove it from [lint.accept]",
        }
    }
}
