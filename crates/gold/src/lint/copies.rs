//! Questions in the words of their evidence.

use fiel_record::LintFinding;

use super::{
    finding::Code,
    words::{content, longest_run, percent, share, words},
};
use crate::Question;

/// Length of a run of words that two texts do not share by chance.
const RUN: usize = 6;
/// Share and number of the content words at which a question only rearranges its evidence.
const OVERLAP: (f64, usize) = (0.9, 5);
/// Overlap below which a question is in other words than its evidence.
const OTHER_WORDS: f64 = 0.5;

/// Share of the content words of a question that the quotes of its evidence contain.
pub(super) fn overlap(question: &Question) -> Option<f64> {
    let quotes: Vec<&str> = quotes(question).collect();
    if quotes.is_empty() {
        return None;
    }
    share(&content(&question.question, question.lang), &content(&quotes.join(" "), question.lang))
}

fn quotes(question: &Question) -> impl Iterator<Item = &str> {
    question.evidence.iter().filter_map(|e| e.quote.as_deref())
}

/// G201 and G202: a question that repeats or rearranges its evidence.
pub(super) fn copied_question(question: &Question) -> Option<LintFinding> {
    let asked = words(&question.question);
    let overlap = overlap(question).unwrap_or(0.0);
    let runs = quotes(question).map(|quote| longest_run(&asked, &words(quote)));
    let run = runs.max_by_key(|run| run.len()).unwrap_or_default();
    let (length, share) = (run.len(), percent(overlap));
    let (code, message) = if length >= RUN {
        let run = run.join(" ");
        let message = format!(
            "{length} words in a row are those of its evidence: \"{run}\" (overlap {share})"
        );
        (Code::G201, message)
    } else if overlap >= OVERLAP.0 && content(&question.question, question.lang).len() >= OVERLAP.1
    {
        let message = format!(
            "{share} of its content words are those of its evidence (longest run {length})"
        );
        (Code::G202, message)
    } else {
        return None;
    };
    Some(code.finding(message, &[("run", length as f64), ("overlap", overlap)]))
}

/// G203: fewer than half of the questions are in other words than their evidence.
pub(super) fn copied_set(overlaps: &[f64]) -> Option<LintFinding> {
    let other = overlaps.iter().filter(|&&overlap| overlap < OTHER_WORDS).count();
    if overlaps.len() < 10 || 2 * other >= overlaps.len() {
        return None;
    }
    let share = other as f64 / overlaps.len() as f64;
    let message = format!(
        "only {other} of {} questions ({}) share less than half of their content words with their \
         evidence",
        overlaps.len(),
        percent(share)
    );
    Some(Code::G203.finding(message, &[("other_words", share)]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_copies_when_fewer_than_half_of_it_is_in_other_words() {
        let found =
            |overlaps: &[f64]| copied_set(overlaps).map(|finding| finding.figures["other_words"]);
        assert_eq!(found(&[0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.4, 0.4, 0.4, 0.4]), Some(0.4));
        assert_eq!(found(&[0.5, 0.5, 0.5, 0.5, 0.5, 0.4, 0.4, 0.4, 0.4, 0.4]), None);
        // Too few questions.
        assert_eq!(found(&[1.0; 9]), None);
    }
}
