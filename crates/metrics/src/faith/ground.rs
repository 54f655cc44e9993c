//! Faithfulness of an answer and of its citations.

use super::{
    claims::{Claim, ClaimUnit, claims},
    support::{LexicalContext, Support},
};
use crate::citation::{CitationScores, citation_scores};
use fiel_text::Lang;

/// A claim and its support by a context.
#[derive(Clone, Debug, PartialEq)]
pub struct ClaimSupport {
    /// The claim.
    pub claim: Claim,
    /// How the context supports it.
    pub support: Support,
}

/// A claim and its support by the cited chunks and by the whole context.
#[derive(Clone, Debug, PartialEq)]
pub struct GroundedClaim {
    /// The claim.
    pub claim: Claim,
    /// Support by the chunks that the answer cites.
    pub strict: Support,
    /// Support by the whole context.
    pub loose: Support,
}

/// All claim measures of an answer, by lexical support.
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

/// The share of an answer's claims that the texts support, and the support of each claim.
///
/// The share is `None` for an answer without claims, and 0 without a context. The faithfulness of
/// an abstention is undefined; the caller excludes it.
///
/// The measure is that of Es et al. ("RAGAS: Automated Evaluation of Retrieval Augmented
/// Generation", 2023) with a lexical scorer ([`LexicalContext::support`]), which needs no model.
pub fn faithfulness<S: AsRef<str>>(
    answer: &str,
    contexts: &[S],
    unit: ClaimUnit,
    lang: Lang,
) -> (Option<f64>, Vec<ClaimSupport>) {
    let context = LexicalContext::new(contexts, lang);
    faithfulness_of_claims(&claims(answer, &[], unit, lang), |claim| context.support(&claim.text))
}

/// The share of supported claims, and the support of each claim as `support` computes it.
pub fn faithfulness_of_claims(
    claims: &[Claim],
    mut support: impl FnMut(&Claim) -> Support,
) -> (Option<f64>, Vec<ClaimSupport>) {
    let supports: Vec<ClaimSupport> = claims
        .iter()
        .map(|claim| ClaimSupport { claim: claim.clone(), support: support(claim) })
        .collect();
    let share = share(supports.iter().map(|s| &s.support));
    (share, supports)
}

/// The claim measures of an answer that cites the chunks of its context by id.
///
/// The strict measure compares every claim with all chunks that the answer cites, because a marker
/// at the end of an answer often applies to all of it. Citation coverage and precision measure
/// whether each claim has a marker, and the right one. Not for abstentions, whose faithfulness is
/// undefined.
pub fn ground(answer: &str, context: &[(&str, &str)], unit: ClaimUnit, lang: Lang) -> Grounded {
    let offered: Vec<&str> = context.iter().map(|&(id, _)| id).collect();
    ground_claims(claims(answer, &offered, unit, lang), context, lang)
}

/// As [`ground`], for claims that are already split.
pub fn ground_claims(claims: Vec<Claim>, context: &[(&str, &str)], lang: Lang) -> Grounded {
    let offered: Vec<&str> = context.iter().map(|&(id, _)| id).collect();
    let context_of = |ids: &[&str]| {
        let texts: Vec<&str> =
            context.iter().filter(|(id, _)| ids.contains(id)).map(|&(_, text)| text).collect();
        LexicalContext::new(&texts, lang)
    };
    let cited: Vec<&str> =
        claims.iter().flat_map(|claim| &claim.cited).map(|id| id.id.as_str()).collect();
    let (cited, whole) = (context_of(&cited), context_of(&offered));
    let citation =
        citation_scores(&claims, |claim, ids| context_of(ids).support(&claim.text).supported());
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
