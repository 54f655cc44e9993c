use fiel_embedding::{Embedder, dot};
use fiel_metrics::{ClaimUnit, Lang, claims};

use crate::{Error, Passage};

/// The sentence of the passages nearest to the question, cited: the floor that every language
/// model must beat.
pub(crate) fn best_sentence(
    embedder: &Embedder,
    question: &str,
    passages: &[Passage],
    lang: Lang,
) -> Result<Option<String>, Error> {
    let mut sentences: Vec<(&str, String)> = Vec::new();
    for passage in passages {
        let split = claims(&passage.text, &[], ClaimUnit::Sentence, lang);
        sentences.extend(
            split
                .into_iter()
                .map(|claim| (passage.id.as_str(), claim.text)),
        );
    }
    sentences.retain(|(_, text)| !text.trim().is_empty());
    if sentences.is_empty() {
        return Ok(None);
    }
    let mut texts: Vec<&str> = vec![question];
    texts.extend(sentences.iter().map(|(_, text)| text.as_str()));
    let vectors = embedder.embed(&texts, &mut |_| {})?;
    let nearness = |at: usize| dot(vectors.row(0), vectors.row(at + 1));
    // The first of equals, so the better passage wins.
    let best =
        (0..sentences.len()).min_by(|&a, &b| nearness(b).total_cmp(&nearness(a)).then(a.cmp(&b)));
    Ok(best.map(|at| format!("{} [{}]", sentences[at].1, sentences[at].0)))
}
