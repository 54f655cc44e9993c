//! Texts by the stems of their words, and the texts that together hold most of a claim.

use std::{borrow::Cow, collections::BTreeSet};

use fiel_text::{Stemmer, is_numeric};

use crate::{Lang, answer::tokens};

pub(super) type Stems = BTreeSet<String>;

/// The distinct stems of a text, once without stop words and once with all of its words.
#[derive(Clone, Debug, Default)]
pub(super) struct Stemmed {
    pub content: Stems,
    pub all: Stems,
}

impl Stemmed {
    pub(super) fn of(text: &str, lang: Lang, stemmer: &Stemmer) -> Stemmed {
        let mut stemmed = Stemmed::default();
        for token in tokens(text, lang) {
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

    /// Of a claim the content, or every word where it has none; `bare` says which.
    pub(super) fn terms(&self, bare: bool) -> &Stems {
        if bare { &self.all } else { &self.content }
    }
}

/// At most `count` sets that together hold most of the terms, each taken for the most terms still
/// left (of equals the smaller, then the earlier), and the terms that none of them holds.
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
            (
                found(sets[at]),
                std::cmp::Reverse(sets[at].len()),
                std::cmp::Reverse(at),
            )
        };
        let Some(best) = (0..sets.len())
            .filter(|at| !picked.contains(at))
            .max_by_key(key)
        else {
            break;
        };
        left.retain(|&term| !sets[best].contains(term));
        picked.push(best);
    }
    (picked, left)
}

/// Positions of at most `count` texts that together hold most of a claim's words, by their stems,
/// in the order of the texts: what a judge is shown of a long context.
pub fn covering<S: AsRef<str>>(claim: &str, texts: &[S], lang: Lang, count: usize) -> Vec<usize> {
    let stemmer = Stemmer::new(lang);
    let claim = Stemmed::of(claim, lang, &stemmer);
    let bare = claim.content.is_empty();
    let texts: Vec<Stemmed> = texts
        .iter()
        .map(|text| Stemmed::of(text.as_ref(), lang, &stemmer))
        .collect();
    let sets: Vec<&Stems> = texts.iter().map(|text| text.terms(bare)).collect();
    let (mut picked, _) = greedy(claim.terms(bare), &sets, count);
    picked.sort_unstable();
    picked
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stems_meet_and_numbers_stay() {
        let of = |text, lang| Stemmed::of(text, lang, &Stemmer::new(lang)).content;
        assert_eq!(of("The connections", Lang::En), of("connected", Lang::En));
        assert_eq!(of("Las bibliotecas", Lang::Es), of("biblioteca", Lang::Es));
        assert!(of("30 days", Lang::En).contains("30"));
        assert!(of("connections", Lang::Other).contains("connections"));
    }

    #[test]
    fn texts_that_hold_a_claim_together() {
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
