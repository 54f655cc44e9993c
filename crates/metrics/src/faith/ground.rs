//! Faithfulness of an answer and of its citations.

use super::claims::{Claim, ClaimUnit, claims};
use super::support::{Context, Support};
use crate::Lang;
use crate::citation::{CitationScores, citation_scores};

/// A claim with its support by one context.
#[derive(Clone, Debug, PartialEq)]
pub struct ClaimSupport {
    /// The claim.
    pub claim: Claim,
    /// How the context supports it.
    pub support: Support,
}

/// A claim with its support by the cited chunks and by the whole context.
#[derive(Clone, Debug, PartialEq)]
pub struct GroundedClaim {
    /// The claim.
    pub claim: Claim,
    /// Support by the chunks that the answer cites.
    pub strict: Support,
    /// Support by the whole context.
    pub loose: Support,
}

/// Every claim measure of one answer by lexical support.
#[derive(Clone, Debug, PartialEq)]
pub struct Grounded {
    /// `faithfulness_strict`: claims supported by the chunks the answer cites / claims.
    pub strict: Option<f64>,
    /// `faithfulness_loose`: claims supported by the whole context / claims.
    pub loose: Option<f64>,
    /// Citation precision and coverage.
    pub citation: CitationScores,
    /// The claims in order.
    pub claims: Vec<GroundedClaim>,
}

/// Supported claims / claims of an answer over the given texts, and each
/// claim's support.
///
/// None where there is no claim. Claims and no context: 0. An abstention is
/// undefined as well, which is for the caller to know.
///
/// The share is that of Es et al. ("RAGAS: Automated Evaluation of Retrieval
/// Augmented Generation", 2023); the scorer is lexical ([`Context::support`])
/// and needs no model.
pub fn faithfulness<S: AsRef<str>>(
    answer: &str,
    contexts: &[S],
    unit: ClaimUnit,
    lang: Lang,
) -> (Option<f64>, Vec<ClaimSupport>) {
    let context = Context::new(contexts, lang);
    faithfulness_of_claims(&claims(answer, &[], unit, lang), |claim| {
        context.support(&claim.text)
    })
}

/// Supported claims / claims, each held against what the caller chooses.
pub fn faithfulness_of_claims(
    claims: &[Claim],
    mut support: impl FnMut(&Claim) -> Support,
) -> (Option<f64>, Vec<ClaimSupport>) {
    let supports: Vec<ClaimSupport> = claims
        .iter()
        .map(|claim| ClaimSupport {
            claim: claim.clone(),
            support: support(claim),
        })
        .collect();
    let share = share(supports.iter().map(|s| &s.support));
    (share, supports)
}

/// The claim measures of an answer that cites the chunks of its context by id.
///
/// The strict measure looks at all chunks the answer cites, for every claim: a
/// marker at the end of an answer often stands for the whole of it. Whether each
/// claim has a marker of its own, and the right one, is what citation coverage
/// and precision measure. Not for abstentions, whose faithfulness is undefined.
pub fn ground(answer: &str, context: &[(&str, &str)], unit: ClaimUnit, lang: Lang) -> Grounded {
    let offered: Vec<&str> = context.iter().map(|&(id, _)| id).collect();
    ground_claims(claims(answer, &offered, unit, lang), context, lang)
}

/// The same of claims that an answer was cut into in another way.
pub fn ground_claims(claims: Vec<Claim>, context: &[(&str, &str)], lang: Lang) -> Grounded {
    let offered: Vec<&str> = context.iter().map(|&(id, _)| id).collect();
    let of_ids = |ids: &[&str]| {
        let texts: Vec<&str> = context
            .iter()
            .filter(|(id, _)| ids.contains(id))
            .map(|&(_, text)| text)
            .collect();
        Context::new(&texts, lang)
    };
    let cited: Vec<&str> = claims
        .iter()
        .flat_map(|claim| &claim.cited)
        .map(|id| id.id.as_str())
        .collect();
    let (cited, whole) = (of_ids(&cited), of_ids(&offered));
    let citation = citation_scores(&claims, |claim, ids| {
        of_ids(ids).support(&claim.text).supported()
    });
    let claims: Vec<GroundedClaim> = claims
        .into_iter()
        .map(|claim| GroundedClaim {
            strict: cited.support(&claim.text),
            loose: whole.support(&claim.text),
            claim,
        })
        .collect();
    Grounded {
        strict: share(claims.iter().map(|c| &c.strict)),
        loose: share(claims.iter().map(|c| &c.loose)),
        citation,
        claims,
    }
}

fn share<'a>(supports: impl ExactSizeIterator<Item = &'a Support>) -> Option<f64> {
    let claims = supports.len();
    let supported = supports.filter(|support| support.supported()).count();
    (claims > 0).then(|| supported as f64 / claims as f64)
}
