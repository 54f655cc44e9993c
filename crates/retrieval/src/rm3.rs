//! Pseudo-relevance feedback.

use std::{collections::BTreeMap, ops::RangeInclusive};

use crate::{Bm25, RewriteSettings, ScoredItem, TermQuery, bm25::term_counts};

/// A term in more than this share of the texts is too common to characterize a topic.
const COMMON: f64 = 0.1;
/// Length in characters of a term that feedback may add.
const LENGTHS: RangeInclusive<usize> = 2..=20;

/// Expands a question with terms of its first hits: RM3 (Abdul-Jaleel and others, "UMass at TREC
/// 2004"), the interpolation of the relevance model RM1 (Lavrenko and Croft, 2001) with the
/// question. P(w | R) is the sum over the first hits of their share of the score times the share of
/// `w` in the text. The likeliest terms, normalized to sum 1, get the weight 1 − `rm3_weight`.
///
/// `text_terms` returns the terms of a text.
pub(crate) fn expand(
    bm25: &Bm25,
    question: TermQuery,
    hits: &[ScoredItem],
    text_terms: &dyn Fn(usize) -> Vec<String>,
    settings: &RewriteSettings,
) -> TermQuery {
    let hits = &hits[..hits.len().min(settings.rm3_docs)];
    let total: f64 = hits.iter().map(|h| h.score).sum();
    let question_weight: f64 = question.words.values().map(|w| f64::from(*w)).sum();
    if total <= 0.0 || question_weight <= 0.0 {
        return question;
    }
    let common = COMMON * bm25.len() as f64;
    let mut model: BTreeMap<String, f64> = BTreeMap::new();
    for hit in hits {
        let terms = text_terms(hit.item);
        let length = terms.len().max(1) as f64;
        for (term, count) in term_counts(terms) {
            *model.entry(term).or_default() += hit.score / total * f64::from(count) / length;
        }
    }
    let mut likeliest: Vec<(String, f64)> = model
        .into_iter()
        .filter(|(term, _)| {
            LENGTHS.contains(&term.chars().count())
                && bm25.texts_with(term) as f64 <= common.max(1.0)
        })
        .collect();
    likeliest.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    likeliest.truncate(settings.rm3_terms);
    let sum: f64 = likeliest.iter().map(|(_, weight)| weight).sum();
    let mut words = question.words.clone();
    for weight in words.values_mut() {
        *weight = (settings.rm3_weight * f64::from(*weight) / question_weight) as f32;
    }
    for (term, weight) in likeliest {
        let share = (1.0 - settings.rm3_weight) * weight / sum;
        *words.entry(term).or_default() += share as f32;
    }
    words.retain(|_, weight| *weight > 0.0);
    question.with_words(words)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Analysis;

    #[test]
    fn terms_of_the_first_hits_join_the_question_and_weights_sum_to_one() {
        let mut texts = vec!["jaguar panther feline".to_owned(); 2];
        texts.extend((0..40).map(|i| format!("filler number{i}")));
        let bm25 = Bm25::build(texts.iter().map(|t| ("", t.as_str())), Analysis::default())
            .expect("index");
        let question = bm25.query("jaguar");
        let hits = bm25.search(&question, 10).expect("hits");
        let settings = RewriteSettings { rm3_terms: 2, ..RewriteSettings::default() };
        let text = |item: usize| bm25.terms(&texts[item]);
        let expanded = expand(&bm25, question.clone(), &hits, &text, &settings);
        // Three words with a third each: the two first by the alphabet are kept.
        let expected = [("felin", 0.25), ("jaguar", 0.75)];
        assert_eq!(expanded.words, expected.map(|(t, w): (&str, f32)| (t.to_owned(), w)).into());
        let nothing = expand(&bm25, question.clone(), &[], &text, &settings);
        assert_eq!(nothing, question);
    }
}
