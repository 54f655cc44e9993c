//! Claims of answers.

use std::time::{Duration, Instant};

use fiel_metrics::{Claim, ClaimUnit, SplitClaims, claims, split_claims};
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
        self.serialize(f)
    }
}

pub(crate) struct Cutter {
    unit: ClaimUnit,
    /// The model that splits answers.
    pub(super) model: Option<Judge>,
    /// Time of the model since [`Cutter::take_spent`].
    spent: Duration,
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
            (ClaimCut::Llm, None)
                if settings.model.is_none() && pipeline.read.model == EXTRACTIVE =>
            {
                return Err(Error::from(fiel_reader::Error::BadSetting {
                    setting: "eval.claim_unit",
                    value: cut.to_string(),
                    reason: "splitting answers needs a language model, but the reader is \
                             extractive. Name a model as judge.model or read.model, or use \
                             `clause` or `sentence`",
                }));
            }
            (ClaimCut::Llm, None) => Some(Judge::load(models, pipeline, settings)?),
        };
        Ok(Self { model, ..Self::by(cut.unit()) })
    }

    /// The time of the model since the last call; `None` without a model.
    pub(super) fn take_spent(&mut self) -> Option<Duration> {
        let spent = std::mem::take(&mut self.spent);
        self.model.as_ref().map(|_| spent)
    }

    /// The claims of an answer, with figures of the model that split it. `offered` are the ids that
    /// the answer may cite.
    pub(crate) fn cut(
        &mut self,
        answer: &str,
        offered: &[&str],
        lang: Lang,
    ) -> Result<(Vec<Claim>, Option<ClaimSplitRecord>), Error> {
        let Some(model) = &self.model else {
            return Ok((claims(answer, offered, self.unit, lang), None));
        };
        let (started, mut tokens) = (Instant::now(), 0);
        let split = split_claims(answer, offered, lang, &mut |sentence| {
            let (claims, used) = model.claims(sentence, lang)?;
            tokens += used;
            Ok::<_, Error>(claims)
        });
        self.spent += started.elapsed();
        let SplitClaims { claims, sentences, refused } = split?;
        Ok((claims, Some(ClaimSplitRecord { sentences, refused, tokens })))
    }
}
