//! Measures of retrieval-augmented question answering and their statistics.
//!
//! Each measure is a plain function of its inputs. The crate contains no engine and does no I/O;
//! its random numbers depend only on the given seed. Every returned number is finite. `None` means
//! that the measure is undefined; 0 is a value.
//!
//! - [`Measure`]: every measure as a value that prints and parses as its name, with its
//!   [`Direction`];
//! - [`Ranking`]: a ranked list against judgements or cited evidence ([`finds`]), measured by
//!   [`Ranking::measure`];
//! - [`score_answer`]: EM, contains, F1 and whether an answer is right;
//! - [`claims`], [`ground_claims`]: the claims of an answer, and whether the context and
//!   the citations ([`parse_citations`]) support them;
//! - [`ToxicWords`]: listed insults in a text;
//! - [`Value`], [`Mean`], [`estimate`]: values per question, and their means with counts and
//!   intervals;
//! - [`Paired`], [`holm`], [`agreement`], [`auroc`]: comparison of runs, and of a judge with human
//!   labels;
//! - [`parse_run`], [`parse_qrels`], [`export_scores`]: TREC interchange as text.
//!
//! ```
//! use fiel_metrics::{Measure, Ranking, Value, estimate, score_answer};
//! use fiel_text::Lang;
//!
//! // A question with two evidence groups. The chunk at rank 2 finds both.
//! let ranking = Ranking::from_evidence(&[vec![], vec![0, 1], vec![]], 2)?;
//! let measure: Measure = "RR@10".parse()?;
//! let Measure::Rank(rr) = measure else { unreachable!() };
//! assert_eq!(ranking.measure(rr), Some(0.5));
//! assert!(measure.direction().meets(0.5, 0.4));
//!
//! let scores = score_answer("It is eaten [eat#3].", &["eaten"], &["eaten"], Lang::En, false);
//! assert_eq!((scores.em, scores.contains, scores.right), (0.0, 1.0, true));
//!
//! // A failed question scores 0. An undefined one is left out of the mean and counted.
//! let values = vec![Value::from(ranking.measure(rr)), Value::Failed, Value::Undefined];
//! let summary = estimate(&[(measure, values)], 42)?;
//! assert_eq!(summary[0].mean.mean, Some(0.25));
//! assert_eq!((summary[0].mean.n, summary[0].mean.undefined), (2, 1));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod answer;
mod citation;
mod faith;
mod measure;
mod rank;
mod refusal;
mod stats;
mod toxic;
mod trec;
mod value;

pub use answer::{AnswerScores, RIGHT_F1, answer_tokens, contains, normalize_answer, score_answer};
pub use citation::{
    Citation, CitationScores, CitedId, citation_scores, parse_citations, remove_citations,
    strip_citations,
};
pub use faith::{
    BEARING_SENTENCES, Claim, ClaimFeatures, ClaimUnit, Grounded, GroundedClaim, LexicalContext,
    SUPPORT_SHARE, SplitClaims, StemmedContext, Support, SupportVerdict, claims, covering,
    ground_claims, listed_items, split_claims,
};
pub use measure::{AnswerMeasure, ClaimMeasure, Direction, JudgedQuality, Measure, MeasureError};
pub use rank::{
    Cutoff, Gain, MeasuredItem, RankMeasure, Ranking, RankingError, RelevantItem, finds,
    measured_list, span_overlap,
};
pub use refusal::is_refusal;
pub use stats::{
    Agreement, Change, Estimate, Interval, Paired, PairedTest, RESAMPLES, ResampledAuroc,
    SplitMix64, StatsError, agreement, auroc, bootstrap_auroc, bootstrap_mean, bootstrap_means,
    estimate, holm, mcnemar, over_representation, percentile, sign_flip,
    smallest_detectable_difference, wilson,
};
pub use toxic::{ToxicWords, ToxicWordsError};
pub use trec::{
    Qrels, TrecError, TrecHit, TrecRun, export_scores, parse_qrels, parse_run, sort_as_trec_eval,
};
pub use value::{Mean, NotFinite, Value};
