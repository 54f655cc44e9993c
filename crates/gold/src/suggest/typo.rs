//! Misspellings as people type them.

use std::collections::BTreeSet;

use fiel_store::sha256_hex;
use fiel_text::Lang;

use crate::lint::quoted;

/// Spellings that sound alike, so that people confuse them: `from>to`.
const ENGLISH: &str = "ei>ie ie>ei ee>ea ck>k ll>l ss>s wh>w ph>f";
const SPANISH: &str = "qu>k ll>y ce>se ci>si ge>je gi>ji b>v v>b z>s";

/// Number of letters of the shortest word that is misspelled.
const SHORTEST: usize = 4;
/// One word in `PER` is misspelled, rounded up, at most `MOST` in total.
const PER: usize = 4;
const MOST: usize = 3;

/// A question as typed in a hurry: without opening marks and accents (Spanish) or apostrophes
/// (English), and with a quarter of its words misspelled, rounded up, at most three. Quotations and
/// italics, numbers, names and short words do not change, and no misspelling is a word according to
/// `is_word`. Returns `None` if no word can be misspelled.
pub(super) fn misspelled(
    question: &str,
    lang: Lang,
    seed: u64,
    is_word: &dyn Fn(&str) -> bool,
) -> Option<String> {
    let mut parts = parts(question);
    for part in parts.iter_mut().filter(|part| !part.is_quoted) {
        part.text = hurried(&part.text, lang);
    }
    let words = parts.iter().filter(|part| part.is_word() && !part.is_quoted);
    let most = words.count().div_ceil(PER).min(MOST);
    let mut places: Vec<usize> = (0..parts.len()).filter(|&at| may_change(&parts, at)).collect();
    let order = |what: &str| sha256_hex(format!("{seed} {question} {what}").as_bytes());
    places.sort_by_cached_key(|at| order(&at.to_string()));
    let mut changed = 0;
    for at in places {
        let edits = edits(&parts[at].text, lang).into_iter().filter(|edit| !is_word(edit));
        if let Some(edit) = edits.min_by_key(|edit| order(edit)) {
            parts[at].text = edit;
            changed += 1;
            if changed == most {
                break;
            }
        }
    }
    (changed > 0).then(|| parts.into_iter().map(|part| part.text).collect())
}

/// A word, or the text between two words.
struct WordOrGap {
    text: String,
    /// Whether it is inside quotation marks or italics.
    is_quoted: bool,
}

impl WordOrGap {
    fn is_word(&self) -> bool {
        self.text.chars().all(char::is_alphabetic)
    }
}

fn parts(text: &str) -> Vec<WordOrGap> {
    let is_letter = |c: char| c.is_alphanumeric() || c == '\'' || c == '’';
    let mut parts: Vec<WordOrGap> = Vec::new();
    for (c, is_quoted) in quoted(text) {
        let joins = |part: &&mut WordOrGap| {
            part.text.ends_with(is_letter) == is_letter(c) && part.is_quoted == is_quoted
        };
        match parts.last_mut().filter(joins) {
            Some(part) => part.text.push(c),
            None => parts.push(WordOrGap { text: c.to_string(), is_quoted }),
        }
    }
    parts
}

/// The text without the marks that people leave out.
fn hurried(text: &str, lang: Lang) -> String {
    let plain = |c: char| match (lang, c) {
        (Lang::Es, '¿' | '¡') | (Lang::En, '\'' | '’') => None,
        (Lang::Es, 'á') => Some('a'),
        (Lang::Es, 'é') => Some('e'),
        (Lang::Es, 'í') => Some('i'),
        (Lang::Es, 'ó') => Some('o'),
        (Lang::Es, 'ú') => Some('u'),
        _ => Some(c),
    };
    text.chars().filter_map(plain).collect()
}

/// Whether a part is a long enough word outside quotation marks and not a name. A word with a
/// capital letter is a name, unless the letter is the first of the question.
fn may_change(parts: &[WordOrGap], at: usize) -> bool {
    let part = &parts[at];
    let is_first = !parts[..at].iter().any(WordOrGap::is_word);
    let is_name = part.text.chars().skip(usize::from(is_first)).any(char::is_uppercase);
    part.is_word() && !part.is_quoted && !is_name && part.text.chars().count() >= SHORTEST
}

/// Every misspelling of a word by one slip, with the same first letter or one that sounds alike.
fn edits(word: &str, lang: Lang) -> BTreeSet<String> {
    let letters: Vec<char> = word.chars().collect();
    let mut out = BTreeSet::new();
    for at in 1..letters.len() {
        let mut dropped = letters.clone();
        dropped.remove(at);
        out.insert(dropped.into_iter().collect());
        if at + 1 < letters.len() {
            let mut swapped = letters.clone();
            swapped.swap(at, at + 1);
            out.insert(swapped.into_iter().collect());
        }
    }
    let alike = match lang {
        Lang::En => ENGLISH,
        Lang::Es => SPANISH,
        Lang::Other => "",
    };
    for (from, to) in alike.split(' ').filter_map(|pair| pair.split_once('>')) {
        for (at, _) in word.match_indices(from) {
            out.insert(format!("{}{to}{}", &word[..at], &word[at + from.len()..]));
        }
    }
    out.remove(word);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn misspell(question: &str, lang: Lang, seed: u64) -> Option<String> {
        misspelled(question, lang, seed, &|_| false)
    }

    fn differing(a: &str, b: &str) -> usize {
        let pairs = a.split_whitespace().zip(b.split_whitespace());
        pairs.filter(|(x, y)| x != y).count()
    }

    #[test]
    fn the_misspelling_depends_on_the_seed() {
        let question = "What is the usual meaning of *come across* in spoken English?";
        let once = misspell(question, Lang::En, 1).expect("misspelled");
        assert_eq!(misspell(question, Lang::En, 1).as_ref(), Some(&once));
        let others: BTreeSet<_> = (1..20).map(|seed| misspell(question, Lang::En, seed)).collect();
        assert!(others.len() > 10, "{others:?}");
        for text in others.into_iter().flatten() {
            // Nine words are outside the italics; three are misspelled, but not the name.
            assert_eq!(differing(question, &text), 3, "{text}");
            assert!(text.contains("*come across*"), "{text}");
            assert!(text.ends_with("English?"), "{text}");
        }
    }

    #[test]
    fn accents_and_opening_marks_are_left_out_in_spanish() {
        let text = misspell("¿Cuántos días de vacaciones hay?", Lang::Es, 3).expect("misspelled");
        assert!(!text.contains(['¿', 'á', 'í']), "{text}");
        assert_eq!(differing("Cuantos dias de vacaciones hay?", &text), 2, "{text}");
        let text = misspell("What's the usual meaning?", Lang::En, 3).expect("misspelled");
        assert!(!text.contains('\''), "{text}");
    }

    #[test]
    fn no_misspelling_is_a_word() {
        let is_word = |word: &str| ["from", "fort", "for", "orm"].contains(&word);
        for seed in 0..30 {
            let text = misspelled("form", Lang::En, seed, &is_word).expect("misspelled");
            assert!(!is_word(&text), "{text}");
        }
        assert_eq!(misspelled("form", Lang::En, 0, &|_| true), None);
    }

    #[test]
    fn a_question_without_long_words_has_no_misspelling() {
        for question in ["", "\"Only\" *this*?", "Who is he?", "123456 ABCD?"] {
            let made = misspell(question, Lang::En, 1);
            assert!(made.is_none(), "{question}: {made:?}");
        }
    }

    #[test]
    fn letters_that_sound_alike_are_confused() {
        let all = edits("quebrar", Lang::Es);
        for edit in ["kebrar", "quevrar", "qubrar", "quebra", "quebarr"] {
            assert!(all.contains(edit), "{edit}: {all:?}");
        }
        // The first letter stays in its place.
        assert!(!all.contains("uqebrar") && !all.contains("uebrar"));
        assert!(edits("believe", Lang::En).contains("beleive"));
        assert!(!edits("noon", Lang::En).contains("noon"));
    }
}
