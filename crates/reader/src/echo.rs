//! Detection of answers that only repeat their question.

use std::collections::BTreeSet;

use fiel_metrics::{LexicalContext, answer_tokens, is_refusal, strip_citations};
use fiel_text::Lang;

use crate::Passage;

/// Words of questions that offer a choice, whose answer is a word of the question.
const CHOICE: [&str; 6] = ["or", "either", "whether", "o", "u", "si"];

/// Detects an answer that has only words of its question, such as "rhodophyte" for "What does
/// *rhodophyte* mean?". Small models give it if they find nothing better.
pub(crate) struct EchoDetector {
    /// Words of the question; empty if it offers a choice, so that no answer is an echo.
    question: BTreeSet<String>,
    lang: Lang,
}

impl EchoDetector {
    pub(crate) fn new(question: &str, lang: Lang) -> Self {
        let mut question: BTreeSet<String> = answer_tokens(question, lang).into_iter().collect();
        if CHOICE.iter().any(|word| question.contains(*word)) {
            question.clear();
        }
        Self { question, lang }
    }

    /// Whether every word of the answer is in the question, which offers no choice.
    pub(crate) fn is_echo(&self, answer: &str) -> bool {
        let words = answer_tokens(&strip_citations(answer), self.lang);
        !words.is_empty() && words.iter().all(|word| self.question.contains(word))
    }

    /// Whether an answer that begins with `prefix` may be an echo. The last word or citation of the
    /// prefix may be incomplete.
    pub(crate) fn may_become_echo(&self, prefix: &str) -> bool {
        let prefix = match prefix.rsplit_once('[') {
            Some((before, citation)) if !citation.contains(']') => before,
            _ => prefix,
        };
        let words = answer_tokens(&strip_citations(prefix), self.lang);
        let Some((last, whole)) = words.split_last() else {
            return true;
        };
        whole.iter().all(|word| self.question.contains(word))
            && self.question.iter().any(|word| word.starts_with(last))
    }

    /// Whether an answer may replace an echo: it is a refusal, or it adds words that the passages
    /// support.
    pub(crate) fn is_better(&self, answer: &str, passages: &[Passage]) -> bool {
        let words = strip_citations(answer);
        if answer_tokens(&words, self.lang).is_empty() || self.is_echo(answer) {
            return false;
        }
        let texts: Vec<&str> = passages.iter().map(|p| p.text.as_str()).collect();
        is_refusal(answer, &[])
            || LexicalContext::new(&texts, self.lang).support(&words).supported()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_words_of_the_question_are_an_echo() {
        let echo = EchoDetector::new("What is a term for the Christian academies?", Lang::En);
        assert!(echo.is_echo("the Christian academies [1]"));
        assert!(!echo.is_echo("segregation academies [1]"));
        assert!(!echo.is_echo("[1]") && !echo.is_echo(""));
        let negated = EchoDetector::new("What is the negative form of *had better*?", Lang::En);
        assert!(!negated.is_echo("had better not [1]"));
    }

    #[test]
    fn a_question_that_offers_a_choice_is_answered_in_its_own_words() {
        assert!(!EchoDetector::new("Is it cancelled or canceled?", Lang::En).is_echo("canceled"));
        assert!(!EchoDetector::new("¿Es fijo o temporal?", Lang::Es).is_echo("temporal"));
        assert!(
            EchoDetector::new("¿Qué es un contrato temporal?", Lang::Es)
                .is_echo("contrato temporal")
        );
    }

    #[test]
    fn a_prefix_may_become_an_echo_until_it_has_a_new_word() {
        let echo = EchoDetector::new("What is a term for the Christian academies?", Lang::En);
        for prefix in ["", "Chri", "the Christian a", "Christian academies [", "academies [1"] {
            assert!(echo.may_become_echo(prefix), "{prefix}");
        }
        assert!(!echo.may_become_echo("segre") && !echo.may_become_echo("the Christ who"));
    }

    #[test]
    fn a_better_answer_is_supported_and_not_an_echo() {
        let echo = EchoDetector::new("What does plastid mean?", Lang::En);
        let passages = [Passage {
            id: "1".into(),
            text: "Plastid means chloroplast.".into(),
            ..Passage::default()
        }];
        assert!(echo.is_better("chloroplast [1]", &passages));
        assert!(echo.is_better("I don't know.", &passages));
        for worse in ["plastid [1]", "mitochondrion", ""] {
            assert!(!echo.is_better(worse, &passages), "{worse}");
        }
    }
}
