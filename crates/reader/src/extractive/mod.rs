//! The reader without a language model: the baseline that every language model must beat.

mod answer_type;
mod span;

use fiel_embedding::{Embedder, dot};
use fiel_metrics::{ClaimUnit, claims};
use fiel_text::{Lang, words};

use self::span::best_span;
use crate::{Error, Passage};

/// Weight of the share of the question's words in a sentence, relative to the cosine. An English
/// embedder says little about Spanish.
const OVERLAP: f64 = 0.3;

/// Weight of a span of the expected type.
const EXPECTED: f64 = 0.15;

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
    let sentences = passages.iter().flat_map(|passage| {
        let claims = claims(&passage.text, &[], ClaimUnit::Sentence, lang).into_iter();
        claims.map(|claim| (passage.id.as_str(), claim.text))
    });
    let sentences: Vec<(&str, String)> =
        sentences.filter(|(_, text)| !text.trim().is_empty()).collect();
    if sentences.is_empty() {
        return Ok(None);
    }
    let mut texts: Vec<&str> = vec![question];
    texts.extend(sentences.iter().map(|(_, text)| text.as_str()));
    let vectors = embedder.embed(&texts, &mut |_| {})?;
    let scored = vectors.rows().skip(1).zip(&sentences).map(|(vector, (id, sentence))| {
        let span = best_span(question, sentence, lang).filter(|span| span.score >= CERTAIN);
        let is_expected = span.as_ref().is_some_and(|span| span.is_expected);
        let score = f64::from(dot(vectors.row(0), vector))
            + OVERLAP * overlap(question, sentence, lang)
            + if is_expected { EXPECTED } else { 0.0 };
        let text = span.map_or(sentence.as_str(), |span| &sentence[span.range]);
        (score, text, id)
    });
    // Ties go to the first, which is of the better passage.
    let best = scored.min_by(|a, b| b.0.total_cmp(&a.0));
    Ok(best.map(|(_, text, id)| format!("{text} [{id}]")))
}

/// Share of the question's content words of which the sentence contains some form.
fn overlap(question: &str, sentence: &str, lang: Lang) -> f64 {
    let tokens = words(sentence, lang);
    let query = words(question, lang);
    let content: Vec<_> = query.iter().filter(|w| !w.stop).collect();
    let found = content.iter().filter(|w| tokens.iter().any(|s| s.is_like(w)));
    found.count() as f64 / content.len().max(1) as f64
}
