//! Measures of retrieval-augmented question answering and their statistics.
//!
//! The crate is usable by itself: it holds no engine, reads and writes no file,
//! and draws no random number that its seed does not fix. Each measure is a
//! plain function of its inputs; every number returned is finite, `None` means
//! that the measure makes no statement, and 0 is a value.
//!
//! - [`Measure`]: every measure as a value that prints and parses by its name;
//! - [`Ranking`]: a ranked list against judgements or cited evidence ([`finds`]),
//!   measured by [`RankMeasure::of`];
//! - [`score_answer`]: EM, contains, F1 and whether an answer is right;
//! - [`claims`], [`faithfulness`], [`ground`]: what an answer claims, and whether
//!   its context and its citations ([`parse_citations`]) support it;
//! - [`toxicity`]: listed insults in a text;
//! - [`Value`], [`Mean`], [`estimate`]: values per question first, then means
//!   with their denominators and intervals;
//! - [`Paired`], [`holm`], [`agreement`], [`auroc`]: comparison of runs, and of a
//!   judge with people;
//! - [`parse_run`], [`parse_qrels`], [`export_scores`]: TREC interchange as text.
//!
//! ```
//! use fiel_metrics::{Lang, Measure, Ranking, Value, estimate, score_answer};
//!
//! // A question with two pieces of evidence; the second chunk finds both.
//! let ranking = Ranking::from_evidence(&[vec![], vec![0, 1], vec![]], 2)?;
//! let measure: Measure = "RR@10".parse()?;
//! let Measure::Rank(rr) = measure else { unreachable!() };
//! assert_eq!(rr.of(&ranking), Some(0.5));
//!
//! let scores = score_answer("It is eaten [eat#3].", &["eaten"], &["eaten"], Lang::En, false);
//! assert_eq!((scores.em, scores.contains, scores.right), (0.0, 1.0, true));
//!
//! // A failed question scores 0; an undefined one is left out and counted.
//! let values = vec![Value::from(rr.of(&ranking)), Value::Failed, Value::Undefined];
//! let summary = estimate(&[(measure, values)], 42)?;
//! assert_eq!(summary[0].mean.mean, Some(0.25));
//! assert_eq!((summary[0].mean.n, summary[0].mean.undefined), (2, 1));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod answer;
mod citation;
mod faith;
mod lang;
mod markup;
mod measure;
mod rank;
mod stats;
mod toxic;
mod trec;
mod value;

pub use answer::{
    AnswerScores, RIGHT_F1, answer_contains, contains, exact_match, f1, is_right, normalize,
    score_answer, tokens,
};
pub use citation::{
    Citation, CitationScores, CitedId, citation_scores, parse_citations, remove_citations,
    strip_citations,
};
pub use faith::{
    BEARING_SENTENCES, Claim, ClaimFeatures, ClaimSupport, ClaimUnit, ClaimUnitError, Context,
    Grounded, GroundedClaim, SUPPORT_SHARE, SplitClaims, StemmedContext, Support, Verdict, claims,
    covering, faithfulness, faithfulness_of_claims, ground, ground_claims, split_claims,
};
pub use lang::{Lang, LangError};
pub use measure::{AnswerMeasure, ClaimMeasure, JudgedQuality, Measure, MeasureError};
pub use rank::{
    Cutoff, Gain, Hit, MeasuredItem, RankMeasure, Ranking, RankingError, finds, measured_list,
};
pub use stats::{
    Agreement, Auroc, Estimate, Interval, Paired, PairedTest, RESAMPLES, ResampledAuroc,
    SplitMix64, StatsError, agreement, auroc, bootstrap_auroc, bootstrap_mean, bootstrap_means,
    estimate, holm, mcnemar, over_representation, percentile, sign_flip,
    smallest_detectable_difference, wilson,
};
pub use toxic::{ToxicWords, ToxicWordsError, toxicity};
pub use trec::{
    Qrels, Run, Scored, TrecError, export_scores, parse_qrels, parse_run, sort_as_trec_eval,
};
pub use value::{Mean, NotFinite, Value};
