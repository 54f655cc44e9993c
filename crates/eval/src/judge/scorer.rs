//! The scorers of claims.

use std::{fmt, str::FromStr};

use fiel_metrics::{LexicalContext, SUPPORT_SHARE, covering};
use fiel_models::DeviceChoice;
use fiel_reader::{ModelPool, PipelineSettings};
use fiel_text::Lang;
use serde::{Deserialize, Serialize};
use thiserror::Error as ThisError;

use super::{GroundedScorer, Judge, JudgeQuestion, JudgeSettings, grounded::GROUNDED_EMBEDDER};
use crate::Error;

/// A method to score how well a context supports a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ScorerKind {
    /// Share of the claim's words that are in the context.
    Overlap,
    /// The same share, but 0 if a number or a negation differs.
    Lexical,
    /// A logistic regression over words, names, numbers, polarity and token embeddings.
    Grounded,
    /// A language model that answers a yes/no question.
    Judge,
}

impl ScorerKind {
    /// The lowest score of a supported claim.
    pub fn threshold(self) -> f64 {
        match self {
            Self::Overlap | Self::Lexical => SUPPORT_SHARE,
            Self::Grounded | Self::Judge => 0.5,
        }
    }
}

impl fmt::Display for ScorerKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Overlap => "overlap",
            Self::Lexical => "lexical",
            Self::Grounded => "grounded",
            Self::Judge => "judge",
        })
    }
}

/// A name that is not a [`ScorerKind`].
#[derive(Clone, Debug, PartialEq, Eq, ThisError)]
#[error("`{0}` is not a scorer; use overlap, lexical, grounded or judge")]
pub struct UnknownScorer(String);

impl FromStr for ScorerKind {
    type Err = UnknownScorer;

    fn from_str(name: &str) -> Result<Self, UnknownScorer> {
        match name {
            "overlap" => Ok(Self::Overlap),
            "lexical" => Ok(Self::Lexical),
            "grounded" => Ok(Self::Grounded),
            "judge" => Ok(Self::Judge),
            _ => Err(UnknownScorer(name.to_owned())),
        }
    }
}

/// The name of a scorer in records and labels: `grounded`, or `judge MODEL`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ScorerName {
    pub kind: ScorerKind,
    /// Id of the judge.
    pub model: Option<String>,
}

impl fmt::Display for ScorerName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.model {
            Some(model) => write!(f, "{} {model}", self.kind),
            None => write!(f, "{}", self.kind),
        }
    }
}

impl FromStr for ScorerName {
    type Err = UnknownScorer;

    fn from_str(name: &str) -> Result<Self, UnknownScorer> {
        let (kind, model) = name.split_once(' ').unzip();
        Ok(Self { kind: kind.unwrap_or(name).parse()?, model: model.map(str::to_owned) })
    }
}

/// The score of a claim.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClaimScore {
    /// From 0, unsupported, to 1.
    pub score: f64,
    /// Number of tokens that a language model read.
    pub tokens: usize,
}

/// A loaded scorer.
pub enum Scorer {
    /// See [`ScorerKind::Overlap`].
    Overlap,
    /// See [`ScorerKind::Lexical`].
    Lexical,
    /// See [`ScorerKind::Grounded`].
    Grounded(GroundedScorer),
    /// See [`ScorerKind::Judge`].
    Judge(Judge),
}

impl Scorer {
    /// Loads a scorer; `judge` has the settings of [`ScorerKind::Judge`].
    ///
    /// # Errors
    /// If a model or a prompt cannot be loaded.
    pub fn load(
        kind: ScorerKind,
        models: &mut ModelPool,
        settings: &PipelineSettings,
        judge: &JudgeSettings,
    ) -> Result<Self, Error> {
        Ok(match kind {
            ScorerKind::Overlap => Self::Overlap,
            ScorerKind::Lexical => Self::Lexical,
            ScorerKind::Grounded => Self::grounded(models, settings.device)?,
            ScorerKind::Judge => Self::Judge(judge.judge(models, settings)?),
        })
    }

    pub(super) fn grounded(models: &mut ModelPool, device: DeviceChoice) -> Result<Self, Error> {
        let embedder = models.embedder(GROUNDED_EMBEDDER, device)?;
        Ok(Self::Grounded(GroundedScorer::new(embedder)))
    }

    /// The name that its scores are stored under.
    pub(crate) fn name(&self) -> ScorerName {
        match self {
            Self::Judge(judge) => judge.name(),
            other => ScorerName { kind: other.kind(), model: None },
        }
    }

    /// Key of what the scores depend on besides the texts; `None` for scorers without a model.
    pub(crate) fn key(&self) -> Option<String> {
        match self {
            Self::Overlap | Self::Lexical => None,
            Self::Grounded(scorer) => Some(scorer.key()),
            Self::Judge(judge) => Some(judge.key()),
        }
    }

    /// The method of the scorer.
    pub fn kind(&self) -> ScorerKind {
        match self {
            Self::Overlap => ScorerKind::Overlap,
            Self::Lexical => ScorerKind::Lexical,
            Self::Grounded(_) => ScorerKind::Grounded,
            Self::Judge(_) => ScorerKind::Judge,
        }
    }

    /// Scores how well passages support a claim; 0 if all passages are blank.
    ///
    /// # Errors
    /// If a model fails.
    pub fn score(
        &mut self,
        claim: &str,
        passages: &[&str],
        lang: Lang,
    ) -> Result<ClaimScore, Error> {
        let without_tokens = |score| ClaimScore { score, tokens: 0 };
        Ok(match self {
            Self::Overlap => {
                without_tokens(LexicalContext::new(passages, lang).support(claim).share)
            }
            Self::Lexical => {
                let support = LexicalContext::new(passages, lang).support(claim);
                without_tokens(lexical_score(support.supported(), support.share))
            }
            Self::Grounded(scorer) => {
                let features = scorer.features(claim, passages, lang)?;
                without_tokens(scorer.score_of(features.as_ref()))
            }
            Self::Judge(judge) => {
                let passages = joined(passages);
                if passages.is_empty() {
                    return Ok(without_tokens(0.0));
                }
                let best: Vec<&str> = covering(claim, &passages, lang, JUDGED_PASSAGES)
                    .into_iter()
                    .map(|at| passages[at].as_str())
                    .collect();
                let question = JudgeQuestion::Support { claim, passages: &best };
                let answer = judge.ask(&question, lang)?;
                ClaimScore { score: answer.yes, tokens: answer.prompt_tokens }
            }
        })
    }
}

/// The share of a claim's words in the context, but 0 for a contradiction: a claim that is not
/// supported although its share is high enough.
pub(super) fn lexical_score(supported: bool, share: f64) -> f64 {
    if supported || share < SUPPORT_SHARE { share } else { 0.0 }
}

/// Number of passages in a question to the judge: those that together cover the claim best.
const JUDGED_PASSAGES: usize = 3;
/// A passage with fewer words is joined with the next.
const PASSAGE_WORDS: usize = 40;

/// The passages that are not blank, with short ones joined, such as the sentences of WiCE.
fn joined(passages: &[&str]) -> Vec<String> {
    let mut joined: Vec<String> = Vec::new();
    for passage in passages.iter().filter(|p| !p.trim().is_empty()) {
        match joined.last_mut() {
            Some(last) if last.split_whitespace().count() < PASSAGE_WORDS => {
                last.push(' ');
                last.push_str(passage.trim());
            }
            _ => joined.push(passage.trim().to_owned()),
        }
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_passages_are_joined_and_blank_ones_left_out() {
        assert_eq!(joined(&["One.", " ", "Two."]), ["One. Two."]);
        let long = "word ".repeat(PASSAGE_WORDS);
        assert_eq!(joined(&[&long, "Two.", "Three."])[1], "Two. Three.");
        assert!(joined(&["", "\n"]).is_empty());
    }

    #[test]
    fn names_round_trip() {
        for kind in
            [ScorerKind::Overlap, ScorerKind::Lexical, ScorerKind::Grounded, ScorerKind::Judge]
        {
            assert_eq!(kind.to_string().parse(), Ok(kind));
        }
        assert!("llm".parse::<ScorerKind>().is_err());
        for name in ["lexical", "judge m", "judge path with spaces.gguf"] {
            let parsed: ScorerName = name.parse().expect("a scorer");
            assert_eq!(parsed.to_string(), name);
        }
    }
}
