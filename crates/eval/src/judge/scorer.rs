use std::{fmt, str::FromStr};

use fiel_metrics::{LexicalContext, SUPPORT_SHARE, covering};
use fiel_models::DeviceChoice;
use fiel_reader::{ModelPool, PipelineSettings};
use fiel_text::Lang;
use serde::{Deserialize, Serialize};

use super::{GroundedScorer, Judge, JudgeQuestion, JudgeSettings, grounded::GROUNDED_EMBEDDER};
use crate::Error;

/// A way to tell whether a context supports a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ScorerKind {
    /// Share of the claim's words in the context, nothing else.
    Overlap,
    /// The same, 0 where a number or a "not" differs.
    Lexical,
    /// A fitted model over words, names, numbers, polarity and token embeddings.
    Grounded,
    /// A language model that is asked yes or no.
    Judge,
}

impl ScorerKind {
    /// A claim that scores as much or more is supported.
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

impl FromStr for ScorerKind {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        match name {
            "overlap" => Ok(Self::Overlap),
            "lexical" => Ok(Self::Lexical),
            "grounded" => Ok(Self::Grounded),
            "judge" => Ok(Self::Judge),
            _ => Err(format!("`{name}` is no scorer; use overlap, lexical, grounded or judge")),
        }
    }
}

/// What a scorer makes of a claim.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClaimScore {
    /// In \[0, 1\].
    pub score: f64,
    /// Tokens that a language model read for it.
    pub tokens: usize,
}

/// A scorer that is ready to work.
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
    /// Loads what a scorer needs; `judge` says which the judge is and what it is asked.
    ///
    /// # Errors
    /// When a model cannot be had.
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
        Ok(Self::Grounded(GroundedScorer::new(embedder)?))
    }

    /// Its name, and of a judge the model: what scores are kept under.
    pub fn label(&self) -> String {
        match self {
            Self::Judge(judge) => format!("judge {}", judge.id()),
            other => other.kind().to_string(),
        }
    }

    /// What its scores depend on besides the texts; none for those that only look at words.
    pub(crate) fn key(&self) -> Option<String> {
        match self {
            Self::Overlap | Self::Lexical => None,
            Self::Grounded(scorer) => Some(scorer.key()),
            Self::Judge(judge) => Some(judge.key()),
        }
    }

    /// Which it is.
    pub fn kind(&self) -> ScorerKind {
        match self {
            Self::Overlap => ScorerKind::Overlap,
            Self::Lexical => ScorerKind::Lexical,
            Self::Grounded(_) => ScorerKind::Grounded,
            Self::Judge(_) => ScorerKind::Judge,
        }
    }

    /// How well passages support a claim. Without any passage nothing does, and no model is asked.
    ///
    /// # Errors
    /// When a model fails.
    pub fn score(
        &mut self,
        claim: &str,
        passages: &[&str],
        lang: Lang,
    ) -> Result<ClaimScore, Error> {
        let of_words = |score| ClaimScore { score, tokens: 0 };
        Ok(match self {
            Self::Overlap => of_words(LexicalContext::new(passages, lang).support(claim).share),
            Self::Lexical => {
                let support = LexicalContext::new(passages, lang).support(claim);
                // Too low a share is its own score; a contradiction leaves nothing of it.
                let stands = support.supported() || support.share < SUPPORT_SHARE;
                of_words(if stands { support.share } else { 0.0 })
            }
            Self::Grounded(scorer) => {
                let features = scorer.features(claim, passages, lang)?;
                of_words(scorer.score_of(features.as_ref()))
            }
            Self::Judge(judge) => {
                let passages = joined(passages);
                if passages.is_empty() {
                    return Ok(of_words(0.0));
                }
                let best: Vec<&str> = covering(claim, &passages, lang, JUDGED_PASSAGES)
                    .into_iter()
                    .map(|at| passages[at].as_str())
                    .collect();
                let asked = JudgeQuestion::Support { claim, passages: &best };
                let answer = judge.ask(&asked, lang)?;
                ClaimScore { score: answer.yes, tokens: answer.prompt_tokens }
            }
        })
    }
}

/// Passages that a judge is shown: those that together hold most of the claim's words.
const JUDGED_PASSAGES: usize = 3;
/// A passage of fewer words than this is continued by the next.
const PASSAGE_WORDS: usize = 40;

/// Passages without the blank ones; short ones, as the sentences of WiCE, are joined.
fn joined(passages: &[&str]) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for passage in passages.iter().filter(|p| !p.trim().is_empty()) {
        match out.last_mut() {
            Some(last) if last.split_whitespace().count() < PASSAGE_WORDS => {
                last.push(' ');
                last.push_str(passage.trim());
            }
            _ => out.push(passage.trim().to_owned()),
        }
    }
    out
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
    }
}
