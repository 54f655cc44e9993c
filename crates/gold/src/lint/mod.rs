//! The linter: finds what makes a gold set misleading, without a model.

mod answers;
mod copies;
mod coverage;
mod duplicates;
mod evidence;
mod finding;
mod language;
mod passages;
mod unanswerable;
mod words;

use std::path::Path;

use fiel_corpus::KnowledgeBase;
use fiel_record::{LINT_SCHEMA, LintFinding, LintLevel, LintResult};

use crate::{Error, Gold, Question, ResolvedQuestion};
use finding::Code;

pub(crate) use passages::Passages;
pub use passages::{BoxError, BuildIndex, PassageIndex};
pub(crate) use words::{content, quoted};

/// Checks a gold set against its documents. A faulty line or quote becomes a finding.
///
/// # Errors
/// [`Error::Search`] if the passages cannot be indexed; otherwise as [`Gold::load`], except for
/// [`Error::Gold`].
pub fn lint(path: &Path, kb: &KnowledgeBase, index: BuildIndex) -> Result<LintResult, Error> {
    let (gold, faults) = Gold::read(path)?;
    let passages = Passages::new(kb, index)?;
    let unusable = faults.into_iter().map(|fault| LintFinding {
        line: Some(fault.line),
        question: fault.question.map(Into::into),
        ..Code::G001.finding(fault.message, &[])
    });
    let mut findings: Vec<LintFinding> = unusable.collect();
    let mut resolved = Vec::new();
    for (line, question) in &gold.questions {
        let (anchored, found) = question_findings(*line, question, kb, &passages)?;
        findings.extend(found);
        resolved.push((*line, anchored));
    }
    findings.extend(duplicates::duplicates(&resolved));
    let questions: Vec<&Question> = gold.questions.iter().map(|(_, q)| q).collect();
    let overlaps: Vec<f64> = questions.iter().filter_map(|q| copies::overlap(q)).collect();
    findings.extend(copies::copied_set(&overlaps));
    findings.extend(coverage::coverage(&questions));
    findings.extend(language::foreign(&questions, kb));

    let (accepted, mut findings): (Vec<_>, Vec<_>) = findings.into_iter().partition(|f| {
        // Acceptance does not make an unusable question usable.
        f.level != LintLevel::Error
            && f.question.clone().is_some_and(|id| gold.accepted.contains(&(f.code.clone(), id)))
    });
    findings.extend(stale_acceptance(&gold, &accepted));
    findings.sort_by(|a, b| order(a).cmp(&order(b)));
    Ok(LintResult {
        schema: LINT_SCHEMA.to_owned(),
        path: gold.path.clone(),
        kb: kb.name.clone(),
        questions: questions.len(),
        unanswerable: questions.iter().filter(|q| q.unanswerable).count(),
        overlap: (!overlaps.is_empty())
            .then(|| overlaps.iter().sum::<f64>() / overlaps.len() as f64),
        findings,
        accepted,
    })
}

/// The findings of a question that is added to a set, at `line`.
pub(crate) fn lint_question(
    question: &Question,
    line: usize,
    set: &[(usize, Question)],
    kb: &KnowledgeBase,
    passages: &Passages,
) -> Result<Vec<LintFinding>, Error> {
    let (anchored, mut findings) = question_findings(line, question, kb, passages)?;
    let unusable = question.faults().into_iter();
    findings.extend(unusable.map(|f| at(line, question, Code::G001.finding(f.to_owned(), &[]))));
    let others = set.iter().map(|(line, q)| (*line, ResolvedQuestion::resolve(q, kb).0));
    let all: Vec<_> = others.chain([(line, anchored)]).collect();
    let duplicates = duplicates::duplicates(&all).into_iter();
    findings.extend(duplicates.filter(|finding| finding.line == Some(line)));
    findings.sort_by(|a, b| order(a).cmp(&order(b)));
    Ok(findings)
}

/// The findings of a question by itself, with its located evidence.
fn question_findings(
    line: usize,
    question: &Question,
    kb: &KnowledgeBase,
    passages: &Passages,
) -> Result<(ResolvedQuestion, Vec<LintFinding>), Error> {
    let (anchored, mut findings) = evidence::anchored(question, kb);
    findings.extend(copies::copied_question(question));
    findings.extend(answers::unproved(question));
    findings.extend(answers::incomplete(question));
    findings.extend(answers::elsewhere(&anchored, passages)?);
    findings.extend(unanswerable::answered(question, passages)?);
    findings.extend(language::mistaken(question));
    Ok((anchored, findings.into_iter().map(|finding| at(line, question, finding)).collect()))
}

fn at(line: usize, question: &Question, finding: LintFinding) -> LintFinding {
    LintFinding { line: Some(line), question: Some(question.id.to_string()), ..finding }
}

fn order(finding: &LintFinding) -> (usize, LintLevel, &str, &str) {
    (finding.line.unwrap_or(usize::MAX), finding.level, &finding.code, &finding.message)
}

/// G701: entries of `[lint.accept]` that accept no finding.
fn stale_acceptance(gold: &Gold, accepted: &[LintFinding]) -> impl Iterator<Item = LintFinding> {
    let is_used = |code: &str, id: &str| {
        accepted.iter().any(|f| f.code == code && f.question.as_deref() == Some(id))
    };
    gold.accepted.iter().filter(move |(code, id)| !is_used(code, id)).map(|(code, id)| {
        let message = format!("[lint.accept] names {code} of {id}, which is not found");
        Code::G701.finding(message, &[])
    })
}
