//! Faithfulness of an answer and of its citations.

use fiel_text::Lang;

use super::{
    claims::Claim,
    support::{LexicalContext, Support},
};
use crate::citation::{CitationScores, citation_scores};

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

/// The claim measures of an answer that cites the chunks of its context by id. `strict` and
/// `loose` are `None` without claims, and 0 without a context.
///
/// The measure is that of Es et al. ("RAGAS: Automated Evaluation of Retrieval Augmented
/// Generation", 2023) with a lexical scorer ([`LexicalContext::support`]), which needs no model.
///
/// The strict measure compares every claim with all chunks that the answer cites, because a marker
/// at the end of an answer often applies to all of it. Citation coverage and precision measure
/// whether each claim has a marker, and the right one. Not for abstentions, whose faithfulness is
/// undefined.
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
