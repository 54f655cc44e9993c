use std::collections::BTreeSet;

use fiel_metrics::{Context, Lang, strip_citations, tokens};

use crate::{Passage, is_abstention};

/// Words that offer a choice: then the answer is one of the question's own words.
const CHOICE: [&str; 6] = ["or", "either", "whether", "o", "u", "si"];

/// Tells an answer that says nothing but words of its question: "What does *rhodophyte* mean?",
/// "rhodophyte". A small model gives it where it has found nothing better.
pub(crate) struct Echo {
    asked: BTreeSet<String>,
    lang: Lang,
}

impl Echo {
    pub(crate) fn of(question: &str, lang: Lang) -> Self {
        let asked = tokens(question, lang).into_iter().collect();
        Self { asked, lang }
    }

    /// Whether every word of the answer stands in the question, which offers no choice.
    pub(crate) fn is(&self, answer: &str) -> bool {
        let words = tokens(&strip_citations(answer), self.lang);
        !words.is_empty() && !self.offers() && words.iter().all(|word| self.asked.contains(word))
    }

    /// Whether what has come of an answer may still become one; its last word or citation may be
    /// unfinished.
    pub(crate) fn may_become(&self, begun: &str) -> bool {
        let begun = match begun.rsplit_once('[') {
            Some((before, cited)) if !cited.contains(']') => before,
            _ => begun,
        };
        let words = tokens(&strip_citations(begun), self.lang);
        let Some((last, whole)) = words.split_last() else {
            return true;
        };
        let starts = |word: &String| word.starts_with(last.as_str());
        !self.offers()
            && whole.iter().all(|word| self.asked.contains(word))
            && self.asked.iter().any(starts)
    }

    /// Whether another answer may take the place of one: it refuses, or adds something that the
    /// passages hold.
    pub(crate) fn is_better(&self, answer: &str, passages: &[Passage]) -> bool {
        let words = strip_citations(answer);
        if tokens(&words, self.lang).is_empty() || self.is(answer) {
            return false;
        }
        let texts: Vec<&str> = passages.iter().map(|p| p.text.as_str()).collect();
        is_abstention(answer) || Context::new(&texts, self.lang).support(&words).supported()
    }

    fn offers(&self) -> bool {
        CHOICE.iter().any(|word| self.asked.contains(*word))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_words_of_the_question_are_an_echo() {
        let echo = Echo::of("What is a term for the Christian academies?", Lang::En);
        assert!(echo.is("the Christian academies [1]"));
        assert!(!echo.is("segregation academies [1]"));
        assert!(!echo.is("[1]") && !echo.is(""));
        let negated = Echo::of("What is the negative form of *had better*?", Lang::En);
        assert!(!negated.is("had better not [1]"));
    }

    #[test]
    fn a_question_that_offers_a_choice_is_answered_in_its_own_words() {
        assert!(!Echo::of("Is it cancelled or canceled?", Lang::En).is("canceled"));
        assert!(!Echo::of("¿Es fijo o temporal?", Lang::Es).is("temporal"));
        assert!(Echo::of("¿Qué es un contrato temporal?", Lang::Es).is("contrato temporal"));
    }

    #[test]
    fn what_has_come_may_become_one_until_a_new_word_has() {
        let echo = Echo::of("What is a term for the Christian academies?", Lang::En);
        for begun in [
            "",
            "Chri",
            "the Christian a",
            "Christian academies [",
            "academies [1",
        ] {
            assert!(echo.may_become(begun), "{begun}");
        }
        assert!(!echo.may_become("segre") && !echo.may_become("the Christ who"));
    }

    #[test]
    fn another_answer_must_be_supported_and_no_echo() {
        let echo = Echo::of("What does plastid mean?", Lang::En);
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
