//! Measures as values: what each is called, what it means and which direction is better.

mod direction;
mod name;

use std::{fmt, num::NonZeroU32};

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

/// Defines measures that have no cutoff. Each row is a variant, its name and its definition.
macro_rules! measures {
    ($(#[$attribute:meta])* $type:ident { $($variant:ident = $name:literal, $definition:literal;)* }) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $type {
            $(#[doc = concat!("`", $name, "`: ", $definition, ".")] $variant,)*
        }

        impl $type {
            const ALL: &[$type] = &[$($type::$variant),*];

            /// The definition in one line.
            fn description(self) -> &'static str {
                match self { $($type::$variant => $definition,)* }
            }
        }

        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(match self { $($type::$variant => $name,)* })
            }
        }
    };
}

measures! {
    /// A measure of an answer against its references.
    AnswerMeasure {
        Em = "EM", "1 if the normalized answer equals a reference, else 0";
        Contains = "contains", "1 if the answer contains a reference at word borders, else 0";
        F1 = "F1", "harmonic mean of token precision and recall against the best reference";
        AnswerContains = "answer_contains",
            "1 if the answer contains every required string, else 0";
        Accuracy = "accuracy", "1 if the answer is right, else 0";
    }
}

measures! {
    /// A measure of the claims of an answer.
    ClaimMeasure {
        FaithfulnessStrict = "faithfulness_strict",
            "share of the claims that the cited passages support";
        FaithfulnessLoose = "faithfulness_loose",
            "share of the claims that the whole context supports";
        Grounding = "grounding",
            "share of the claims that the context supports by a model-based scorer";
        Hallucination = "hallucination", "1 - grounding";
        HallucinationRate = "hallucination_rate",
            "1 if more than 0.30 of the answer is hallucination, else 0";
        CitationPrecision = "citation_precision",
            "share of the citations that support their claim";
        CitationCoverage = "citation_coverage", "share of the claims with a valid citation";
    }
}

measures! {
    /// An optional quality of an answer. A language model judges each by one narrow question,
    /// except for toxicity, which counts listed words.
    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    JudgedQuality {
        AnswerRelevance = "answer_relevance",
            "1 if a judge finds that the answer addresses the question, else 0";
        ContextRelevance = "context_relevance",
            "share of the passages that help to answer the question, according to a judge";
        CorrectnessReference = "correctness_reference",
            "1 if a judge finds that the answer says the same as a reference, else 0";
        CorrectnessContext = "correctness_context",
            "1 if a judge finds the answer correct according to the context, else 0";
        Completeness = "completeness",
            "1 if a judge finds every part of a reference in the answer, else 0";
        Toxicity = "toxicity", "share of the listed insults that occurs in the answer";
    }
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
                let is_first = |k: NonZeroU32| k.get() == 1;
                match measure {
                    RankMeasure::Hit(_) | RankMeasure::All(_) => true,
                    RankMeasure::Precision(k) => is_first(k),
                    RankMeasure::Rr(k) => k.is_some_and(is_first),
                    _ => false,
                }
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
            Measure::Answer(measure) => measure.description(),
            Measure::Claim(measure) => measure.description(),
            Measure::Judged(quality) => quality.description(),
        }
    }
}
