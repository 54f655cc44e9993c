use std::time::{Duration, Instant};

use fiel_metrics::{Claim, ClaimUnit, claims, split_claims};
use fiel_reader::{EXTRACTIVE, ModelPool, PipelineSettings};
use fiel_record::ClaimSplitRecord;
use fiel_text::Lang;
use serde::{Deserialize, Serialize};

use super::{Judge, JudgeSettings};
use crate::Error;

/// How answers are cut into claims: `eval.claim_unit`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ClaimCut {
    /// By sentences and list items.
    Sentence,
    /// By clauses.
    #[default]
    Clause,
    /// Sentence by sentence by a language model, held to the words of each; by clauses where it
    /// says something else.
    Llm,
}

impl ClaimCut {
    /// The unit that is found without a model; of [`ClaimCut::Llm`] the one it falls back to.
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
    /// Time of the model since it was asked for last.
    spent: Duration,
}

/// The claims of an answer, and what a model had to do with them.
pub(crate) struct CutAnswer {
    pub claims: Vec<Claim>,
    pub split: Option<ClaimSplitRecord>,
}

impl Cutter {
    /// Without a model.
    pub(crate) fn by(unit: ClaimUnit) -> Self {
        Self { unit, model: None, spent: Duration::ZERO }
    }

    /// With the judge where there is one, else with the model that `judge.model` names, else with
    /// the reader.
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
                    return Err(Error::Pipeline(fiel_reader::Error::BadSetting {
                        setting: "eval.claim_unit",
                        value: cut.to_string(),
                        reason: "a language model is to split the answers, and there is none: the \
                                 reader is extractive. Name a model as judge.model or read.model, \
                                 or use `clause` or `sentence`",
                    }));
                }
                Some(settings.judge(models, pipeline)?)
            }
        };
        Ok(Self { model, ..Self::by(cut.unit()) })
    }

    /// Id of the model that splits.
    pub(crate) fn model(&self) -> Option<&str> {
        self.model.as_ref().map(Judge::id)
    }

    /// What the claims depend on besides the answer and the unit.
    pub(super) fn key(&self) -> Option<String> {
        self.model.as_ref().map(Judge::key)
    }

    /// Time that the model took since this was called last; none without one.
    pub(super) fn take_spent(&mut self) -> Option<Duration> {
        let spent = std::mem::take(&mut self.spent);
        self.model.as_ref().map(|_| spent)
    }

    /// The claims of an answer that cites `offered` ids.
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
        let found = split_claims(answer, offered, lang, &mut |sentence| {
            let said = model.claims(sentence, lang)?;
            tokens += said.tokens;
            Ok::<_, Error>(said.claims)
        });
        self.spent += started.elapsed();
        let found = found?;
        Ok(CutAnswer {
            claims: found.claims,
            split: Some(ClaimSplitRecord { sentences: found.sentences, refused: found.refused, tokens }),
        })
    }
}
