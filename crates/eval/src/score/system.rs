//! Scores for the contexts and answers of another system.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
    time::Instant,
};

use fiel_corpus::KnowledgeBase;
use fiel_gold::{GoldFault, ResolvedGold, ResolvedQuestion, Selection};
use fiel_metrics::{
    ClaimMeasure, ClaimUnit, JudgedQuality, Measure, RankMeasure, RankingError, Value, claims,
    is_refusal, parse_citations,
};
use fiel_reader::{Context, Outcome, Passage};
use fiel_record::{EvalMode, HitRecord, Manifest, ReadRecord, RetrievalRecord};
use fiel_text::{Lang, LooseText, id::ChunkId, markup::without_thoughts};

use super::{Stored, SystemAnswer, SystemContext, SystemOutput, answers::assign, manifest, store};
use crate::{
    Error, EvalSettings, Finished, JudgeSettings, Judging,
    diagnose::{EvidencePlace, classify},
    judge::Cutter,
    manifest::seal,
    reading, retrieval, runner,
};

/// The input of [`score_answers`].
pub struct ScorePlan<'a> {
    /// The documents of the gold set.
    pub kb: &'a KnowledgeBase,
    /// The questions.
    pub gold: &'a ResolvedGold,
    /// The questions to score.
    pub selection: &'a Selection,
    /// The output of the system.
    pub output: &'a SystemOutput,
    /// Beginnings of refusals in addition to those that Fiel knows.
    pub phrases: &'a [String],
    /// Unit of a claim, and seed.
    pub settings: &'a EvalSettings,
    /// Settings of the judge, for the manifest.
    pub judge: &'a JudgeSettings,
    /// Folder of the runs.
    pub runs: &'a Path,
    /// Note about the run.
    pub note: Option<&'a str>,
}

/// A scored system.
pub struct ScoredSystem {
    /// The stored run.
    pub finished: Finished,
    /// Rows without a question, and further rows of a question.
    pub refused: Vec<GoldFault>,
    /// Questions without a row, which count as failed.
    pub unanswered: Vec<String>,
    /// Number of rows whose questions are not selected.
    pub not_chosen: usize,
}

/// Scores the contexts and answers of another system with the measures of `fiel eval`.
///
/// A context finds a quotation if it contains at least half of its text. Citations are in the answer,
/// as `[1]` or `[id]`, or in a list that counts for every claim. Modes for which no row has data are
/// not scored. `load` returns [`Judging::load_for_other_system`]; it is called only if the input is
/// valid and has answers. `progress` receives the number of questions so far, and the total.
///
/// # Errors
/// [`Error::NoRowMatches`] or [`Error::NoRowSelected`]; if `load` fails, or the run cannot be written.
pub fn score_answers(
    plan: &ScorePlan<'_>,
    load: &mut dyn FnMut() -> Result<Judging, Error>,
    progress: &mut dyn FnMut(usize, usize),
) -> Result<ScoredSystem, Error> {
    let started = Instant::now();
    let questions = plan.selection.choose(plan.gold)?;
    let (rows, refused) = rows_by_id(plan)?;
    let ids: BTreeSet<&str> = questions.iter().map(|q| q.question.id.as_str()).collect();
    let not_chosen = rows.keys().filter(|id| !ids.contains(*id)).count();
    if not_chosen == rows.len() {
        return Err(Error::NoRowSelected {
            file: plan.output.name.clone(),
            gold: plan.gold.gold.name.clone(),
            selection: plan.selection.to_string(),
        });
    }
    let has_contexts = rows.values().any(|row| row.contexts.is_some());
    let has_answers = rows.values().any(|row| row.answer.is_some());
    let measures = retrieval::measures(0);
    let cites = rows.values().any(|row| has_citations(row));
    let mut judging = if has_answers { load()? } else { Judging::none() };
    let (mut records, mut unanswered, mut judge_ms) = (Vec::new(), Vec::new(), Vec::new());
    for resolved in &questions {
        let question = &resolved.question;
        let row = rows.get(question.id.as_str()).copied();
        if row.is_none() {
            unanswered.push(question.id.to_string());
        }
        let retrieval = if has_contexts {
            retrieved(resolved, row, plan.kb, &measures)?
        } else {
            RetrievalRecord::default()
        };
        let mut record = runner::record(question, retrieval);
        let mut ms = None;
        if has_answers && (question.unanswerable || !question.answers.is_empty()) {
            let unit = plan.settings.claim_unit.unit();
            let mut read;
            (read, ms) = answered(resolved, row, unit, plan.phrases, &mut judging);
            if let Some(answer) = row.and_then(|row| row.answer.as_ref()) {
                read.answer.clone_from(answer);
            }
            if !cites && read.error.is_none() {
                // A system that never cites has no citations to be measured.
                for measure in [ClaimMeasure::FaithfulnessStrict, ClaimMeasure::CitationCoverage] {
                    let value = read.measures.get_mut(&Measure::Claim(measure));
                    value.into_iter().for_each(|value| *value = Value::Undefined);
                }
            }
            record.e2e = Some(read);
        }
        judge_ms.push(ms);
        let contexts = row.and_then(|row| row.contexts.as_deref());
        let place = contexts.map_or(EvidencePlace::Unknown, |contexts| {
            let texts = contexts.iter().map(|context| context.text.as_str());
            EvidencePlace::in_contexts(&record, &question.answers, texts)
        });
        (record.class, record.marks) = classify(&record, place);
        records.push(record);
        progress(records.len(), questions.len());
    }
    let mut modes = Vec::new();
    modes.extend(has_contexts.then_some(EvalMode::Retrieval));
    modes.extend(has_answers.then_some(EvalMode::E2e));
    let judge = if has_answers { judging.summary(plan.gold.gold.path())? } else { None };
    let finished = store(Stored {
        runs: plan.runs,
        manifest: system_manifest(plan, modes, &judging)?,
        records,
        judge_ms,
        targets: &plan.gold.gold.targets,
        judge,
        splitter: judging.splitter().filter(|_| has_answers),
        seed: plan.settings.seed,
        note: plan.note,
        started,
    })?;
    Ok(ScoredSystem { finished, refused, unanswered, not_chosen })
}

/// The rows by id of their question, and the rows without a question.
fn rows_by_id<'a>(
    plan: &ScorePlan<'a>,
) -> Result<(BTreeMap<&'a str, &'a SystemAnswer>, Vec<GoldFault>), Error> {
    let questions = plan.gold.questions.iter();
    let questions: Vec<(&str, &str)> =
        questions.map(|q| (q.question.id.as_str(), q.question.question.as_str())).collect();
    let (assigned, refused) = assign(&plan.output.rows, &questions);
    if assigned.is_empty() {
        return Err(Error::NoRowMatches {
            file: plan.output.name.clone(),
            rows: plan.output.rows.len(),
            gold: plan.gold.gold.name.clone(),
            first: refused.into_iter().next(),
        });
    }
    Ok((assigned.into_iter().map(|(at, row)| (questions[at].0, row)).collect(), refused))
}

fn system_manifest(
    plan: &ScorePlan<'_>,
    modes: Vec<EvalMode>,
    judging: &Judging,
) -> Result<Manifest, Error> {
    let gold = &plan.gold.gold;
    let has_answers = modes.contains(&EvalMode::E2e);
    let mut settings = serde_json::json!({"eval": {"seed": plan.settings.seed}});
    if has_answers {
        settings["judge"] = serde_json::to_value(plan.judge)?;
    }
    seal(Manifest {
        kb: plan.kb.name.clone(),
        kb_sha256: plan.kb.digest(),
        gold: gold.name.clone(),
        gold_sha256: gold.digest.clone(),
        questions: plan.selection.to_string(),
        documents: plan.kb.documents.len(),
        left_out: plan.kb.left_out.clone(),
        modes,
        claim_unit: plan.settings.claim_unit.to_string(),
        judge: judging.key().filter(|_| has_answers),
        settings,
        ..manifest(plan.output.name.clone(), plan.output.sha256.clone())
    })
}

/// The name of a context: its id, else its number. `at` counts from 0.
fn context_name(at: usize, context: &SystemContext) -> String {
    context.id.clone().unwrap_or_else(|| format!("context#{}", at + 1))
}

/// Whether a row cites a context, in its answer or beside it.
fn has_citations(row: &SystemAnswer) -> bool {
    let contexts = row.contexts.iter().flatten();
    let ids: Vec<&str> = contexts.filter_map(|context| context.id.as_deref()).collect();
    let in_answer = row.answer.as_deref().is_some_and(|a| !parse_citations(a, &ids).is_empty());
    in_answer || row.citations.as_ref().is_some_and(|cited| !cited.is_empty())
}

/// Why a question has no contexts or no answer.
fn missing(row: Option<&SystemAnswer>, what: &str) -> String {
    let what = if row.is_some() { format!("{what} in the row") } else { "row".to_owned() };
    format!("the system gave no {what} for this question")
}

fn retrieved(
    question: &ResolvedQuestion,
    row: Option<&SystemAnswer>,
    kb: &KnowledgeBase,
    measures: &[RankMeasure],
) -> Result<RetrievalRecord, RankingError> {
    let mut record = RetrievalRecord {
        groups: question.groups(),
        judgements: question.judgements().unwrap_or_default(),
        ..RetrievalRecord::default()
    };
    if let Some(contexts) = row.and_then(|row| row.contexts.as_deref()) {
        record.hits = hits(question, contexts, kb, &record.judgements);
        record.measures = retrieval::values(&record, &record.hits, |id| id, measures)?;
    } else if question.groups() > 0 {
        record.error = Some(missing(row, "contexts"));
        record.measures = retrieval::failed_values(measures);
    }
    Ok(record)
}

/// The contexts as hits, without duplicates.
fn hits(
    question: &ResolvedQuestion,
    contexts: &[SystemContext],
    kb: &KnowledgeBase,
    judgements: &BTreeMap<String, i32>,
) -> Vec<HitRecord> {
    let quotes = question.quotes(kb).into_iter();
    let quotes: Vec<Vec<LooseText>> =
        quotes.map(|group| group.into_iter().map(LooseText::new).collect()).collect();
    let mut hits = Vec::new();
    let mut seen = BTreeSet::new();
    for (at, context) in contexts.iter().enumerate() {
        if !seen.insert(context.id.as_ref().unwrap_or(&context.text)) {
            continue;
        }
        let mut chunk = context_name(at, context);
        // A chunk `doc#3` of a judged document counts as the document.
        if let Some((doc, _)) = ChunkId::parse(&chunk)
            && !judgements.contains_key(&chunk)
            && judgements.contains_key(doc)
        {
            chunk = doc.to_owned();
        }
        let finds = if judgements.is_empty() {
            let text = LooseText::new(&context.text);
            let is_found = |&group: &usize| quotes[group].iter().any(|quote| text.contains(quote));
            (0..quotes.len()).filter(is_found).collect()
        } else {
            question.groups_of_document(&chunk)
        };
        let rank = hits.len() + 1;
        hits.push(HitRecord {
            rank,
            chunk: chunk.into(),
            score: 1.0 / rank as f64,
            finds,
            ..HitRecord::default()
        });
    }
    hits
}

/// Measures and judges an answer, with citations by number. Also returns the milliseconds of judging.
/// `unit` is the unit of the claims that a separate list of citations counts for.
fn answered(
    question: &ResolvedQuestion,
    row: Option<&SystemAnswer>,
    unit: ClaimUnit,
    phrases: &[String],
    judging: &mut Judging,
) -> (ReadRecord, Option<f64>) {
    let question = &question.question;
    let Some((row, answer)) = row.and_then(|row| Some((row, row.answer.as_deref()?))) else {
        let mut record = reading::failed(question, missing(row, "answer"));
        let ms = judging.judge(question, None, &mut record);
        return (record, ms);
    };
    let contexts = row.contexts.as_deref().unwrap_or_default();
    let passage = |(at, context): (usize, &SystemContext)| Passage {
        id: (at + 1).to_string(),
        chunk: context_name(at, context).into(),
        text: context.text.clone(),
        ..Passage::default()
    };
    let passages = contexts.iter().enumerate().map(passage).collect();
    let mut answer = with_numbers(without_thoughts(answer), contexts);
    if let Some(citations) = &row.citations {
        answer = with_citations(&answer, citations, contexts, unit, question.lang);
    }
    let abstained = row.abstained.unwrap_or_else(|| is_refusal(&answer, phrases));
    let mut outcome = Outcome {
        abstained,
        context: Context { passages, dropped: Vec::new() },
        answer,
        ..Outcome::default()
    };
    if row.abstained.is_none() {
        reading::settle(question, &mut outcome);
    }
    if row.contexts.is_some() {
        let mut record = reading::record(question, &outcome, judging.cutter(), None);
        let ms = judging.judge(question, Some(&outcome), &mut record);
        return (record, ms);
    }
    // Claims cannot be checked, because the contexts are unknown.
    let mut record = reading::record(question, &outcome, &mut Cutter::by(unit), None);
    record.claims.clear();
    let ms = judging.judge(question, Some(&outcome), &mut record);
    for (measure, value) in &mut record.measures {
        let by_context = Measure::Judged(JudgedQuality::CorrectnessContext);
        if matches!(measure, Measure::Claim(_)) || *measure == by_context {
            *value = Value::Undefined;
        }
    }
    (record, ms)
}

/// `[1; 3]` for citations of contexts by id or number. An unknown id becomes 0, which is not a context.
fn marker<'a>(cited: impl Iterator<Item = &'a String>, contexts: &[SystemContext]) -> String {
    let number = |cited: &String| {
        let by_id = contexts.iter().position(|context| context.id.as_ref() == Some(cited));
        let by_number = cited.parse().ok().filter(|n| (1..=contexts.len()).contains(n));
        by_id.map(|at| at + 1).or(by_number).unwrap_or(0).to_string()
    };
    format!("[{}]", cited.map(number).collect::<Vec<_>>().join("; "))
}

/// An answer whose citations by id are replaced by numbers.
fn with_numbers(answer: &str, contexts: &[SystemContext]) -> String {
    let ids: Vec<&str> = contexts.iter().filter_map(|context| context.id.as_deref()).collect();
    let mut numbered = answer.to_owned();
    if !ids.is_empty() {
        for citation in parse_citations(answer, &ids).iter().rev() {
            let cited = citation.ids.iter().map(|id| &id.id);
            numbered.replace_range(citation.span.clone(), &marker(cited, contexts));
        }
    }
    numbered
}

/// An answer with the same citations after each of its claims.
fn with_citations(
    answer: &str,
    citations: &[String],
    contexts: &[SystemContext],
    unit: ClaimUnit,
    lang: Lang,
) -> String {
    let mut cited = answer.to_owned();
    if !citations.is_empty() {
        let marker = format!(" {}", marker(citations.iter(), contexts));
        for claim in claims(answer, &[], unit, lang).iter().rev() {
            cited.insert_str(claim.span.end, &marker);
        }
    }
    cited
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contexts(ids: [Option<&str>; 2]) -> Vec<SystemContext> {
        ids.map(|id| SystemContext { id: id.map(str::to_owned), text: "text".to_owned() }).to_vec()
    }

    #[test]
    fn citations_by_id_become_numbers() {
        let known = contexts([Some("doc-a"), Some("b#2")]);
        assert_eq!(with_numbers("It is so [b#2; doc-a].", &known), "It is so [2; 1].");
        assert_eq!(with_numbers("So [b#9].", &known), "So [0].");
        assert_eq!(with_numbers("So [2].", &contexts([None, None])), "So [2].");
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
