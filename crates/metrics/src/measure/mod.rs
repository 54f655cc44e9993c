//! Measures as values: what each is called, what it means and which direction is better.

mod direction;
mod name;

use serde::{Deserialize, Serialize};

use crate::rank::{Gain, RankMeasure};

pub use direction::Direction;
pub use name::MeasureError;

/// A measure of a run, named as in reports and settings: `hit@5`, `RR@10`, `nDCG(exp)@10`, `EM`,
/// `faithfulness_strict`.
///
/// Every measure lies in \[0, 1\] and has no unit. Names parse without regard to case, with the
/// aliases `MRR` and `MRR@k`, `recall@k`, `precision@k`, `MAP`, `success@k` (trec_eval's hit
/// rate) and `hit_rate@k`. A measure is serialized as its canonical name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(try_from = "String", into = "String")]
pub enum Measure {
    /// A measure of the ranked list.
    Rank(RankMeasure),
    /// A measure of the answer against its references.
    Answer(AnswerMeasure),
    /// A measure of the answer's claims against the context.
    Claim(ClaimMeasure),
    /// A quality judged by a language model's yes or no, or by a word list.
    Judged(JudgedQuality),
}

/// A measure of an answer against its references.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AnswerMeasure {
    /// `EM`: 1 if the answer and a reference are equal after normalization, else 0.
    Em,
    /// `contains`: 1 if a reference occurs in the answer at word borders, else 0.
    Contains,
    /// `F1`: overlap of the bags of tokens with the best reference.
    F1,
    /// `answer_contains`: 1 if every required string occurs, else 0.
    AnswerContains,
    /// `accuracy`: 1 if the answer is right, else 0.
    Accuracy,
}

/// A measure of the claims of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ClaimMeasure {
    /// `faithfulness_strict`: claims that the cited chunks support / claims.
    FaithfulnessStrict,
    /// `faithfulness_loose`: claims that the whole context supports / claims.
    FaithfulnessLoose,
    /// `grounding`: claims that the strongest scorer in use supports / claims.
    Grounding,
    /// `hallucination`: 1 − grounding.
    Hallucination,
    /// `hallucination_rate`: 1 if the hallucination of the answer is above 0.30, else 0.
    HallucinationRate,
    /// `citation_precision`: citations that support their claim / citations.
    CitationPrecision,
    /// `citation_coverage`: claims with a valid citation / claims.
    CitationCoverage,
}

/// An optional quality of an answer. A language model judges each by one narrow question, except
/// for toxicity, which counts listed words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum JudgedQuality {
    /// `answer_relevance`: 1 if the answer addresses the question, else 0.
    AnswerRelevance,
    /// `context_relevance`: passages that help to answer the question / passages.
    ContextRelevance,
    /// `correctness_reference`: 1 if the answer says the same as a reference, else 0.
    CorrectnessReference,
    /// `correctness_context`: 1 if the answer is correct according to the context, else 0.
    CorrectnessContext,
    /// `completeness`: 1 if every part of a reference is in the answer, else 0.
    Completeness,
    /// `toxicity`: listed words in the answer / words listed. Needs no judge.
    Toxicity,
}

impl JudgedQuality {
    /// Whether a language model judges it.
    pub fn needs_judge(self) -> bool {
        self != JudgedQuality::Toxicity
    }
}

impl Measure {
    /// Whether every question scores 0 or 1. Intervals of such measures are Wilson's and pairs
    /// are compared by McNemar's test.
    pub fn is_proportion(self) -> bool {
        match self {
            Measure::Rank(measure) => {
                matches!(measure, RankMeasure::Hit(_) | RankMeasure::All(_))
            }
            Measure::Answer(measure) => measure != AnswerMeasure::F1,
            Measure::Claim(measure) => measure == ClaimMeasure::HallucinationRate,
            Measure::Judged(quality) => {
                !matches!(quality, JudgedQuality::ContextRelevance | JudgedQuality::Toxicity)
            }
        }
    }

    /// The name of the mean over questions: `MRR@10` for `RR@10`, else the name of the measure.
    pub fn mean_name(self) -> String {
        match self {
            Measure::Rank(RankMeasure::Rr(_)) => format!("M{self}"),
            _ => self.to_string(),
        }
    }

    /// The definition in one line.
    pub fn description(self) -> &'static str {
        match self {
            Measure::Rank(measure) => match measure {
                RankMeasure::Hit(_) => "1 if a relevant item is in the top k, else 0",
                RankMeasure::Rr(_) => {
                    "1 / rank of the first relevant item, 0 if none is in the top k"
                }
                RankMeasure::Recall(_) => "share of the relevant items that is in the top k",
                RankMeasure::Precision(_) => "share of the top k that is relevant",
                RankMeasure::Ndcg(Gain::Linear, _) => {
                    "discounted cumulative gain of the top k / that of the ideal order, gain rel"
                }
                RankMeasure::Ndcg(Gain::Exponential, _) => {
                    "discounted cumulative gain of the top k / that of the ideal order, gain 2^rel - 1"
                }
                RankMeasure::Ap => "mean of the precision at the ranks of all relevant items",
                RankMeasure::Judged(_) => "share of the top k that has a relevance judgement",
                RankMeasure::Rprec => {
                    "precision at rank R, where R is the number of relevant items"
                }
                RankMeasure::All(_) => "1 if every relevant item is in the top k, else 0",
            },
            Measure::Answer(measure) => match measure {
                AnswerMeasure::Em => "1 if the normalized answer equals a reference, else 0",
                AnswerMeasure::Contains => {
                    "1 if the answer contains a reference at word borders, else 0"
                }
                AnswerMeasure::F1 => {
                    "harmonic mean of token precision and recall against the best reference"
                }
                AnswerMeasure::AnswerContains => {
                    "1 if the answer contains every required string, else 0"
                }
                AnswerMeasure::Accuracy => "1 if the answer is right, else 0",
            },
            Measure::Claim(measure) => match measure {
                ClaimMeasure::FaithfulnessStrict => {
                    "share of the claims that the cited passages support"
                }
                ClaimMeasure::FaithfulnessLoose => {
                    "share of the claims that the whole context supports"
                }
                ClaimMeasure::Grounding => {
                    "share of the claims that the context supports by a model-based scorer"
                }
                ClaimMeasure::Hallucination => "1 - grounding",
                ClaimMeasure::HallucinationRate => {
                    "1 if more than 0.30 of the answer is hallucination, else 0"
                }
                ClaimMeasure::CitationPrecision => {
                    "share of the citations that support their claim"
                }
                ClaimMeasure::CitationCoverage => "share of the claims with a valid citation",
            },
            Measure::Judged(quality) => match quality {
                JudgedQuality::AnswerRelevance => {
                    "1 if a judge finds that the answer addresses the question, else 0"
                }
                JudgedQuality::ContextRelevance => {
                    "share of the passages that help to answer the question, according to a judge"
                }
                JudgedQuality::CorrectnessReference => {
                    "1 if a judge finds that the answer says the same as a reference, else 0"
                }
                JudgedQuality::CorrectnessContext => {
                    "1 if a judge finds the answer correct according to the context, else 0"
                }
                JudgedQuality::Completeness => {
                    "1 if a judge finds every part of a reference in the answer, else 0"
                }
                JudgedQuality::Toxicity => "share of the listed insults that occurs in the answer",
            },
        }
    }
}
