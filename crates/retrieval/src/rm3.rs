use std::collections::BTreeMap;

use crate::{Bm25, Scored, TermQuery, bm25::counted};

/// Share of all texts above which a word says nothing of a topic.
const COMMON: f64 = 0.1;
/// Letters of a word that feedback may add.
const LENGTHS: std::ops::RangeInclusive<usize> = 2..=20;

/// How feedback is done.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Feedback {
    pub docs: usize,
    pub terms: usize,
    pub original: f64,
}

/// The question's terms with those of its first hits: RM3 (Abdul-Jaleel and others, "UMass at TREC
/// 2004"), the interpolation of the relevance model RM1 (Lavrenko and Croft, 2001) with the
/// question. P(w | R) is the sum over the first hits of their share of the score times the share of
/// `w` in the text; the likeliest words are kept, brought to sum 1, and weighted by 1 − `original`.
///
pub(crate) fn expand(
    bm25: &Bm25,
    question: TermQuery,
    hits: &[Scored],
    text: &dyn Fn(usize) -> Vec<String>,
    feedback: Feedback,
) -> TermQuery {
    let hits = &hits[..hits.len().min(feedback.docs)];
    let total: f64 = hits.iter().map(|h| h.score).sum();
    let asked: f64 = question.words.values().map(|w| f64::from(*w)).sum();
    if total <= 0.0 || asked <= 0.0 {
        return question;
    }
    let common = COMMON * bm25.len() as f64;
    let mut model: BTreeMap<String, f64> = BTreeMap::new();
    for hit in hits {
        let terms = text(hit.item);
        let length = terms.len().max(1) as f64;
        for (term, count) in counted(terms) {
            *model.entry(term).or_default() += hit.score / total * f64::from(count) / length;
        }
    }
    let mut kept = Vec::new();
    for (term, weight) in model {
        let fits = LENGTHS.contains(&term.chars().count());
        if fits && bm25.texts_with(&term) as f64 <= common.max(1.0) {
            kept.push((term, weight));
        }
    }
    kept.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    kept.truncate(feedback.terms);
    let sum: f64 = kept.iter().map(|(_, weight)| weight).sum();
    let mut out: BTreeMap<String, f32> = BTreeMap::new();
    for (term, weight) in &question.words {
        let share = feedback.original * f64::from(*weight) / asked;
        *out.entry(term.clone()).or_default() += share as f32;
    }
    for (term, weight) in kept {
        let share = (1.0 - feedback.original) * weight / sum;
        *out.entry(term).or_default() += share as f32;
    }
    out.retain(|_, weight| *weight > 0.0);
    question.with_words(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Analysis;

    #[test]
    fn words_of_the_first_hits_join_the_question_and_weights_sum_to_one() {
        let mut texts = vec!["jaguar panther feline".to_owned(); 2];
        texts.extend((0..40).map(|i| format!("filler number{i}")));
        let bm25 = Bm25::build(texts.iter().map(|t| ("", t.as_str())), Analysis::default())
            .expect("index");
        let question = bm25.query("jaguar");
        let hits = bm25.search(&question, 10).expect("hits");
        let feedback = Feedback {
            docs: 10,
            terms: 2,
            original: 0.5,
        };
        let text = |item: usize| bm25.terms(&texts[item]);
        let expanded = expand(&bm25, question.clone(), &hits, &text, feedback);
        // Three words with a third each: the two first by the alphabet are kept.
        let expected = [("felin", 0.25), ("jaguar", 0.75)];
        assert_eq!(
            expanded.words,
            expected.map(|(t, w): (&str, f32)| (t.to_owned(), w)).into()
        );
        let nothing = expand(&bm25, question.clone(), &[], &text, feedback);
        assert_eq!(nothing, question);
    }
}
