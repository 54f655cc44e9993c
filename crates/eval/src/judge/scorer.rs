//! The scorers of claims.

use std::{fmt, str::FromStr};

use fiel_metrics::{LexicalContext, SUPPORT_SHARE, covering, listed_items};
use fiel_models::DeviceChoice;
use fiel_reader::{ModelPool, PipelineSettings};
use fiel_text::Lang;
use serde::{
    Deserialize, Serialize,
    de::{IntoDeserializer, value},
};
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

    /// The kind of the scorer with a name in records and labels; see [`Scorer::name`]. An unknown
    /// scorer is taken for a judge.
    pub(super) fn of_name(name: &str) -> Self {
        let kind = name.split_once(' ').map_or(name, |(kind, _)| kind);
        kind.parse().unwrap_or(Self::Judge)
    }
}

impl fmt::Display for ScorerKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

/// A name that is not a [`ScorerKind`].
#[derive(Clone, Debug, PartialEq, Eq, ThisError)]
#[error("`{0}` is not a scorer; use overlap, lexical, grounded or judge")]
pub struct UnknownScorer(String);

impl FromStr for ScorerKind {
    type Err = UnknownScorer;

    fn from_str(name: &str) -> Result<Self, UnknownScorer> {
        let unknown = |_: value::Error| UnknownScorer(name.to_owned());
        Self::deserialize(name.into_deserializer()).map_err(unknown)
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
            ScorerKind::Judge => Self::Judge(Judge::load(models, settings, judge)?),
        })
    }

    pub(super) fn grounded(models: &mut ModelPool, device: DeviceChoice) -> Result<Self, Error> {
        let embedder = models.embedder(GROUNDED_EMBEDDER, device)?;
        Ok(Self::Grounded(GroundedScorer::new(embedder)))
    }

    /// The name in records and labels: `grounded`, or `judge MODEL`.
    pub(crate) fn name(&self) -> String {
        match self {
            Self::Judge(judge) => judge.name(),
            other => other.kind().to_string(),
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
        let score = match self {
            Self::Overlap => LexicalContext::new(passages, lang).support(claim).share,
            Self::Lexical => {
                let support = LexicalContext::new(passages, lang).support(claim);
                lexical_score(support.supported(), support.share)
            }
            Self::Grounded(scorer) => {
                // A list is as well supported as its weakest item.
                let items = listed_items(claim).unwrap_or_else(|| vec![claim]);
                let mut least = f64::INFINITY;
                for item in items {
                    let features = scorer.features(item, passages, lang)?;
                    least = least.min(scorer.score_of(features.as_ref()));
                }
                least
            }
            Self::Judge(judge) => {
                let texts = joined(passages);
                if texts.is_empty() {
                    return Ok(ClaimScore { score: 0.0, tokens: 0 });
                }
                let best = covering(claim, &texts, lang, JUDGED_PASSAGES).into_iter();
                let passages: &[&str] = &best.map(|at| texts[at].as_str()).collect::<Vec<_>>();
                let answer = judge.ask(&JudgeQuestion::Support { claim, passages }, lang)?;
                return Ok(ClaimScore { score: answer.yes, tokens: answer.prompt_tokens });
            }
        };
        Ok(ClaimScore { score, tokens: 0 })
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
        assert_eq!(ScorerKind::of_name("lexical"), ScorerKind::Lexical);
        assert_eq!(ScorerKind::of_name("judge path with spaces.gguf"), ScorerKind::Judge);
        assert_eq!(ScorerKind::of_name("llm"), ScorerKind::Judge);
    }
}
