//! The sentence that proves an answer.

use std::ops::Range;

use fiel_metrics::contains;
use fiel_text::{Lang, SentenceRules, fold_white_space, locate_quote, sentences};

use super::draft::DropReason;
use crate::lint::content;

/// The sentence, list item or table row in a part of a document that contains an answer, with white
/// space folded. Of several, the one with most of the question's words; ties go to the first.
///
/// # Errors
/// [`DropReason::NotInPassage`] if none contains it, [`DropReason::NotUnique`] if the document
/// contains the result more than once.
pub(super) fn proof(
    text: &str,
    span: Range<usize>,
    question: &str,
    answer: &str,
    lang: Lang,
) -> Result<String, DropReason> {
    let asked = content(question, lang);
    let mut best: Option<(usize, String)> = None;
    for piece in pieces(text, span) {
        if contains(piece, &[answer], lang) < 1.0 {
            continue;
        }
        let shared = asked.intersection(&content(piece, lang)).count();
        if best.as_ref().is_none_or(|(most, _)| shared > *most) {
            best = Some((shared, fold_white_space(piece)));
        }
    }
    let (_, quote) = best.ok_or(DropReason::NotInPassage)?;
    locate_quote(text, &quote).map(|_| quote).map_err(|_| DropReason::NotUnique)
}

/// Sentences, items and rows, without headings and table rules.
fn pieces(text: &str, span: Range<usize>) -> impl Iterator<Item = &str> {
    let sentences = sentences(text, span, SentenceRules::EveryStop);
    let lines = sentences.into_iter().flat_map(|range| items(&text[range]));
    lines.filter(|piece| {
        let has_words = piece.chars().any(char::is_alphanumeric);
        has_words && !piece.starts_with('#')
    })
}

/// The text split before every line that starts an item or a row, without the markers of items.
fn items(text: &str) -> Vec<&str> {
    let mut starts = vec![0];
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if at > 0 && (line.starts_with('|') || item(line).is_some() || line.starts_with('#')) {
            starts.push(at);
        }
        at += line.len();
    }
    starts.push(text.len());
    let cut = starts.windows(2).map(|w| text[w[0]..w[1]].trim());
    cut.map(|piece| item(piece).unwrap_or(piece)).collect()
}

/// The text of an item, after `- `, `* `, `+ `, `1. ` or `1) `.
fn item(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let bullet = line.strip_prefix(['-', '*', '+']);
    let number = || {
        let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
        let rest = (rest.len() < line.len()).then_some(rest)?;
        rest.strip_prefix(['.', ')'])
    };
    bullet.or_else(number)?.strip_prefix(' ')
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# Eat\n\nThe past of *eat* is *ate*. The participle of *eat* is *eaten*: \
                        *comido*.\n\n- Eat out: *comer\n  fuera*.\n- Eat up.\n\n| a | b |\n|---|---|\n\
                        | Night | 55 % |\n| Day | 30 % |\n\nSo it is.\n\nSo it is.\n";

    fn proof_of(question: &str, answer: &str) -> Result<String, DropReason> {
        proof(TEXT, 0..TEXT.len(), question, answer, Lang::En)
    }

    #[test]
    fn the_sentence_item_or_row_with_the_answer() {
        let quote = |question, answer| proof_of(question, answer).expect("a sentence");
        assert_eq!(quote("?", "ate"), "The past of *eat* is *ate*.");
        // Markdown marks are ignored.
        assert_eq!(quote("?", "eat is eaten"), "The participle of *eat* is *eaten*: *comido*.");
        assert_eq!(quote("?", "comer fuera"), "Eat out: *comer fuera*.");
        assert_eq!(quote("?", "55 %"), "| Night | 55 % |");
    }

    #[test]
    fn the_sentence_about_the_question_is_preferred() {
        assert_eq!(
            proof_of("Which participle has the verb?", "eat").as_deref(),
            Ok("The participle of *eat* is *eaten*: *comido*.")
        );
        assert_eq!(proof_of("Why?", "eat").as_deref(), Ok("The past of *eat* is *ate*."));
    }

    #[test]
    fn a_missing_or_repeated_sentence_proves_nothing() {
        assert_eq!(proof_of("?", "drunk"), Err(DropReason::NotInPassage));
        assert_eq!(proof_of("?", "so it is"), Err(DropReason::NotUnique));
        let part = TEXT.find("- Eat").expect("item");
        let outside = proof(TEXT, part..TEXT.len(), "?", "ate", Lang::En);
        assert_eq!(outside, Err(DropReason::NotInPassage));
    }
}
