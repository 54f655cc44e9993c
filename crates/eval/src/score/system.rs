use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
    time::Instant,
};

use fiel_corpus::KnowledgeBase;
use fiel_metrics::{
    Citation, ClaimUnit, JudgedQuality, Measure, RankMeasure, Ranking, Value, claims,
    parse_citations,
};
use fiel_reader::{Context, Outcome, Passage, is_abstention};
use fiel_record::{EvalMode, HitRecord, Manifest, ReadRecord, RetrievalRecord};
use fiel_text::{LooseText, id::ChunkId};

use super::{
    Stored,
    answers::{SystemAnswer, SystemOutput, assign},
    manifest, store,
};
use crate::{
    Error, EvalSettings, Finished, JudgeSettings, Judging, attribute, judge::Cutter,
    manifest::sealed, reading, retrieval, runner::blank_record,
};
use fiel_gold::{GoldFault, ResolvedGold, ResolvedQuestion, Selection};

/// Another system's output to be scored.
pub struct ScorePlan<'a> {
    /// The documents that the gold set is for.
    pub kb: &'a KnowledgeBase,
    /// The questions.
    pub gold: &'a ResolvedGold,
    /// Which of them.
    pub selection: &'a Selection,
    /// What the system gave.
    pub output: &'a SystemOutput,
    /// Unit of a claim, and the seed.
    pub settings: &'a EvalSettings,
    /// By what answers are judged, as it was set.
    pub judge: &'a JudgeSettings,
    /// Folder for runs.
    pub runs: &'a Path,
    /// What is written about the run.
    pub note: Option<&'a str>,
}

/// A system that was scored.
pub struct ScoredSystem {
    /// The run as it is stored.
    pub finished: Finished,
    /// Rows that belong to no question, or to one that has a row already.
    pub refused: Vec<GoldFault>,
    /// Questions without a row: they count as failed.
    pub unanswered: Vec<String>,
    /// Rows of questions that were not chosen.
    pub not_chosen: usize,
}

/// Scores what another system retrieved and answered with the measures of `eval`.
///
/// Contexts are matched to the evidence by its text: a context finds a quotation when it holds at
/// least half of it. Citations stand in the answer as `[1]` or `[id]`; those that are given apart
/// count for every claim. A mode that no row has anything for is not scored. `load` is
/// called when the input is known to be good and holds answers, and gives
/// [`Judging::load_for_other_system`]; `progress` is told how many questions of how many are done.
///
/// # Errors
/// When no row belongs to a question chosen, `load` fails, or the run cannot be written.
pub fn score_answers(
    plan: &ScorePlan<'_>,
    load: &mut dyn FnMut() -> Result<Judging, Error>,
    progress: &mut dyn FnMut(usize, usize),
) -> Result<ScoredSystem, Error> {
    let started = Instant::now();
    let chosen = plan.selection.choose(plan.gold)?;
    let all = &plan.gold.questions;
    let keys: Vec<(&str, &str)> =
        all.iter().map(|q| (q.question.id.as_str(), q.question.question.as_str())).collect();
    let (assigned, refused) = assign(&plan.output.rows, &keys);
    if assigned.is_empty() {
        return Err(Error::Compare(format!(
            "{}: none of its {} rows belongs to a question of {}:\n  {}",
            plan.output.name,
            plan.output.rows.len(),
            plan.gold.gold.name,
            refused.first().map(ToString::to_string).unwrap_or_default()
        )));
    }
    let by_id: BTreeMap<&str, &SystemAnswer> =
        assigned.iter().map(|(at, row)| (keys[*at].0, *row)).collect();
    let chosen_ids: BTreeSet<&str> = chosen.iter().map(|q| q.question.id.as_str()).collect();
    if !chosen_ids.iter().any(|id| by_id.contains_key(id)) {
        return Err(Error::Compare(format!(
            "no row of {} is of a question of {} ({}); --split all takes every question",
            plan.output.name, plan.gold.gold.name, plan.selection
        )));
    }
    let has_contexts = assigned.values().any(|row| row.contexts.is_some());
    let has_answers = assigned.values().any(|row| row.answer.is_some());
    let measures = retrieval::measures(0)?;
    let judging = &mut match has_answers {
        true => load()?,
        false => Judging::none(),
    };
    let (mut records, mut unanswered, mut judge_ms) = (Vec::new(), Vec::new(), Vec::new());
    for question in &chosen {
        let row = by_id.get(question.question.id.as_str()).copied();
        if row.is_none() {
            unanswered.push(question.question.id.to_string());
        }
        let mut record = blank_record(question);
        if has_contexts {
            record.retrieval = retrieved(question, row, plan.kb, &measures)?;
        }
        if has_answers && (question.question.unanswerable || !question.question.answers.is_empty())
        {
            let unit = plan.settings.claim_unit.unit();
            let (read, ms) = read(question, row, unit, judging);
            record.e2e = Some(read);
            judge_ms.push(ms);
        } else {
            judge_ms.push(None);
        }
        let k = record.retrieval.hits.len();
        (record.class, record.marks) = attribute::attribute(&record, k);
        records.push(record);
        progress(records.len(), chosen.len());
    }
    let mut modes = Vec::new();
    modes.extend(has_contexts.then_some(EvalMode::Retrieval));
    modes.extend(has_answers.then_some(EvalMode::E2e));
    let judge = match has_answers {
        true => judging.summary(&plan.gold.gold.path())?,
        false => None,
    };
    Ok(ScoredSystem {
        finished: store(Stored {
            runs: plan.runs,
            manifest: manifest_of(plan, &modes, judging)?,
            records,
            judge_ms,
            targets: &plan.gold.gold.targets,
            judge,
            splitter: judging.splitter().filter(|_| has_answers),
            seed: plan.settings.seed,
            note: plan.note,
            started,
        })?,
        refused,
        unanswered,
        not_chosen: by_id.keys().filter(|id| !chosen_ids.contains(*id)).count(),
    })
}

fn manifest_of(
    plan: &ScorePlan<'_>,
    modes: &[EvalMode],
    judging: &Judging,
) -> Result<Manifest, Error> {
    let gold = &plan.gold.gold;
    let mut manifest = manifest(
        (&gold.name, &gold.digest),
        (&plan.kb.name, &plan.kb.digest()),
        (&plan.output.name, &plan.output.sha256),
    );
    manifest.questions = plan.selection.to_string();
    manifest.documents = plan.kb.documents.len();
    manifest.modes = modes.to_vec();
    manifest.claim_unit = plan.settings.claim_unit.to_string();
    manifest.settings = serde_json::json!({"eval": {"seed": plan.settings.seed}});
    if modes.contains(&EvalMode::E2e) {
        manifest.judge = judging.key();
        manifest.settings["judge"] = serde_json::to_value(plan.judge)
            .map_err(|e| Error::Measure(format!("settings: {e}")))?;
    }
    sealed(manifest)
}

/// Name of a context: the id it came with, else its number.
fn context_id(at: usize, id: &Option<String>) -> String {
    id.clone().unwrap_or_else(|| format!("context#{}", at + 1))
}

fn retrieved(
    question: &ResolvedQuestion,
    row: Option<&SystemAnswer>,
    kb: &KnowledgeBase,
    measures: &[RankMeasure],
) -> Result<RetrievalRecord, Error> {
    let contexts = row.and_then(|row| row.contexts.as_deref());
    let quotes: Vec<Vec<LooseText>> = question
        .quotes(kb)
        .into_iter()
        .map(|group| group.into_iter().map(LooseText::new).collect())
        .collect();
    let judgements = question.judgements().unwrap_or_default();
    let mut record =
        RetrievalRecord { groups: question.groups(), judgements, ..RetrievalRecord::default() };
    let mut seen = BTreeSet::new();
    for (at, (id, text)) in contexts.unwrap_or_default().iter().enumerate() {
        // A list is deduplicated before anything is measured.
        if !seen.insert(id.as_ref().unwrap_or(text)) {
            continue;
        }
        let words = LooseText::new(text);
        let mut chunk = context_id(at, id);
        // Of a judged document, `doc` or `doc#3`, the document is what counts.
        if let Some((doc, _)) = ChunkId::parse(&chunk)
            && !record.judgements.contains_key(&chunk)
            && record.judgements.contains_key(doc)
        {
            chunk = doc.to_owned();
        }
        let finds: Vec<usize> = match record.judgements.is_empty() {
            true => (0..quotes.len())
                .filter(|&g| quotes[g].iter().any(|quote| words.contains(quote)))
                .collect(),
            false => question.groups_of_document(&chunk),
        };
        let rank = record.hits.len() + 1;
        record.hits.push(HitRecord {
            rank,
            chunk: chunk.into(),
            score: 1.0 / rank as f64,
            bm25: None,
            dense: None,
            rewrite: None,
            rerank: None,
            finds,
        });
    }
    if question.groups() == 0 {
        return Ok(record);
    }
    if contexts.is_none() {
        let what = if row.is_some() { "contexts in the row" } else { "row" };
        record.error = Some(format!("the system gave no {what} for this question"));
        let failed = measures.iter().map(|&m| (Measure::Rank(m), Value::Failed));
        record.measures = failed.collect();
        return Ok(record);
    }
    let ranking = if record.judgements.is_empty() {
        let found: Vec<Vec<usize>> = record.hits.iter().map(|hit| hit.finds.clone()).collect();
        Ranking::from_evidence(&found, record.groups).map_err(|e| Error::Measure(e.to_string()))?
    } else {
        let documents: Vec<String> = record.hits.iter().map(|hit| hit.chunk.to_string()).collect();
        Ranking::from_qrels(&documents, &record.judgements)
    };
    let value = |&m: &RankMeasure| (Measure::Rank(m), Value::from(ranking.measure(m)));
    record.measures = measures.iter().map(value).collect();
    Ok(record)
}

/// An answer measured and judged, and the milliseconds that judging took. `unit`: of the claims that
/// citations given apart stand behind.
fn read(
    question: &ResolvedQuestion,
    row: Option<&SystemAnswer>,
    unit: ClaimUnit,
    judging: &mut Judging,
) -> (ReadRecord, Option<f64>) {
    let question = &question.question;
    let Some((row, answer)) = row.and_then(|row| Some((row, row.answer.as_ref()?))) else {
        let what = if row.is_some() { "answer in the row" } else { "row" };
        let why = format!("the system gave no {what} for this question");
        let mut record = reading::failed(question, why);
        let ms = judging.judge(question, None, &mut record);
        return (record, ms);
    };
    let contexts = row.contexts.as_deref().unwrap_or_default();
    let passages: Vec<Passage> = contexts
        .iter()
        .enumerate()
        .map(|(at, (id, text))| Passage {
            id: (at + 1).to_string(),
            chunk: context_id(at, id).into(),
            text: text.clone(),
            ..Passage::default()
        })
        .collect();
    let numbered = numbered(answer, contexts);
    let cited = match &row.citations {
        Some(citations) => with_citations(&numbered, citations, contexts, unit, question.lang),
        None => numbered,
    };
    let outcome = Outcome {
        abstained: is_abstention(&cited),
        context: Context { passages, dropped: Vec::new() },
        answer: cited,
        ..Outcome::default()
    };
    if row.contexts.is_some() {
        let mut record = reading::record(question, &outcome, judging.cutter(), None);
        let ms = judging.judge(question, Some(&outcome), &mut record);
        record.answer.clone_from(answer);
        return (record, ms);
    }
    // Nothing is known of what the answer rests on, so there is nothing to hold claims against.
    let mut record = reading::record(question, &outcome, &mut Cutter::by(unit), None);
    record.claims.clear();
    let ms = judging.judge(question, Some(&outcome), &mut record);
    record.answer.clone_from(answer);
    for (measure, value) in &mut record.measures {
        let of_context = JudgedQuality::CorrectnessContext;
        if matches!(measure, Measure::Claim(_)) || *measure == Measure::Judged(of_context) {
            *value = Value::Undefined;
        }
    }
    (record, ms)
}

/// The number of the context that is cited so; 0, which is no context, for an unknown id.
fn number(cited: &str, contexts: &[(Option<String>, String)]) -> usize {
    let by_id = contexts.iter().position(|(id, _)| id.as_deref() == Some(cited));
    let by_number = cited.parse().ok().filter(|n| (1..=contexts.len()).contains(n));
    by_id.map(|at| at + 1).or(by_number).unwrap_or(0)
}

/// The answer with citations by number where they were by the ids of its contexts.
fn numbered(answer: &str, contexts: &[(Option<String>, String)]) -> String {
    let ids: Vec<&str> = contexts.iter().filter_map(|(id, _)| id.as_deref()).collect();
    if ids.is_empty() {
        return answer.to_owned();
    }
    let mut out = answer.to_owned();
    let citations: Vec<Citation> = parse_citations(answer, &ids);
    for citation in citations.iter().rev() {
        let numbers: Vec<String> =
            citation.ids.iter().map(|id| number(&id.id, contexts).to_string()).collect();
        out.replace_range(citation.span.clone(), &format!("[{}]", numbers.join("; ")));
    }
    out
}

/// The answer with the same citations behind each of its claims.
fn with_citations(
    answer: &str,
    citations: &[String],
    contexts: &[(Option<String>, String)],
    unit: ClaimUnit,
    lang: fiel_text::Lang,
) -> String {
    if citations.is_empty() {
        return answer.to_owned();
    }
    let numbers: Vec<String> =
        citations.iter().map(|id| number(id, contexts).to_string()).collect();
    let marker = format!(" [{}]", numbers.join("; "));
    let mut out = answer.to_owned();
    for claim in claims(answer, &[], unit, lang).iter().rev() {
        out.insert_str(claim.span.end, &marker);
    }
    out
}

#[cfg(test)]
mod tests {
    use fiel_text::Lang;

    use super::*;

    fn contexts(ids: [Option<&str>; 2]) -> Vec<(Option<String>, String)> {
        ids.map(|id| (id.map(str::to_owned), "text".to_owned())).to_vec()
    }

    #[test]
    fn citations_by_id_become_numbers() {
        let known = contexts([Some("doc-a"), Some("b#2")]);
        assert_eq!(numbered("It is so [b#2; doc-a].", &known), "It is so [2; 1].");
        assert_eq!(numbered("So [b#9].", &known), "So [0].");
        assert_eq!(numbered("So [2].", &contexts([None, None])), "So [2].");
    }

    #[test]
    fn citations_given_apart_count_for_every_claim() {
        let known = contexts([Some("a"), None]);
        let cited = with_citations(
            "One thing holds. Another does not.",
            &["a".to_owned(), "2".to_owned()],
            &known,
            ClaimUnit::Sentence,
            Lang::En,
        );
        let claims = claims(&cited, &["1", "2"], ClaimUnit::Sentence, Lang::En);
        assert_eq!(claims.len(), 2, "{cited}");
        assert!(claims.iter().all(|c| c.cited.len() == 2), "{cited}");
        assert_eq!(claims[0].text, "One thing holds.");
    }
}
