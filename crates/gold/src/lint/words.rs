//! Words and stems for the comparisons of the linter.

use std::collections::BTreeSet;

use fiel_metrics::answer_tokens;
use fiel_text::Lang;

/// The normalized words of a text, including articles.
pub(crate) fn words(text: &str) -> Vec<String> {
    // Without a language, no word is an article.
    answer_tokens(text, Lang::Other)
}

/// Stems of the content words of a text, or of all its words except conjunctions if it has no
/// content word ("on and to").
pub(crate) fn content(text: &str, lang: Lang) -> BTreeSet<String> {
    let words = answer_tokens(text, lang);
    let join = |keep: &dyn Fn(&str) -> bool| {
        let words = words.iter().map(String::as_str).filter(|w| keep(w));
        words.collect::<Vec<_>>().join(" ")
    };
    let content = stems(&join(&|word| !lang.is_stop_word(word)), lang);
    if content.is_empty() {
        stems(&join(&|word| !CONJUNCTIONS.contains(&word)), lang)
    } else {
        content
    }
}

/// Stems of all words of a text.
pub(crate) fn stems(text: &str, lang: Lang) -> BTreeSet<String> {
    let words = answer_tokens(text, lang).join(" ");
    fiel_text::stems(&words, lang).into_iter().collect()
}

const CONJUNCTIONS: [&str; 6] = ["and", "or", "y", "e", "o", "u"];

/// The longest run of words that both texts contain.
pub(crate) fn longest_run<'a>(a: &'a [String], b: &[String]) -> &'a [String] {
    // Length of the run that ends at (i, j), one row of the table at a time.
    let mut row = vec![0usize; b.len() + 1];
    let (mut best, mut end) = (0, 0);
    for (i, word) in a.iter().enumerate() {
        for j in (0..b.len()).rev() {
            row[j + 1] = if *word == b[j] { row[j] + 1 } else { 0 };
            if row[j + 1] > best {
                (best, end) = (row[j + 1], i + 1);
            }
        }
    }
    &a[end - best..end]
}

/// Share of `part` that is in `whole`. Returns `None` if `part` is empty.
pub(crate) fn share(part: &BTreeSet<String>, whole: &BTreeSet<String>) -> Option<f64> {
    (!part.is_empty()).then(|| part.intersection(whole).count() as f64 / part.len() as f64)
}

/// The characters of a text, each with whether it is inside quotation marks or italics. The closing
/// mark is inside, the opening mark is not.
pub(crate) fn quoted(text: &str) -> impl Iterator<Item = (char, bool)> {
    let mut closing = None;
    text.chars().map(move |c| {
        let is_quoted = closing.is_some();
        closing = closing.map_or(closing_mark(c), |mark| (c != mark).then_some(mark));
        (c, is_quoted)
    })
}

/// The mark that ends what an opening mark starts.
pub(super) fn closing_mark(opening: char) -> Option<char> {
    match opening {
        '"' | '*' | '`' => Some(opening),
        '«' => Some('»'),
        '“' => Some('”'),
        _ => None,
    }
}

pub(crate) fn percent(share: f64) -> String {
    format!("{:.0} %", share * 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_words_are_stems_without_stop_words() {
        let stems = |text, lang| content(text, lang).into_iter().collect::<Vec<_>>();
        assert_eq!(stems("What are the *forms* of eating?", Lang::En), ["eat", "form"]);
        assert_eq!(stems("on and to?", Lang::En), ["on", "to"]);
        assert_eq!(stems("¿Qué es la canción?", Lang::Es), ["cancion"]);
    }

    #[test]
    fn the_longest_run_is_found() {
        let run = |a, b| longest_run(&words(a), &words(b)).join(" ");
        assert_eq!(run("so the cat sat on a mat", "a cat sat on my cat"), "cat sat on");
        assert_eq!(run("a b", "c d"), "");
        assert_eq!(run("", "c d"), "");
    }
}
