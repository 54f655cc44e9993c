//! Citation precision and coverage.

use crate::faith::Claim;

/// Citation precision and coverage of one answer.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CitationScores {
    /// `supporting` / `citations`, in \[0, 1\]; `None` without citations.
    pub precision: Option<f64>,
    /// `covered` / `claims`, in \[0, 1\]; `None` without claims.
    pub coverage: Option<f64>,
    /// Number of citations: the distinct ids per claim, added up.
    pub citations: usize,
    /// Number of citations that support their claim.
    pub supporting: usize,
    /// Number of citations of an id that was not offered. They count as wrong.
    pub unknown: usize,
    /// Number of claims of the answer.
    pub claims: usize,
    /// Number of claims with at least one citation of an offered id.
    pub covered: usize,
}

/// Scores the citations of an answer's claims.
///
/// `supports` returns whether the chunks with the given ids, all offered, together support the
/// claim. A citation supports its claim if its chunk does so alone, or if all chunks cited for the
/// claim do so together but not without it, because a claim about two things may need two chunks
/// (Gao et al., "Enabling Large Language Models to Generate Text with Citations", 2023).
pub fn citation_scores(
    claims: &[Claim],
    mut supports: impl FnMut(&Claim, &[&str]) -> bool,
) -> CitationScores {
    let mut scores = CitationScores { claims: claims.len(), ..CitationScores::default() };
    for claim in claims {
        let known: Vec<&str> =
            claim.cited.iter().filter(|id| id.known).map(|id| id.id.as_str()).collect();
        scores.citations += claim.cited.len();
        scores.unknown += claim.cited.len() - known.len();
        scores.covered += usize::from(!known.is_empty());
        let together = known.len() > 1 && supports(claim, &known);
        for (index, &id) in known.iter().enumerate() {
            let supporting = supports(claim, &[id]) || {
                let mut others = known.clone();
                others.remove(index);
                together && !supports(claim, &others)
            };
            scores.supporting += usize::from(supporting);
        }
    }
    let share = |part: usize, whole: usize| (whole > 0).then(|| part as f64 / whole as f64);
    scores.precision = share(scores.supporting, scores.citations);
    scores.coverage = share(scores.covered, scores.claims);
    scores
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ClaimUnit, claims};
    use fiel_text::Lang;

    #[test]
    fn precision_counts_unknown_ids_as_wrong() {
        let answer = "Eaten [a#1; z#9]. It is irregular. [b#2] Spanish has comido.";
        let claims = claims(answer, &["a#1", "b#2"], ClaimUnit::Sentence, Lang::En);
        let scores = citation_scores(&claims, |_, ids| ids == ["a#1"]);
        assert_eq!((scores.citations, scores.unknown), (3, 1));
        assert_eq!(scores.precision, Some(1.0 / 3.0));
        assert_eq!(scores.coverage, Some(2.0 / 3.0));
    }

    #[test]
    fn two_chunks_may_support_a_claim_together() {
        let claims = claims(
            "Bought and brought [a#1, b#2].",
            &["a#1", "b#2"],
            ClaimUnit::Sentence,
            Lang::En,
        );
        let scores = citation_scores(&claims, |_, ids| ids.len() == 2);
        assert_eq!(scores.precision, Some(1.0));
    }

    #[test]
    fn nothing_cited_is_undefined() {
        let claims = claims("Eaten.", &["1"], ClaimUnit::Sentence, Lang::En);
        let scores = citation_scores(&claims, |_, _| true);
        assert_eq!((scores.precision, scores.coverage), (None, Some(0.0)));
        assert_eq!(citation_scores(&[], |_, _| true).coverage, None);
    }
}
