//! Judging of answers: grounding of their claims, and judged qualities.

use std::{collections::BTreeMap, path::Path, time::Instant};

use fiel_gold::Question;
use fiel_metrics::{ClaimMeasure, JudgedQuality, Measure, Value};
use fiel_reader::{EXTRACTIVE, ModelPool, Outcome, PipelineSettings};
use fiel_record::{JudgeSummary, ReadRecord};

use super::{
    ClaimCut, Cutter, Judge, JudgeMethod, JudgeQuestion, JudgeSettings, Scorer,
    calibrate::uncalibrated,
    labels_path, load_labels,
    prompt::JudgePrompts,
    self_test::{SELF_TEST_PAIRS, self_test},
    toxic::Toxic,
};
use crate::Error;

/// An answer is a hallucination if a larger share of its claims is unsupported.
const HALLUCINATION: f64 = 0.30;

/// The loaded models that cut answers into claims and judge them.
pub struct Judging {
    cutter: Cutter,
    /// The last one decides which claims are grounded.
    scorers: Vec<Scorer>,
    judge: Option<Judge>,
    /// The qualities that need the judge.
    qualities: Vec<JudgedQuality>,
    toxic: Option<Toxic>,
}

impl Judging {
    /// Judges nothing.
    pub fn none() -> Self {
        Self {
            cutter: Cutter::by(ClaimCut::default().unit()),
            scorers: Vec::new(),
            judge: None,
            qualities: Vec::new(),
            toxic: None,
        }
    }

    /// Loads the models that the settings need, and tests the judge. `pipeline` are the settings of
    /// the pipeline to judge.
    ///
    /// # Errors
    /// If a file of the settings is faulty, a model cannot be loaded, or cutting claims lacks a
    /// language model; [`Error::WeakJudge`]; [`Error::SelfTest`].
    pub fn load(
        settings: &JudgeSettings,
        claims: ClaimCut,
        pipeline: &PipelineSettings,
        models: &mut ModelPool,
    ) -> Result<Self, Error> {
        // Faults of the prompts are errors even if no judge is loaded.
        JudgePrompts::load(settings.prompt.as_deref())?;
        let toxic = Toxic::load(settings.toxic_words.as_deref())?;
        let all = settings.qualities.iter().copied();
        let qualities: Vec<JudgedQuality> = all.filter(|q| q.needs_judge()).collect();
        let judge = if settings.method == JudgeMethod::Llm || !qualities.is_empty() {
            Some(Judge::load(models, pipeline, settings)?)
        } else {
            None
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
                    judge: judge.id.clone(),
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

    /// Loads the models to judge answers of another system. The default judge is the reader of the
    /// settings, and no judge is too weak.
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

    pub(crate) fn cutter(&mut self) -> &mut Cutter {
        &mut self.cutter
    }

    /// Key of the models and word lists; `None` without any.
    pub(crate) fn key(&self) -> Option<String> {
        let mut keys: Vec<String> = self.scorers.iter().filter_map(Scorer::key).collect();
        keys.extend(self.judge.as_ref().map(Judge::key));
        keys.extend(self.cutter.model.as_ref().map(|judge| format!("claims {}", judge.key())));
        keys.extend(self.toxic.as_ref().map(Toxic::key));
        (!keys.is_empty()).then(|| keys.join(" "))
    }

    /// Id of the model that cuts answers into claims.
    pub(crate) fn splitter(&self) -> Option<&str> {
        self.cutter.model.as_ref().map(|judge| judge.id.as_str())
    }

    /// The judge, for the summary, and its agreement with the labels of the gold set.
    pub(crate) fn summary(&self, gold: &Path) -> Result<Option<JudgeSummary>, Error> {
        let scorer = self.scorers.last().map(Scorer::name);
        let judge = self.judge.as_ref().map(Judge::name);
        let Some(name) = scorer.clone().or(judge) else {
            return Ok(None);
        };
        let labels = load_labels(&labels_path(gold))?;
        Ok(Some(JudgeSummary {
            scorer,
            model: self.judge.as_ref().map(|judge| judge.id.clone()),
            same_as_reader: self.judge.as_ref().is_some_and(|judge| judge.is_reader),
            uncalibrated: uncalibrated(&labels, &name, self.key().as_deref())?,
            tokens: 0,
        }))
    }

    /// Judges an answer and returns the milliseconds spent, including those of a model that cut the
    /// claims. For a failed answer, grounding fails and hallucination is undefined.
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
            // An answer without claims because cutting failed is not judged.
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
        let total = started.elapsed() + spent.unwrap_or_default();
        Some(total.as_secs_f64() * 1000.0)
    }

    /// Adds the measures of a failed answer or judge.
    fn failed(&self, measures: &mut BTreeMap<Measure, Value>) {
        if !self.scorers.is_empty() {
            measures.insert(Measure::Claim(ClaimMeasure::Grounding), Value::Failed);
            // Less is better here, so that 0 would reward a failure.
            for measure in [ClaimMeasure::Hallucination, ClaimMeasure::HallucinationRate] {
                measures.insert(Measure::Claim(measure), Value::Ok(1.0));
            }
        }
        let failed = |quality: &JudgedQuality| (Measure::Judged(*quality), Value::Failed);
        measures.extend(self.qualities.iter().map(failed));
    }

    /// Scores the claims, and adds the measures of grounding.
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
        let passages = texts(outcome);
        let mut supported = 0;
        for claim in &mut record.claims {
            if !claim.loose {
                claim.fails.push("lexical".to_owned());
            }
            let mut is_supported = false;
            for scorer in &mut self.scorers {
                let scored = scorer.score(&claim.text, &passages, question.lang)?;
                record.judge_tokens += scored.tokens;
                is_supported = scored.score >= scorer.kind().threshold();
                // Six digits are the same on every machine, unlike the last bits.
                let rounded = (scored.score * 1e6).round() / 1e6;
                let name = scorer.name();
                if !is_supported {
                    claim.fails.push(name.clone());
                }
                claim.scores.insert(name, rounded);
            }
            supported += usize::from(is_supported);
        }
        let claims = record.claims.len();
        let grounding = (claims > 0).then(|| supported as f64 / claims as f64);
        let hallucination = grounding.map(|share| 1.0 - share);
        let is_hallucination =
            hallucination.map(|share| f64::from(u8::from(share > HALLUCINATION)));
        for (measure, value) in [
            (ClaimMeasure::Grounding, grounding),
            (ClaimMeasure::Hallucination, hallucination),
            (ClaimMeasure::HallucinationRate, is_hallucination),
        ] {
            measures.insert(Measure::Claim(measure), Value::from(value));
        }
        Ok(())
    }

    /// Adds the judged qualities. A refusal scores 0 in correctness by reference and completeness; its
    /// relevance and its correctness by context are undefined.
    fn qualities(
        &self,
        question: &Question,
        outcome: &Outcome,
        record: &mut ReadRecord,
        measures: &mut BTreeMap<Measure, Value>,
    ) -> Result<(), Error> {
        use JudgedQuality::{
            AnswerRelevance, Completeness, ContextRelevance, CorrectnessContext,
            CorrectnessReference, Toxicity,
        };
        let Some(judge) = self.judge.as_ref().filter(|_| !question.unanswerable) else {
            return Ok(());
        };
        let (tokens, lang) = (&mut record.judge_tokens, question.lang);
        let mut yes = |question: &JudgeQuestion<'_>| -> Result<bool, Error> {
            let answer = judge.ask(question, lang)?;
            *tokens += answer.prompt_tokens;
            Ok(answer.yes >= 0.5)
        };
        let passages: &[&str] = &texts(outcome);
        let (question, references) = (question.question.as_str(), &question.answers);
        let answer = outcome.answer.as_str();
        for quality in &self.qualities {
            let value = match (quality, outcome.abstained) {
                (ContextRelevance, _) => {
                    let mut relevant = 0;
                    for passage in passages {
                        let question = JudgeQuestion::ContextRelevance { question, passage };
                        relevant += usize::from(yes(&question)?);
                    }
                    let n = passages.len();
                    Value::from((n > 0).then(|| relevant as f64 / n as f64))
                }
                (AnswerRelevance | CorrectnessContext, true) => Value::Undefined,
                (_, true) => Value::Ok(0.0),
                // Without passages, nothing is correct by the context.
                (CorrectnessContext, _) if passages.is_empty() => Value::Ok(0.0),
                (AnswerRelevance, _) => {
                    Value::from(yes(&JudgeQuestion::AnswerRelevance { question, answer })?)
                }
                (CorrectnessContext, _) => Value::from(yes(&JudgeQuestion::CorrectByContext {
                    question,
                    answer,
                    passages,
                })?),
                (CorrectnessReference | Completeness, _) => {
                    let mut any = false;
                    for reference in references {
                        let correct = match quality {
                            Completeness => JudgeQuestion::Complete { answer, reference },
                            _ => JudgeQuestion::CorrectByReference { question, answer, reference },
                        };
                        any = any || yes(&correct)?;
                    }
                    Value::from(any)
                }
                // Needs no judge.
                (Toxicity, _) => continue,
            };
            measures.insert(Measure::Judged(*quality), value);
        }
        Ok(())
    }
}

fn texts(outcome: &Outcome) -> Vec<&str> {
    outcome.context.passages.iter().map(|passage| passage.text.as_str()).collect()
}
