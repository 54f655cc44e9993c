use std::collections::BTreeMap;

use fiel_metrics::{
    AnswerMeasure, AnswerScores, ClaimMeasure, Grounded, Measure, SupportVerdict, Value,
    ground_claims, score_answer,
};
use fiel_reader::{Context, Outcome};
use fiel_record::GuardSettings;
use fiel_record::{ClaimRecord, GuardRecord, PassageRecord, ReadRecord, RepeatRecord};

use crate::judge::Cutter;
use fiel_gold::Question;

const ANSWER: [AnswerMeasure; 5] = [
    AnswerMeasure::Em,
    AnswerMeasure::Contains,
    AnswerMeasure::F1,
    AnswerMeasure::AnswerContains,
    AnswerMeasure::Accuracy,
];
pub(crate) const CLAIM: [ClaimMeasure; 4] = [
    ClaimMeasure::FaithfulnessStrict,
    ClaimMeasure::FaithfulnessLoose,
    ClaimMeasure::CitationPrecision,
    ClaimMeasure::CitationCoverage,
];

/// Measures an answer. Unanswerable questions have no measures: they appear in the abstention
/// table alone.
pub(crate) fn record(
    question: &Question,
    outcome: &Outcome,
    cutter: &mut Cutter,
    settings: Option<GuardSettings>,
) -> ReadRecord {
    let mut record = ReadRecord {
        passages: passages(&outcome.context),
        dropped: outcome.context.dropped.clone(),
        prompt: outcome.prompt.clone(),
        answer: outcome.answer.clone(),
        abstained: outcome.abstained,
        prompt_tokens: outcome.prompt_tokens,
        answer_tokens: outcome.answer_tokens,
        ..ReadRecord::default()
    };
    record.guard = guard(outcome, settings);
    record.attributed.clone_from(&outcome.attributed);
    record.echoed.clone_from(&outcome.echoed);
    let context: Vec<(&str, &str)> =
        outcome.context.passages.iter().map(|p| (p.id.as_str(), p.text.as_str())).collect();
    let offered: Vec<&str> = context.iter().map(|&(id, _)| id).collect();
    let cut = match outcome.abstained {
        true => None,
        false => match cutter.cut(&outcome.answer, &offered, question.lang) {
            Ok(cut) => Some(cut),
            Err(error) => {
                record.judge_error = Some(error.to_string());
                None
            }
        },
    };
    let grounded = cut.map(|cut| {
        record.split = cut.split;
        ground_claims(cut.claims, &context, question.lang)
    });
    if let Some(grounded) = &grounded {
        record.claims = claims(grounded);
    }
    if question.unanswerable {
        return record;
    }
    record.measures = answer_values(question, outcome);
    record.right =
        record.measures.get(&Measure::Answer(AnswerMeasure::Accuracy)) == Some(&Value::Ok(1.0));
    let grounded = grounded.as_ref();
    let claim_values = [
        grounded.and_then(|g| g.strict),
        grounded.and_then(|g| g.loose),
        grounded.and_then(|g| g.citation.precision),
        grounded.and_then(|g| g.citation.coverage),
    ];
    for (measure, value) in CLAIM.into_iter().zip(claim_values) {
        let value = match record.judge_error {
            Some(_) => Value::Failed,
            None => Value::from(value),
        };
        record.measures.insert(Measure::Claim(measure), value);
    }
    record
}

/// A further answer to a question.
pub(crate) fn repeat(question: &Question, outcome: &Outcome) -> RepeatRecord {
    let scores = scores(question, outcome);
    RepeatRecord {
        answer: outcome.answer.clone(),
        abstained: outcome.abstained,
        right: scores.right && !question.unanswerable,
        f1: if question.unanswerable { 0.0 } else { scores.f1 },
    }
}

/// An answer that was not had: it scores 0 wherever it counts.
pub(crate) fn failed(question: &Question, message: String) -> ReadRecord {
    let mut record = ReadRecord { error: Some(message), ..ReadRecord::default() };
    if !question.unanswerable {
        let answer = ANSWER.into_iter().map(Measure::Answer);
        let measures = answer.chain(CLAIM.into_iter().map(Measure::Claim));
        record.measures = measures.map(|m| (m, Value::Failed)).collect();
    }
    record
}

fn guard(outcome: &Outcome, settings: Option<GuardSettings>) -> Option<GuardRecord> {
    let (score, settings) = (outcome.guard?, settings?);
    Some(GuardRecord {
        cosine: score.cosine,
        share: score.share,
        margin: settings.margin(score),
        refused: outcome.guarded,
    })
}

/// An answer held against the references of its question.
pub(crate) fn scores(question: &Question, outcome: &Outcome) -> AnswerScores {
    score_answer(
        &outcome.answer,
        &question.answers,
        &question.answer_contains,
        question.lang,
        outcome.abstained,
    )
}

fn answer_values(question: &Question, outcome: &Outcome) -> BTreeMap<Measure, Value> {
    let scores = scores(question, outcome);
    let value = |measure| match measure {
        AnswerMeasure::Em => Value::Ok(scores.em),
        AnswerMeasure::Contains => Value::Ok(scores.contains),
        AnswerMeasure::F1 => Value::Ok(scores.f1),
        AnswerMeasure::AnswerContains => Value::from(scores.answer_contains),
        AnswerMeasure::Accuracy => Value::from(scores.right),
    };
    ANSWER.into_iter().map(|measure| (Measure::Answer(measure), value(measure))).collect()
}

fn passages(context: &Context) -> Vec<PassageRecord> {
    let record = |p: &fiel_reader::Passage| PassageRecord {
        id: p.id.clone(),
        chunk: p.chunk.clone(),
        merged: p.merged.clone(),
    };
    context.passages.iter().map(record).collect()
}

fn claims(grounded: &Grounded) -> Vec<ClaimRecord> {
    let reason = |verdict: &SupportVerdict| {
        Some(match verdict {
            SupportVerdict::Supported => return None,
            SupportVerdict::LowShare => "too few of its words are in the context",
            SupportVerdict::NumberMismatch => "a number differs from the context",
            SupportVerdict::NegationMismatch => "it says the opposite of the context",
            SupportVerdict::NoContext => "there is no context",
        })
    };
    let record = |claim: &fiel_metrics::GroundedClaim| ClaimRecord {
        text: claim.claim.text.clone(),
        cites: claim.claim.cited.iter().map(|c| c.id.clone()).collect(),
        strict: claim.strict.supported(),
        loose: claim.loose.supported(),
        share: claim.loose.share,
        reason: reason(&claim.loose.verdict).map(str::to_owned),
        ..ClaimRecord::default()
    };
    grounded.claims.iter().map(record).collect()
}
