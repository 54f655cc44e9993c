//! The words that a sentence negates, and whether two sentences disagree about them.

use std::collections::BTreeSet;

use fiel_text::Lang;
use unicode_segmentation::UnicodeSegmentation;

use super::clauses::segments;
use crate::answer::content_words;

/// The content words of a sentence, by whether a negation governs them: first for "not" and
/// similar words, then for "without". A sentence may have both.
#[derive(Clone, Debug, Default)]
pub(super) struct Negation {
    cues: [NegationScope; 2],
}

#[derive(Clone, Debug, Default)]
struct NegationScope {
    negated: BTreeSet<String>,
    plain: BTreeSet<String>,
}

impl Negation {
    /// The negations of a sentence. A negation governs its segment, up to the next punctuation mark
    /// or conjunction. A segment without a content word passes its negation on to the next ("is
    /// not, however, safe").
    pub(super) fn new(sentence: &str, lang: Lang) -> Negation {
        let sentence = without_interjection(sentence, lang);
        let mut negation = Negation::default();
        let mut carried = [false; 2];
        for range in segments(sentence) {
            let segment = &sentence[range];
            let found = cues(segment, lang);
            let words = content_words(segment, lang);
            for (scope, (carried, found)) in
                negation.cues.iter_mut().zip(carried.iter_mut().zip(found))
            {
                let negated = *carried || found;
                if words.is_empty() {
                    *carried = negated;
                } else {
                    *carried = false;
                    let side = if negated { &mut scope.negated } else { &mut scope.plain };
                    side.extend(words.iter().cloned());
                }
            }
        }
        negation
    }

    /// Words that no negation governs.
    pub(super) fn plain(&self) -> impl Iterator<Item = &String> {
        self.cues[0].plain.intersection(&self.cues[1].plain)
    }

    /// Whether the claim asserts what the sentence negates, or negates what it asserts.
    ///
    /// Compares the words that one side only negates with those that the other side only asserts.
    /// The sides disagree if they share at least two thirds of the smaller set. A correction of a
    /// single word ("ate, not eat") does not contradict a claim with that word if the context also
    /// asserts it (`stated`).
    pub(super) fn contradicts(&self, sentence: &Negation, stated: impl Fn(&str) -> bool) -> bool {
        self.cues.iter().zip(&sentence.cues).any(|(claim, sentence)| {
            let is_correction = |(negated, asserted): (BTreeSet<&String>, BTreeSet<&String>)| {
                !sentence.plain.is_empty()
                    && negated.len() == 1
                    && asserted.len() > 1
                    && negated.first().is_some_and(|word| stated(word))
            };
            clash(claim, sentence).is_some()
                || clash(sentence, claim).is_some_and(|sets| !is_correction(sets))
        })
    }
}

/// The words that one side only negates and those that the other only asserts, if they clash.
fn clash<'a>(
    negating: &'a NegationScope,
    asserting: &'a NegationScope,
) -> Option<(BTreeSet<&'a String>, BTreeSet<&'a String>)> {
    let negated: BTreeSet<&String> = negating.negated.difference(&negating.plain).collect();
    let asserted: BTreeSet<&String> = asserting.plain.difference(&asserting.negated).collect();
    let common = negated.intersection(&asserted).count();
    let smaller = negated.len().min(asserted.len());
    (common > 0 && 3 * common >= 2 * smaller).then_some((negated, asserted))
}

/// The sentence without an initial "No," that answers a question.
fn without_interjection(sentence: &str, lang: Lang) -> &str {
    let trimmed = sentence.trim_start();
    match trimmed.split_once([',', '.', ':', '!', ';', '—']) {
        Some((no, rest)) if lang != Lang::Other && no.trim().eq_ignore_ascii_case("no") => rest,
        _ => sentence,
    }
}

/// Whether a segment contains "not" or a similar word, and whether it contains "without".
/// Whether a text has a word that negates.
pub(crate) fn is_negative(text: &str, lang: Lang) -> bool {
    cues(text, lang).contains(&true)
}

fn cues(segment: &str, lang: Lang) -> [bool; 2] {
    let (is_not, without): (fn(&str, &str) -> bool, &str) = match lang {
        Lang::En => (is_not_en, "without"),
        Lang::Es => (is_not_es, "sin"),
        Lang::Other => return [false; 2],
    };
    let text = segment.replace('\u{2019}', "'").to_lowercase();
    let words: Vec<&str> = text.unicode_words().collect();
    let next_words = words.iter().skip(1).chain([&""]);
    let has_not = words.iter().zip(next_words).any(|(word, next)| is_not(word, next));
    [has_not, words.contains(&without)]
}

fn is_not_en(word: &str, next: &str) -> bool {
    match word {
        "not" => !matches!(next, "only" | "just" | "merely"),
        // "no more than 5" is a bound, "no. 5" a number.
        "no" => {
            !matches!(next, "more" | "less" | "fewer" | "later" | "earlier" | "sooner")
                && !next.starts_with(|c: char| c.is_ascii_digit())
        }
        "never" | "none" | "nobody" | "nothing" | "nowhere" | "neither" | "nor" | "cannot"
        | "arent" | "couldnt" | "didnt" | "doesnt" | "dont" | "hasnt" | "havent" | "isnt"
        | "shouldnt" | "wasnt" | "werent" | "wouldnt" => true,
        _ => word.ends_with("n't"),
    }
}

fn is_not_es(word: &str, next: &str) -> bool {
    match word {
        "no" => {
            !matches!(next, "solo" | "sólo" | "solamente" | "más" | "menos" | "obstante")
                && !next.starts_with(|c: char| c.is_ascii_digit())
        }
        "nunca" | "jamás" | "ningún" | "ninguno" | "ninguna" | "ningunos" | "ningunas"
        | "nadie" | "nada" | "tampoco" | "ni" => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contradicts(claim: &str, sentence: &str, lang: Lang) -> bool {
        let sentence = Negation::new(sentence, lang);
        Negation::new(claim, lang).contradicts(&sentence, |word| word == "eat")
    }

    #[test]
    fn added_and_dropped() {
        for (a, b) in [
            ("The library is thread-safe", "The library is not thread-safe"),
            ("It is supported", "It isn't supported"),
            ("It is supported", "It isn\u{2019}t supported"),
            ("You can leave", "You cannot leave"),
            ("Refunds are given", "Refunds are never given"),
            ("It runs with a key", "It runs without a key"),
            ("There is a limit", "There is no limit"),
            ("It is safe", "It is not, however, safe"),
            ("The method is recommended", "The method is not recommended for large systems"),
            ("The participle is eated", "The participle is eaten, not eated"),
        ] {
            assert!(contradicts(a, b, Lang::En), "{a} / {b}");
            let lone_word = b.contains("eated");
            assert!(contradicts(b, a, Lang::En) || lone_word, "{b} / {a}");
            assert!(!contradicts(b, b, Lang::En), "{b}");
        }
        for (a, b) in [
            ("El límite existe", "El límite no existe"),
            ("Hay reglas claras", "No hay ningunas reglas claras"),
            ("Siempre cambia la forma", "Nunca cambia la forma"),
            ("Funciona con clave", "Funciona sin clave"),
            ("Jamás se usa el auxiliar", "Se usa el auxiliar"),
        ] {
            assert!(contradicts(a, b, Lang::Es), "{a} / {b}");
            assert!(contradicts(b, a, Lang::Es), "{b} / {a}");
        }
    }

    #[test]
    fn statements_that_do_not_contradict() {
        for (claim, sentence) in [
            ("The participle is eaten", "The participle is eaten, not eated"),
            ("The past of eat is ate", "Say ate, not eat, in the past"),
            ("Arc is thread-safe", "Unlike Rc, which is not thread-safe, Arc is thread-safe"),
            ("No, it is safe", "It is safe"),
            ("It is fast and safe", "It is not only fast but also safe"),
            ("Use at most 30 words", "Use no more than 30 words"),
            ("It is never given", "It is not given"),
        ] {
            assert!(!contradicts(claim, sentence, Lang::En), "{claim} / {sentence}");
        }
        assert!(contradicts("Done without it", "Not done without it", Lang::En));
    }
}
