//! Records of answers and their measures.

use fiel_gold::Question;
use fiel_metrics::{
    AnswerMeasure, AnswerScores, ClaimMeasure, Grounded, GroundedClaim, Measure, SupportVerdict,
    Value, contains, ground_claims, score_answer,
};
use fiel_reader::{Outcome, Passage};
use fiel_record::{
    ClaimRecord, GuardRecord, GuardSettings, PassageRecord, ReadRecord, RepeatRecord,
};

use crate::judge::Cutter;

const MEASURES: [Measure; 9] = [
    Measure::Answer(AnswerMeasure::Em),
    Measure::Answer(AnswerMeasure::Contains),
    Measure::Answer(AnswerMeasure::F1),
    Measure::Answer(AnswerMeasure::AnswerContains),
    Measure::Answer(AnswerMeasure::Accuracy),
    Measure::Claim(ClaimMeasure::FaithfulnessStrict),
    Measure::Claim(ClaimMeasure::FaithfulnessLoose),
    Measure::Claim(ClaimMeasure::CitationPrecision),
    Measure::Claim(ClaimMeasure::CitationCoverage),
];

/// Measures an answer. Unanswerable questions have no measures; they count in the abstention table
/// only.
pub(crate) fn record(
    question: &Question,
    outcome: &Outcome,
    cutter: &mut Cutter,
    settings: Option<GuardSettings>,
) -> ReadRecord {
    let mut record = ReadRecord {
        passages: outcome.context.passages.iter().map(passage).collect(),
        dropped: outcome.context.dropped.clone(),
        prompt: outcome.prompt.clone(),
        answer: outcome.answer.clone(),
        abstained: outcome.abstained,
        prompt_tokens: outcome.prompt_tokens,
        answer_tokens: outcome.answer_tokens,
        guard: guard(outcome, settings),
        attributed: outcome.attributed.clone(),
        echoed: outcome.echoed.clone(),
        ..ReadRecord::default()
    };
    let grounded =
        (!outcome.abstained).then(|| grounded(question, outcome, cutter, &mut record)).transpose();
    let grounded = grounded.unwrap_or_else(|error| {
        record.judge_error = Some(error.to_string());
        None
    });
    if question.unanswerable {
        return record;
    }
    let scores = scores(question, outcome);
    record.right = scores.right;
    let failed = record.judge_error.is_some();
    let of_claims = |value: fn(&Grounded) -> Option<f64>| {
        if failed { Value::Failed } else { Value::from(grounded.as_ref().and_then(value)) }
    };
    // In the order of `MEASURES`.
    let values = [
        Value::from(scores.em),
        Value::from(scores.contains),
        Value::from(scores.f1),
        Value::from(scores.answer_contains),
        Value::from(scores.right),
        of_claims(|g| g.strict),
        of_claims(|g| g.loose),
        of_claims(|g| g.citation.precision),
        of_claims(|g| g.citation.coverage),
    ];
    record.measures = MEASURES.into_iter().zip(values).collect();
    record
}

/// Cuts an answer into claims, records them, and returns their verdicts.
fn grounded(
    question: &Question,
    outcome: &Outcome,
    cutter: &mut Cutter,
    record: &mut ReadRecord,
) -> Result<Grounded, crate::Error> {
    let context: Vec<(&str, &str)> =
        outcome.context.passages.iter().map(|p| (p.id.as_str(), p.text.as_str())).collect();
    let offered: Vec<&str> = context.iter().map(|&(id, _)| id).collect();
    let (claims, split) = cutter.cut(&outcome.answer, &offered, question.lang)?;
    record.split = split;
    let grounded = ground_claims(claims, &context, question.lang);
    record.claims = grounded.claims.iter().map(claim).collect();
    Ok(grounded)
}

/// Takes back an abstention if the answer contains a reference, such as "I don't know" for the
/// translation of "no lo sé".
pub(crate) fn settle(question: &Question, outcome: &mut Outcome) {
    if outcome.abstained && !question.unanswerable && !outcome.guarded {
        outcome.abstained = contains(&outcome.answer, &question.answers, question.lang) == 0.0;
    }
}

pub(crate) fn repeat(question: &Question, outcome: &Outcome) -> RepeatRecord {
    let scores = scores(question, outcome);
    RepeatRecord {
        answer: outcome.answer.clone(),
        abstained: outcome.abstained,
        right: scores.right && !question.unanswerable,
        f1: if question.unanswerable { 0.0 } else { scores.f1 },
    }
}

/// A failed answer. It scores 0 in every measure.
pub(crate) fn failed(question: &Question, message: String) -> ReadRecord {
    let mut record = ReadRecord { error: Some(message), ..ReadRecord::default() };
    if !question.unanswerable {
        record.measures = MEASURES.map(|measure| (measure, Value::Failed)).into();
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

/// Scores an answer against the references of its question.
pub(crate) fn scores(question: &Question, outcome: &Outcome) -> AnswerScores {
    score_answer(
        &outcome.answer,
        &question.answers,
        &question.answer_contains,
        question.lang,
        outcome.abstained,
    )
}

fn passage(passage: &Passage) -> PassageRecord {
    PassageRecord {
        id: passage.id.clone(),
        chunk: passage.chunk.clone(),
        merged: passage.merged.clone(),
    }
}

fn claim(claim: &GroundedClaim) -> ClaimRecord {
    let reason = match &claim.loose.verdict {
        SupportVerdict::Supported => None,
        SupportVerdict::LowShare => Some("too few of its words are in the context"),
        SupportVerdict::NumberMismatch => Some("a number differs from the context"),
        SupportVerdict::NegationMismatch => Some("it says the opposite of the context"),
        SupportVerdict::NoContext => Some("there is no context"),
    };
    ClaimRecord {
        text: claim.claim.text.clone(),
        cites: claim.claim.cited.iter().map(|c| c.id.clone()).collect(),
        strict: claim.strict.supported(),
        loose: claim.loose.supported(),
        share: claim.loose.share,
        reason: reason.map(str::to_owned),
        ..ClaimRecord::default()
    }
}
