use std::collections::BTreeSet;

use fiel_store::sha256_hex;
use fiel_text::Lang;

/// Letters that sound alike, as people confuse them.
const ENGLISH: [(&str, &str); 8] = [
    ("ei", "ie"),
    ("ie", "ei"),
    ("ee", "ea"),
    ("ck", "k"),
    ("ll", "l"),
    ("ss", "s"),
    ("wh", "w"),
    ("ph", "f"),
];
const SPANISH: [(&str, &str); 9] = [
    ("qu", "k"),
    ("ll", "y"),
    ("ce", "se"),
    ("ci", "si"),
    ("ge", "je"),
    ("gi", "ji"),
    ("b", "v"),
    ("v", "b"),
    ("z", "s"),
];

/// Letters of the shortest word that is misspelled.
const SHORTEST: usize = 4;
/// Words for each of which one is misspelled, and how many are at the most.
const PER: usize = 4;
const MOST: usize = 3;

/// A question as it is typed in a hurry: opening marks and accents (Spanish) or apostrophes
/// (English) left out, and one word of every four begun, three at the most, misspelled. What stands
/// in quotation marks or italics, numbers, names and short words stay as they are, and no word
/// becomes one that `is_word` knows. None when no word can be misspelled.
pub(super) fn misspelled(
    question: &str,
    lang: Lang,
    seed: u64,
    is_word: &dyn Fn(&str) -> bool,
) -> Option<String> {
    let mut parts = parts(question);
    for part in parts.iter_mut().filter(|part| !part.kept) {
        part.text = hurried(&part.text, lang);
    }
    let words = parts.iter().filter(|part| part.is_word() && !part.kept);
    let wanted = words.count().div_ceil(PER).min(MOST);
    let mut places: Vec<usize> = (0..parts.len()).filter(|&at| may_change(&parts, at)).collect();
    let order = |what: &str| sha256_hex(format!("{seed} {question} {what}").as_bytes());
    places.sort_by_cached_key(|at| order(&at.to_string()));
    let mut changed = 0;
    for at in places {
        let mut edits: Vec<String> = edits(&parts[at].text, lang).into_iter().collect();
        edits.sort_by_cached_key(|edit| order(edit));
        if let Some(edit) = edits.into_iter().find(|edit| !is_word(edit)) {
            parts[at].text = edit;
            changed += 1;
            if changed == wanted {
                break;
            }
        }
    }
    let text: String = parts.into_iter().map(|part| part.text).collect();
    (changed > 0).then_some(text)
}

/// A word, or what stands between words.
struct WordOrGap {
    text: String,
    /// Within quotation marks or italics.
    kept: bool,
}

impl WordOrGap {
    fn is_word(&self) -> bool {
        self.text.chars().all(char::is_alphabetic)
    }
}

fn parts(text: &str) -> Vec<WordOrGap> {
    let mut out: Vec<WordOrGap> = Vec::new();
    let mut closing = None;
    for c in text.chars() {
        let is_letter = c.is_alphanumeric() || c == '\'' || c == '’';
        let kept = closing.is_some();
        match closing {
            Some(close) if c == close => closing = None,
            Some(_) => {}
            None => {
                closing = match c {
                    '"' | '*' | '`' => Some(c),
                    '«' => Some('»'),
                    '“' => Some('”'),
                    _ => None,
                }
            }
        }
        let joins = |part: &WordOrGap| {
            let last = part.text.chars().next_back();
            let was_letter = last.is_some_and(|l| l.is_alphanumeric() || l == '\'' || l == '’');
            was_letter == is_letter && part.kept == kept
        };
        match out.last_mut().filter(|part| joins(part)) {
            Some(part) => part.text.push(c),
            None => out.push(WordOrGap { text: c.to_string(), kept }),
        }
    }
    out
}

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

/// Whether a part is a word of the question's own that is long enough, and no name: a capital
/// letter may begin the question and stand nowhere else.
fn may_change(parts: &[WordOrGap], at: usize) -> bool {
    let part = &parts[at];
    let is_first = !parts[..at].iter().any(WordOrGap::is_word);
    let own = part.text.chars().skip(usize::from(is_first));
    let is_name = own.into_iter().any(char::is_uppercase);
    part.is_word() && !part.kept && !is_name && part.text.chars().count() >= SHORTEST
}

/// Every misspelling of a word by one slip; its first letter stays.
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
    let alike: &[(&str, &str)] = match lang {
        Lang::En => &ENGLISH,
        Lang::Es => &SPANISH,
        Lang::Other => &[],
    };
    for (from, to) in alike {
        // At its head, too, but for the letter that stands there alone.
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

    fn of(question: &str, lang: Lang, seed: u64) -> Option<String> {
        misspelled(question, lang, seed, &|_| false)
    }

    fn differing(a: &str, b: &str) -> usize {
        let pairs = a.split_whitespace().zip(b.split_whitespace());
        pairs.filter(|(x, y)| x != y).count()
    }

    #[test]
    fn the_same_seed_misspells_the_same_and_another_something_else() {
        let question = "What is the usual meaning of *come across* in spoken English?";
        let once = of(question, Lang::En, 1).expect("misspelled");
        assert_eq!(of(question, Lang::En, 1).as_ref(), Some(&once));
        let others: BTreeSet<_> = (1..20).map(|seed| of(question, Lang::En, seed)).collect();
        assert!(others.len() > 10, "{others:?}");
        for text in others.into_iter().flatten() {
            // Nine words are its own: three are misspelled, and never the italics or the name.
            assert_eq!(differing(question, &text), 3, "{text}");
            assert!(text.contains("*come across*"), "{text}");
            assert!(text.ends_with("English?"), "{text}");
        }
    }

    #[test]
    fn accents_and_opening_marks_are_left_out_in_spanish() {
        let text = of("¿Cuántos días de vacaciones hay?", Lang::Es, 3).expect("misspelled");
        assert!(!text.contains(['¿', 'á', 'í']), "{text}");
        assert_eq!(differing("Cuantos dias de vacaciones hay?", &text), 2, "{text}");
        let text = of("What's the usual meaning?", Lang::En, 3).expect("misspelled");
        assert!(!text.contains('\''), "{text}");
    }

    #[test]
    fn no_word_becomes_another() {
        let is_word = |word: &str| ["from", "fort", "for", "orm"].contains(&word);
        for seed in 0..30 {
            let text = misspelled("form", Lang::En, seed, &is_word).expect("misspelled");
            assert!(!is_word(&text), "{text}");
        }
        assert_eq!(misspelled("form", Lang::En, 0, &|_| true), None);
    }

    #[test]
    fn without_a_word_to_misspell_there_is_nothing() {
        for question in ["", "\"Only\" *this*?", "Who is he?", "123456 ABCD?"] {
            let made = of(question, Lang::En, 1);
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
