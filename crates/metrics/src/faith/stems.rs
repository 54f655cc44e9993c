//! Stems of texts, and the texts that together cover most of a claim.

use std::{borrow::Cow, collections::BTreeSet};

use fiel_text::{Lang, Stemmer, is_numeric};

use crate::answer::answer_tokens;

pub(super) type Stems = BTreeSet<String>;

/// The distinct stems of a text: those of its content words, and those of all words.
#[derive(Clone, Debug, Default)]
pub(super) struct Stemmed {
    pub content: Stems,
    pub all: Stems,
}

impl Stemmed {
    pub(super) fn new(text: &str, lang: Lang, stemmer: &Stemmer) -> Stemmed {
        let mut stemmed = Stemmed::default();
        for token in answer_tokens(text, lang) {
            // A number has no stem.
            let stem = if is_numeric(&token) {
                Cow::Borrowed(token.as_str())
            } else {
                stemmer.stem(&token)
            };
            stemmed.all.insert(stem.clone().into_owned());
            if !lang.is_stop_word(&token) {
                stemmed.content.insert(stem.into_owned());
            }
        }
        stemmed
    }

    /// The stems that are compared: all of them for a claim of stop words alone (`bare`), else
    /// those of the content words.
    pub(super) fn terms(&self, bare: bool) -> &Stems {
        if bare { &self.all } else { &self.content }
    }
}

/// A greedy set cover: at most `count` sets, each chosen for the most terms that are still
/// uncovered (ties: the smaller set, then the earlier), and the terms that remain uncovered.
pub(super) fn greedy<'a>(
    terms: &'a Stems,
    sets: &[&Stems],
    count: usize,
) -> (Vec<usize>, BTreeSet<&'a String>) {
    let mut left: BTreeSet<&String> = terms.iter().collect();
    let mut picked = Vec::new();
    while picked.len() < count {
        let found = |set: &Stems| left.iter().filter(|&&term| set.contains(term)).count();
        let key = |&at: &usize| {
            (found(sets[at]), std::cmp::Reverse(sets[at].len()), std::cmp::Reverse(at))
        };
        let Some(best) = (0..sets.len()).filter(|at| !picked.contains(at)).max_by_key(key) else {
            break;
        };
        left.retain(|&term| !sets[best].contains(term));
        picked.push(best);
    }
    (picked, left)
}

/// Positions, in ascending order, of at most `count` texts that together cover most of a claim's
/// stems: the part of a long context that a judge gets.
pub fn covering<S: AsRef<str>>(claim: &str, texts: &[S], lang: Lang, count: usize) -> Vec<usize> {
    let stemmer = Stemmer::new(lang);
    let claim = Stemmed::new(claim, lang, &stemmer);
    let bare = claim.content.is_empty();
    let texts: Vec<Stemmed> =
        texts.iter().map(|text| Stemmed::new(text.as_ref(), lang, &stemmer)).collect();
    let sets: Vec<&Stems> = texts.iter().map(|text| text.terms(bare)).collect();
    let (mut picked, _) = greedy(claim.terms(bare), &sets, count);
    picked.sort_unstable();
    picked
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_share_a_stem_and_numbers_stay() {
        let content = |text, lang| Stemmed::new(text, lang, &Stemmer::new(lang)).content;
        assert_eq!(content("The connections", Lang::En), content("connected", Lang::En));
        assert_eq!(content("Las bibliotecas", Lang::Es), content("biblioteca", Lang::Es));
        assert!(content("30 days", Lang::En).contains("30"));
        assert!(content("connections", Lang::Other).contains("connections"));
    }

    #[test]
    fn texts_cover_a_claim_together() {
        let texts = [
            "The bridge carries traffic.",
            "Nothing of that.",
            "It opened in 1932. The bridge is long, and it is painted green.",
            "It opened in 1932.",
        ];
        let claim = "The bridge opened in 1932 and carries traffic.";
        assert_eq!(covering(claim, &texts, Lang::En, 2), [0, 3]);
        assert_eq!(covering(claim, &texts, Lang::En, 9), [0, 1, 2, 3]);
        assert_eq!(covering("it", &texts, Lang::En, 1), [3]);
        assert!(covering(claim, &[""; 0], Lang::En, 3).is_empty());
    }
}
