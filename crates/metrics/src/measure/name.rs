//! Canonical names of the measures: how they print and parse.

use std::{fmt, str::FromStr};

use super::{AnswerMeasure, ClaimMeasure, JudgedQuality, Measure};
use crate::rank::{Cutoff, Gain, RankMeasure};

/// A name that no measure has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "unknown measure {name:?}: expected one of hit@k RR@k RR R@k P@k nDCG@k nDCG(exp)@k AP \
     Judged@k Rprec all@k {}, with k at least 1",
    measures_without_cutoff().map(|m| m.to_string()).collect::<Vec<_>>().join(" ")
)]
pub struct MeasureError {
    /// The name as given.
    pub name: String,
}

/// All measures but those of the ranked list.
fn measures_without_cutoff() -> impl Iterator<Item = Measure> {
    let answer = AnswerMeasure::ALL.iter().copied().map(Measure::Answer);
    let claim = ClaimMeasure::ALL.iter().copied().map(Measure::Claim);
    let judged = JudgedQuality::ALL.iter().copied().map(Measure::Judged);
    answer.chain(claim).chain(judged)
}

impl fmt::Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Measure::Rank(measure) => measure.fmt(f),
            Measure::Answer(measure) => measure.fmt(f),
            Measure::Claim(measure) => measure.fmt(f),
            Measure::Judged(quality) => quality.fmt(f),
        }
    }
}

impl fmt::Display for RankMeasure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, k) = match *self {
            RankMeasure::Hit(k) => ("hit", Some(k)),
            RankMeasure::Rr(k) => ("RR", k),
            RankMeasure::Recall(k) => ("R", Some(k)),
            RankMeasure::Precision(k) => ("P", Some(k)),
            RankMeasure::Ndcg(Gain::Linear, k) => ("nDCG", Some(k)),
            RankMeasure::Ndcg(Gain::Exponential, k) => ("nDCG(exp)", Some(k)),
            RankMeasure::Ap => ("AP", None),
            RankMeasure::Judged(k) => ("Judged", Some(k)),
            RankMeasure::Rprec => ("Rprec", None),
            RankMeasure::All(k) => ("all", Some(k)),
        };
        match k {
            Some(k) => write!(f, "{name}@{}", k.get()),
            None => f.write_str(name),
        }
    }
}

impl FromStr for Measure {
    type Err = MeasureError;

    fn from_str(text: &str) -> Result<Self, MeasureError> {
        parse(text).ok_or_else(|| MeasureError { name: text.to_owned() })
    }
}

fn parse(text: &str) -> Option<Measure> {
    let name = text.trim().to_ascii_lowercase();
    let Some((head, depth)) = name.split_once('@') else {
        return match name.as_str() {
            "rr" | "mrr" => Some(Measure::Rank(RankMeasure::Rr(None))),
            "ap" | "map" => Some(Measure::Rank(RankMeasure::Ap)),
            "rprec" => Some(Measure::Rank(RankMeasure::Rprec)),
            _ => measures_without_cutoff().find(|m| m.to_string().eq_ignore_ascii_case(&name)),
        };
    };
    // `u32::from_str` accepts "+5".
    if !depth.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let k = Cutoff::new(depth.parse().ok()?)?;
    Some(Measure::Rank(match head {
        "hit" | "hit_rate" | "success" => RankMeasure::Hit(k),
        "rr" | "mrr" => RankMeasure::Rr(Some(k)),
        "r" | "recall" => RankMeasure::Recall(k),
        "p" | "precision" => RankMeasure::Precision(k),
        "ndcg" => RankMeasure::Ndcg(Gain::Linear, k),
        "ndcg(exp)" => RankMeasure::Ndcg(Gain::Exponential, k),
        "judged" => RankMeasure::Judged(k),
        "all" => RankMeasure::All(k),
        _ => return None,
    }))
}

impl TryFrom<String> for Measure {
    type Error = MeasureError;

    fn try_from(name: String) -> Result<Self, MeasureError> {
        name.parse()
    }
}

impl From<Measure> for String {
    fn from(measure: Measure) -> String {
        measure.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: &str = "hit@5 RR@10 RR R@5 P@5 nDCG@10 nDCG(exp)@10 AP Judged@10 Rprec all@5 EM \
        contains F1 answer_contains accuracy faithfulness_strict faithfulness_loose grounding \
        hallucination hallucination_rate citation_precision citation_coverage answer_relevance \
        context_relevance correctness_reference correctness_context completeness toxicity";

    #[test]
    fn canonical_names_round_trip() {
        for name in NAMES.split_whitespace() {
            let measure: Measure = name.parse().unwrap();
            assert_eq!(measure.to_string(), name);
            let json = serde_json::to_string(&measure).unwrap();
            assert_eq!(json, format!("\"{name}\""));
            assert_eq!(serde_json::from_str::<Measure>(&json).unwrap(), measure);
            assert!(!measure.description().is_empty());
        }
    }

    #[test]
    fn aliases_parse() {
        for (alias, name) in [
            ("MRR@10", "RR@10"),
            ("MRR", "RR"),
            ("recall@5", "R@5"),
            ("precision@5", "P@5"),
            ("MAP", "AP"),
            ("ndcg@3", "nDCG@3"),
            ("success@1", "hit@1"),
        ] {
            assert_eq!(alias.parse::<Measure>().unwrap().to_string(), name);
        }
        let mean_name = |name: &str| name.parse::<Measure>().unwrap().mean_name();
        assert_eq!(mean_name("RR@10"), "MRR@10");
        assert_eq!(mean_name("RR"), "MRR");
        assert_eq!(mean_name("hit@5"), "hit@5");
    }

    #[test]
    fn an_unknown_name_is_an_error_that_lists_the_names() {
        for name in
            ["", "hit", "hit@0", "hit@-1", "hit@+1", "hit@x", "hit@", "AP@5", "EM@1", "nDCG"]
        {
            let error = name.parse::<Measure>().unwrap_err();
            let message = error.to_string();
            assert!(message.contains("nDCG(exp)@k"), "{message}");
            assert!(message.contains("all@k EM contains"), "{message}");
            assert!(message.ends_with("toxicity, with k at least 1"), "{message}");
        }
    }

    #[test]
    fn proportions() {
        for (name, proportion) in [
            ("hit@1", true),
            ("all@5", true),
            ("EM", true),
            ("contains", true),
            ("accuracy", true),
            ("F1", false),
            ("RR", false),
            ("R@5", false),
            ("grounding", false),
            ("hallucination_rate", true),
            ("context_relevance", false),
            ("completeness", true),
            ("toxicity", false),
        ] {
            let measure: Measure = name.parse().unwrap();
            assert_eq!(measure.is_proportion(), proportion, "{name}");
        }
    }
}
