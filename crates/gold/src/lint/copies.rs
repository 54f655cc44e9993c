use super::{
    finding::{Code, Finding},
    words::{content, longest_run, percent, share, words},
};
use crate::Question;

/// Words in a row that no one shares by chance.
const RUN: usize = 6;
/// Share of the content words, and how many there must be, of a question that only turns its
/// evidence round.
const OVERLAP: (f64, usize) = (0.9, 5);
/// Below this overlap a question is in other words than its evidence.
pub(super) const OTHER_WORDS: f64 = 0.5;

/// Share of the content words of a question that are in the quotes of its evidence.
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

/// G201 and G202.
pub(super) fn copies(line: usize, question: &Question, out: &mut Vec<Finding>) {
    let place = (line, question.id.as_str());
    let asked = words(&question.question);
    let overlap = overlap(question).unwrap_or(0.0);
    let runs = quotes(question).map(|quote| longest_run(&asked, &words(quote)));
    let run = runs.max_by_key(|run| run.len()).unwrap_or_default();
    let figures =
        |finding: Finding| finding.figure("run", run.len() as f64).figure("overlap", overlap);
    if run.len() >= RUN {
        let message = format!(
            "{} words in a row are those of its evidence: \"{}\" (overlap {})",
            run.len(),
            run.join(" "),
            percent(overlap)
        );
        out.push(figures(Finding::at(Code::G201, place, message)));
    } else if overlap >= OVERLAP.0 && content(&question.question, question.lang).len() >= OVERLAP.1
    {
        let message = format!(
            "{} of its content words are those of its evidence (longest run {})",
            percent(overlap),
            run.len()
        );
        out.push(figures(Finding::at(Code::G202, place, message)));
    }
}

/// G203: fewer than half of the questions are in other words than their evidence.
pub(super) fn set(overlaps: &[f64], out: &mut Vec<Finding>) {
    let other = overlaps.iter().filter(|&&o| o < OTHER_WORDS).count();
    if overlaps.len() >= 10 && 2 * other < overlaps.len() {
        let share = other as f64 / overlaps.len() as f64;
        let message = format!(
            "only {other} of {} questions ({}) have less than half of their content words in \
             common with their evidence",
            overlaps.len(),
            percent(share)
        );
        out.push(Finding::of_set(Code::G203, message).figure("other_words", share));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_copies_when_fewer_than_half_of_it_is_in_other_words() {
        let found = |overlaps: &[f64]| {
            let mut out = Vec::new();
            set(overlaps, &mut out);
            out.pop().map(|f| f.figures["other_words"])
        };
        assert_eq!(found(&[0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.4, 0.4, 0.4, 0.4]), Some(0.4));
        assert_eq!(found(&[0.5, 0.5, 0.5, 0.5, 0.5, 0.4, 0.4, 0.4, 0.4, 0.4]), None);
        // Too few to say so.
        assert_eq!(found(&[1.0; 9]), None);
    }
}
