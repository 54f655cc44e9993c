//! Attribution of answers without citations.

use fiel_metrics::parse_citations;
use fiel_text::Lang;

use crate::{Outcome, Passage};

/// The id of the passage with the largest share of an answer's content words; the first of equals.
/// `None` for a refusal, an answer with a citation, and one without support.
pub(crate) fn attribute(outcome: &Outcome, lang: Lang) -> Option<String> {
    let passages = &outcome.context.passages;
    let offered: Vec<&str> = passages.iter().map(|p| p.id.as_str()).collect();
    let citations = parse_citations(&outcome.answer, &offered);
    let is_cited = citations.iter().flat_map(|c| &c.ids).any(|id| id.known);
    if outcome.abstained || is_cited {
        return None;
    }
    let share = |p: &Passage| {
        fiel_metrics::LexicalContext::new(&[&p.text], lang).support(&outcome.answer).share
    };
    let shares = passages.iter().map(|passage| (share(passage), passage));
    let (share, best) = shares.min_by(|(a, _), (b, _)| b.total_cmp(a))?;
    (share > 0.0).then(|| best.id.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_answer_without_a_citation_is_attributed() {
        let passage = |id: &str, text: &str| Passage {
            id: id.into(),
            text: text.into(),
            ..Passage::default()
        };
        let mut outcome = Outcome { answer: "eaten".into(), ..Outcome::default() };
        outcome.context.passages = vec![passage("1", "go, gone"), passage("2", "eat, eaten")];
        let attribution = |outcome: &Outcome| attribute(outcome, Lang::En);
        assert_eq!(attribution(&outcome).as_deref(), Some("2"));
        for answer in ["eaten [1]", "drunk", ""] {
            outcome.answer = answer.into();
            assert_eq!(attribution(&outcome), None, "{answer}");
        }
        outcome.answer = "eaten [7]".into();
        assert_eq!(attribution(&outcome).as_deref(), Some("2"));
        outcome.abstained = true;
        assert_eq!(attribution(&outcome), None);
    }
}
