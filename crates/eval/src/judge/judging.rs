use std::{collections::BTreeMap, path::Path, time::Instant};

use fiel_metrics::{ClaimMeasure, JudgedQuality, Measure, Value};
use fiel_reader::{EXTRACTIVE, ModelPool, Outcome, PipelineSettings};
use fiel_record::{JudgeSummary, ReadRecord};

use super::{
    ClaimCut, Cutter, Judge, JudgeMethod, JudgeQuestion, JudgeSettings, SELF_TEST_PAIRS, Scorer,
    labels_path, load_labels, self_test, toxic::Toxic, uncalibrated,
};
use crate::Error;
use fiel_gold::Question;

/// An answer with more than this of it unsupported is a hallucination.
const HALLUCINATION: f64 = 0.30;

/// What makes claims of answers and judges them, loaded and tested.
pub struct Judging {
    cutter: Cutter,
    /// The one that measures is the last.
    scorers: Vec<Scorer>,
    judge: Option<Judge>,
    /// Those that the judge is asked for.
    qualities: Vec<JudgedQuality>,
    toxic: Option<Toxic>,
}

impl Judging {
    /// Nothing is judged.
    pub fn none() -> Self {
        Self {
            cutter: Cutter::by(ClaimCut::default().unit()),
            scorers: Vec::new(),
            judge: None,
            qualities: Vec::new(),
            toxic: None,
        }
    }

    /// Loads what the settings ask for, and tests a judge before it is believed. `pipeline`: the
    /// settings of what is judged.
    ///
    /// # Errors
    /// When a file that the settings name is faulty, a model cannot be had, the judge is weaker
    /// than the reader, it fails the self-test, or a language model is to cut claims and there is
    /// none.
    pub fn load(
        settings: &JudgeSettings,
        claims: ClaimCut,
        pipeline: &PipelineSettings,
        models: &mut ModelPool,
    ) -> Result<Self, Error> {
        Judge::check_prompts(settings.prompt.as_deref())?;
        let toxic = Toxic::load(settings.toxic_words.as_deref())?;
        let all = settings.qualities.iter().copied();
        let qualities: Vec<JudgedQuality> = all.filter(|q| q.needs_judge()).collect();
        let judge = match settings.method == JudgeMethod::Llm || !qualities.is_empty() {
            true => Some(settings.judge(models, pipeline)?),
            false => None,
        };
        let mut judging = Self {
            cutter: Cutter::load(claims, judge.as_ref(), settings, pipeline, models)?,
            qualities,
            toxic: Some(toxic).filter(|_| settings.qualities.contains(&JudgedQuality::Toxicity)),
            ..Self::none()
        };
        if settings.method != JudgeMethod::None {
            judging.scorers.push(Scorer::grounded(models, pipeline.device)?);
        }
        if let Some(judge) = &judge {
            let mut scorer = Scorer::Judge(judge.clone());
            let failed = self_test(&mut scorer)?;
            if !failed.is_empty() {
                return Err(Error::SelfTest {
                    judge: judge.id().to_owned(),
                    pairs: SELF_TEST_PAIRS,
                    failed,
                });
            }
            if settings.method == JudgeMethod::Llm {
                judging.scorers.push(scorer);
            }
        }
        judging.judge = judge;
        Ok(judging)
    }

    /// The same for answers of another system: where `judge.model` names none, the reader of the
    /// settings judges them, which are not its own, and no judge is too weak for them.
    ///
    /// # Errors
    /// As [`load`](Self::load).
    pub fn load_for_other_system(
        settings: &JudgeSettings,
        claims: ClaimCut,
        pipeline: &PipelineSettings,
        models: &mut ModelPool,
    ) -> Result<Self, Error> {
        let (mut settings, mut pipeline) = (settings.clone(), pipeline.clone());
        let reader = std::mem::replace(&mut pipeline.read.model, EXTRACTIVE.to_owned());
        let reader = Some(reader).filter(|reader| reader != EXTRACTIVE);
        settings.model = settings.model.or(reader);
        Self::load(&settings, claims, &pipeline, models)
    }

    /// What makes claims of answers.
    pub(crate) fn cutter(&mut self) -> &mut Cutter {
        &mut self.cutter
    }

    /// What decides the claims and the judgements besides the settings; none where no model and no
    /// list takes part.
    pub(crate) fn key(&self) -> Option<String> {
        let mut all: Vec<String> = self.scorers.iter().filter_map(Scorer::key).collect();
        all.extend(self.judge.as_ref().map(Judge::key));
        all.extend(self.cutter.key().map(|key| format!("claims {key}")));
        all.extend(self.toxic.as_ref().map(Toxic::key));
        (!all.is_empty()).then(|| all.join(" "))
    }

    /// Id of the model that cuts claims, where one does.
    pub(crate) fn splitter(&self) -> Option<&str> {
        self.cutter.model()
    }

    /// Who judges, for the summary, and whether people agree, by the labels beside the gold set.
    pub(crate) fn summary(&self, gold: &Path) -> Result<Option<JudgeSummary>, Error> {
        let scorer = self.scorers.last().map(Scorer::label);
        let judge = self.judge.as_ref().map(|judge| format!("judge {}", judge.id()));
        let Some(believed) = scorer.clone().or(judge) else {
            return Ok(None);
        };
        let labels = load_labels(&labels_path(gold))?;
        Ok(Some(JudgeSummary {
            scorer,
            model: self.judge.as_ref().map(|judge| judge.id().to_owned()),
            same_as_reader: self.judge.as_ref().is_some_and(Judge::is_reader),
            uncalibrated: uncalibrated(&labels, &believed),
            tokens: 0,
        }))
    }

    /// Judges an answer: scores of its claims and what is measured by them. Gives the time in
    /// milliseconds that this and a model's cutting of the claims took. An answer that was not had has no grounding, and nothing to be a
    /// hallucination.
    pub(crate) fn judge(
        &mut self,
        question: &Question,
        outcome: Option<&Outcome>,
        record: &mut ReadRecord,
    ) -> Option<f64> {
        let spent = self.cutter.take_spent();
        if self.scorers.is_empty() && self.qualities.is_empty() && self.toxic.is_none() {
            return spent.map(|spent| spent.as_secs_f64() * 1000.0);
        }
        let started = Instant::now();
        let mut measures = BTreeMap::new();
        let outcome = outcome.filter(|_| record.error.is_none());
        if let Some(toxic) = &self.toxic {
            let value = outcome
                .map_or(Value::Failed, |outcome| toxic.value(&outcome.answer, question.lang));
            measures.insert(Measure::Judged(JudgedQuality::Toxicity), value);
        }
        match outcome {
            // Of claims that could not be made nothing is judged.
            Some(outcome) if record.judge_error.is_none() => {
                let judged = self
                    .claims(question, outcome, record, &mut measures)
                    .and_then(|()| self.qualities(question, outcome, record, &mut measures));
                if let Err(error) = judged {
                    record.judge_error = Some(error.to_string());
                    self.failed(&mut measures);
                }
            }
            _ => self.failed(&mut measures),
        }
        // Unanswerable questions have no measures: they appear in the abstention table alone.
        if !question.unanswerable {
            record.measures.extend(measures);
        }
        let all = started.elapsed() + spent.unwrap_or_default();
        Some(all.as_secs_f64() * 1000.0)
    }

    fn failed(&self, measures: &mut BTreeMap<Measure, Value>) {
        if !self.scorers.is_empty() {
            measures.insert(Measure::Claim(ClaimMeasure::Grounding), Value::Failed);
            for measure in [ClaimMeasure::Hallucination, ClaimMeasure::HallucinationRate] {
                measures.insert(Measure::Claim(measure), Value::Undefined);
            }
        }
        let failed = |quality: &JudgedQuality| (Measure::Judged(*quality), Value::Failed);
        measures.extend(self.qualities.iter().map(failed));
    }

    fn claims(
        &mut self,
        question: &Question,
        outcome: &Outcome,
        record: &mut ReadRecord,
        measures: &mut BTreeMap<Measure, Value>,
    ) -> Result<(), Error> {
        if self.scorers.is_empty() {
            return Ok(());
        }
        let texts = outcome.context.passages.iter();
        let texts: Vec<&str> = texts.map(|passage| passage.text.as_str()).collect();
        let mut supported = 0;
        for claim in &mut record.claims {
            if !claim.loose {
                claim.fails.push("lexical".to_owned());
            }
            let mut stands = false;
            for scorer in &mut self.scorers {
                let found = scorer.score(&claim.text, &texts, question.lang)?;
                record.judge_tokens += found.tokens;
                stands = found.score >= scorer.kind().threshold();
                // Six digits say enough, and stay the same where the last bits do not.
                let rounded = (found.score * 1e6).round() / 1e6;
                claim.scores.insert(scorer.label(), rounded);
                if !stands {
                    claim.fails.push(scorer.label());
                }
            }
            supported += usize::from(stands);
        }
        let claims = record.claims.len();
        let grounding = (claims > 0).then(|| supported as f64 / claims as f64);
        let hallucination = grounding.map(|share| 1.0 - share);
        let is_one = hallucination.map(|share| f64::from(u8::from(share > HALLUCINATION)));
        for (measure, value) in [
            (ClaimMeasure::Grounding, grounding),
            (ClaimMeasure::Hallucination, hallucination),
            (ClaimMeasure::HallucinationRate, is_one),
        ] {
            measures.insert(Measure::Claim(measure), Value::from(value));
        }
        Ok(())
    }

    /// A refusal is not correct and lacks what was asked for; whether it is relevant, or right by
    /// the context, is not asked.
    fn qualities(
        &self,
        question: &Question,
        outcome: &Outcome,
        record: &mut ReadRecord,
        measures: &mut BTreeMap<Measure, Value>,
    ) -> Result<(), Error> {
        let Some(judge) = self.judge.as_ref().filter(|_| !question.unanswerable) else {
            return Ok(());
        };
        let (tokens, lang) = (&mut record.judge_tokens, question.lang);
        let mut yes = |asked: &JudgeQuestion<'_>| -> Result<bool, Error> {
            let answer = judge.ask(asked, lang)?;
            *tokens += answer.prompt_tokens;
            Ok(answer.yes >= 0.5)
        };
        let passages = outcome.context.passages.iter();
        let passages: Vec<&str> = passages.map(|passage| passage.text.as_str()).collect();
        let (question, references) = (question.question.as_str(), &question.answers);
        let answer = outcome.answer.as_str();
        for quality in &self.qualities {
            let value = match (quality, outcome.abstained) {
                (JudgedQuality::ContextRelevance, _) => {
                    let mut relevant = 0;
                    for passage in &passages {
                        let asked = JudgeQuestion::ContextRelevance { question, passage };
                        relevant += usize::from(yes(&asked)?);
                    }
                    let all = passages.len();
                    Value::from((all > 0).then(|| relevant as f64 / all as f64))
                }
                (JudgedQuality::AnswerRelevance | JudgedQuality::CorrectnessContext, true) => {
                    Value::Undefined
                }
                (_, true) => Value::Ok(0.0),
                // By nothing, nothing is right.
                (JudgedQuality::CorrectnessContext, _) if passages.is_empty() => Value::Ok(0.0),
                (JudgedQuality::AnswerRelevance, _) => {
                    Value::from(yes(&JudgeQuestion::AnswerRelevance { question, answer })?)
                }
                (JudgedQuality::CorrectnessContext, _) => {
                    Value::from(yes(&JudgeQuestion::CorrectByContext {
                        question,
                        answer,
                        passages: &passages,
                    })?)
                }
                (JudgedQuality::CorrectnessReference | JudgedQuality::Completeness, _) => {
                    let mut any = false;
                    for reference in references {
                        let asked = match quality {
                            JudgedQuality::Completeness => {
                                JudgeQuestion::Complete { answer, reference }
                            }
                            _ => JudgeQuestion::CorrectByReference { question, answer, reference },
                        };
                        any = any || yes(&asked)?;
                    }
                    Value::from(any)
                }
                // Not asked of a judge.
                (JudgedQuality::Toxicity, _) => continue,
            };
            measures.insert(Measure::Judged(*quality), value);
        }
        Ok(())
    }
}
