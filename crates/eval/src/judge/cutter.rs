//! Claims of answers.

use std::time::{Duration, Instant};

use fiel_metrics::{Claim, ClaimUnit, claims, split_claims};
use fiel_reader::{EXTRACTIVE, ModelPool, PipelineSettings};
use fiel_record::ClaimSplitRecord;
use fiel_text::Lang;
use serde::{Deserialize, Serialize};

use super::{Judge, JudgeSettings};
use crate::Error;

/// The unit of a claim: `eval.claim_unit`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ClaimCut {
    /// Sentences and list items.
    Sentence,
    /// Clauses.
    #[default]
    Clause,
    /// Claims that a language model writes from the words of each sentence; clauses where it adds
    /// other words.
    Llm,
}

impl ClaimCut {
    /// The unit without a model; for [`ClaimCut::Llm`] the fallback.
    pub(crate) fn unit(self) -> ClaimUnit {
        match self {
            Self::Sentence => ClaimUnit::Sentence,
            Self::Clause | Self::Llm => ClaimUnit::Clause,
        }
    }
}

impl std::fmt::Display for ClaimCut {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Sentence => "sentence",
            Self::Clause => "clause",
            Self::Llm => "llm",
        })
    }
}

/// Cuts answers into claims.
pub(crate) struct Cutter {
    unit: ClaimUnit,
    model: Option<Judge>,
    /// Time of the model since [`Cutter::take_spent`].
    spent: Duration,
}

/// The claims of an answer, with figures of the model that split it.
pub(crate) struct CutAnswer {
    pub claims: Vec<Claim>,
    pub split: Option<ClaimSplitRecord>,
}

impl Cutter {
    /// A cutter without a model.
    pub(crate) fn by(unit: ClaimUnit) -> Self {
        Self { unit, model: None, spent: Duration::ZERO }
    }

    /// Loads a cutter. [`ClaimCut::Llm`] uses the judge if it is loaded, else `judge.model`, else the
    /// reader.
    pub(super) fn load(
        cut: ClaimCut,
        judge: Option<&Judge>,
        settings: &JudgeSettings,
        pipeline: &PipelineSettings,
        models: &mut ModelPool,
    ) -> Result<Self, Error> {
        let model = match (cut, judge) {
            (ClaimCut::Sentence | ClaimCut::Clause, _) => None,
            (ClaimCut::Llm, Some(judge)) => Some(judge.clone()),
            (ClaimCut::Llm, None) => {
                if settings.model.is_none() && pipeline.read.model == EXTRACTIVE {
                    return Err(Error::from(fiel_reader::Error::BadSetting {
                        setting: "eval.claim_unit",
                        value: cut.to_string(),
                        reason: "splitting answers needs a language model, but the reader is \
                                 extractive. Name a model as judge.model or read.model, or use \
                                 `clause` or `sentence`",
                    }));
                }
                Some(settings.judge(models, pipeline)?)
            }
        };
        Ok(Self { model, ..Self::by(cut.unit()) })
    }

    /// Id of the model that splits answers.
    pub(crate) fn model(&self) -> Option<&str> {
        self.model.as_ref().map(Judge::id)
    }

    /// Key of the model that splits answers.
    pub(super) fn key(&self) -> Option<String> {
        self.model.as_ref().map(Judge::key)
    }

    /// The time of the model since the last call; `None` without a model.
    pub(super) fn take_spent(&mut self) -> Option<Duration> {
        let spent = std::mem::take(&mut self.spent);
        self.model.as_ref().map(|_| spent)
    }

    /// Cuts an answer into claims. `offered` are the ids that it may cite.
    pub(crate) fn cut(
        &mut self,
        answer: &str,
        offered: &[&str],
        lang: Lang,
    ) -> Result<CutAnswer, Error> {
        let Some(model) = &self.model else {
            return Ok(CutAnswer { claims: claims(answer, offered, self.unit, lang), split: None });
        };
        let (started, mut tokens) = (Instant::now(), 0);
        let split = split_claims(answer, offered, lang, &mut |sentence| {
            let written = model.claims(sentence, lang)?;
            tokens += written.tokens;
            Ok::<_, Error>(written.claims)
        });
        self.spent += started.elapsed();
        let split = split?;
        Ok(CutAnswer {
            claims: split.claims,
            split: Some(ClaimSplitRecord {
                sentences: split.sentences,
                refused: split.refused,
                tokens,
            }),
        })
    }
}
