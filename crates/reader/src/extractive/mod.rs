//! The reader without a language model: the baseline that every language model must beat.

mod kind;
mod span;

use fiel_embedding::{Embedder, dot};
use fiel_metrics::{ClaimUnit, claims};
use fiel_text::{Lang, words};

use self::span::{Span, best_span};
use crate::{Error, Passage};

/// Weight of the share of the question's words in a sentence, relative to the cosine. An English
/// embedder says little about Spanish.
const OVERLAP: f64 = 0.3;

/// Weight of a span of the expected type.
const KIND: f64 = 0.15;

/// Least score of a span; below it, the answer is the whole sentence. Chosen for the highest F1 on
/// the dev split of the verb base and 100 questions of XQuAD (0.335 and 0.349, compared with 0.273
/// and 0.166 for whole sentences).
const CERTAIN: f64 = 2.5;

/// The best span of the best sentence, or the whole sentence, with a citation. Returns `None` if
/// the passages have no sentence.
pub(crate) fn answer(
    embedder: &Embedder,
    question: &str,
    passages: &[Passage],
    lang: Lang,
) -> Result<Option<String>, Error> {
    let mut sentences: Vec<(&str, String)> = Vec::new();
    for passage in passages {
        let split = claims(&passage.text, &[], ClaimUnit::Sentence, lang);
        let split = split.into_iter().map(|claim| claim.text);
        sentences.extend(split.map(|text| (passage.id.as_str(), text)));
    }
    sentences.retain(|(_, text)| !text.trim().is_empty());
    if sentences.is_empty() {
        return Ok(None);
    }
    let mut texts: Vec<&str> = vec![question];
    texts.extend(sentences.iter().map(|(_, text)| text.as_str()));
    let vectors = embedder.embed(&texts, &mut |_| {})?;
    let spans: Vec<Option<Span>> = sentences
        .iter()
        .map(|(_, sentence)| best_span(question, sentence, lang))
        .map(|span| span.filter(|span| span.score >= CERTAIN))
        .collect();
    let fit: Vec<f64> = (0..sentences.len())
        .map(|at| {
            let cosine = f64::from(dot(vectors.row(0), vectors.row(at + 1)));
            let is_expected = spans[at].as_ref().is_some_and(|span| span.is_expected);
            cosine
                + OVERLAP * overlap(question, &sentences[at].1, lang)
                + KIND * f64::from(u8::from(is_expected))
        })
        .collect();
    // Ties go to the first, which is of the better passage.
    let best = (0..sentences.len()).min_by(|&a, &b| fit[b].total_cmp(&fit[a]).then(a.cmp(&b)));
    Ok(best.map(|at| {
        let (id, sentence) = &sentences[at];
        let span = spans[at].as_ref();
        let text = span.map_or(sentence.as_str(), |span| &sentence[span.range.clone()]);
        format!("{text} [{id}]")
    }))
}

/// Share of the question's content words of which the sentence contains some form.
fn overlap(question: &str, sentence: &str, lang: Lang) -> f64 {
    let tokens = words(sentence, lang);
    let query = words(question, lang);
    let content: Vec<_> = query.iter().filter(|w| !w.stop).collect();
    let found = content.iter().filter(|w| tokens.iter().any(|s| s.is_like(w)));
    found.count() as f64 / content.len().max(1) as f64
}
