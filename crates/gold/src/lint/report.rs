use std::path::{Path, PathBuf};

use fiel_corpus::KnowledgeBase;
use serde::Serialize;

use super::{
    answers, copies, coverage, duplicates, evidence,
    finding::{Code, Finding, Level},
    language,
    passages::{BuildIndex, Passages},
    unanswerable,
};
use crate::{Error, Gold, GoldFault, Question, ResolvedQuestion};

/// Name and version of the report.
pub const LINT_SCHEMA: &str = "fiel.lint/1";

/// What was found in a gold set.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LintReport {
    /// [`LINT_SCHEMA`].
    pub schema: &'static str,
    /// The gold set.
    pub path: PathBuf,
    /// The knowledge base it was held against.
    pub kb: String,
    /// Questions that could be read.
    pub questions: usize,
    /// Those of them that the documents do not answer.
    pub unanswerable: usize,
    /// Mean share of a question's content words that are in its evidence; none without quotes.
    pub overlap: Option<f64>,
    /// Findings by place: line, weight, code; those of the whole set last.
    pub findings: Vec<Finding>,
    /// Findings that `[lint.accept]` of the companion file names.
    pub accepted: Vec<Finding>,
}

impl LintReport {
    /// Findings of one level.
    pub fn count(&self, level: Level) -> usize {
        self.findings.iter().filter(|f| f.level == level).count()
    }

    /// Whether there is no finding but notes.
    pub fn is_clean(&self) -> bool {
        self.findings.iter().all(|f| f.level == Level::Note)
    }
}

/// Holds a gold set against its documents. Nothing is aborted: a line or a quote that cannot be
/// used is a finding beside the others.
///
/// # Errors
/// When the file, its companion or the index of the words cannot be read or made.
pub fn lint(path: &Path, kb: &KnowledgeBase, index: BuildIndex) -> Result<LintReport, Error> {
    let (gold, faults) = Gold::read(path)?;
    lint_gold(&gold, &faults, kb, index)
}

fn lint_gold(
    gold: &Gold,
    faults: &[GoldFault],
    kb: &KnowledgeBase,
    index: BuildIndex,
) -> Result<LintReport, Error> {
    let passages = Passages::new(kb, index)?;
    let mut findings: Vec<Finding> = evidence::unusable(faults).collect();
    let mut resolved = Vec::new();
    for (line, question) in &gold.questions {
        let (anchored, found) = one(*line, question, kb, &passages)?;
        findings.extend(found);
        resolved.push((*line, anchored));
    }
    findings.extend(duplicates::duplicates(&resolved));
    let questions: Vec<&Question> = gold.questions.iter().map(|(_, q)| q).collect();
    let overlaps: Vec<f64> = questions.iter().filter_map(|q| copies::overlap(q)).collect();
    copies::set(&overlaps, &mut findings);
    coverage::coverage(&questions, &mut findings);
    language::foreign(&questions, kb, &mut findings);
    let (accepted, mut findings) = split_accepted(gold, findings);
    findings.extend(unused(gold, &accepted));
    findings.sort_by(|a, b| order(a).cmp(&order(b)));
    Ok(LintReport {
        schema: LINT_SCHEMA,
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

/// The findings of one question more, beside those of a set.
pub(crate) fn lint_question(
    question: &Question,
    line: usize,
    others: &[(usize, Question)],
    kb: &KnowledgeBase,
    passages: &Passages,
) -> Result<Vec<Finding>, Error> {
    let (anchored, mut findings) = one(line, question, kb, passages)?;
    let mut all: Vec<(usize, ResolvedQuestion)> = others
        .iter()
        .map(|(line, q)| (*line, ResolvedQuestion::new(q, kb, &mut |_, _| {})))
        .collect();
    all.push((line, anchored));
    let duplicates = duplicates::duplicates(&all).into_iter();
    findings.extend(duplicates.filter(|f| f.line == Some(line)));
    findings.sort_by(|a, b| order(a).cmp(&order(b)));
    Ok(findings)
}

fn one(
    line: usize,
    question: &Question,
    kb: &KnowledgeBase,
    passages: &Passages,
) -> Result<(ResolvedQuestion, Vec<Finding>), Error> {
    let mut out = Vec::new();
    let anchored = evidence::anchored(line, question, kb, &mut out);
    copies::copies(line, question, &mut out);
    answers::references(line, question, &mut out);
    answers::elsewhere(line, &anchored, passages, &mut out)?;
    unanswerable::answered(line, question, passages, &mut out)?;
    language::wrong(line, question, &mut out);
    Ok((anchored, out))
}

fn order(finding: &Finding) -> (usize, Level, Code, &str) {
    (finding.line.unwrap_or(usize::MAX), finding.level, finding.code, &finding.message)
}

fn split_accepted(gold: &Gold, findings: Vec<Finding>) -> (Vec<Finding>, Vec<Finding>) {
    findings.into_iter().partition(|f| {
        // An error makes the question unusable, whoever accepts it.
        f.level != Level::Error
            && f.question
                .as_ref()
                .is_some_and(|id| gold.accepted.contains(&(f.code.to_string(), id.clone())))
    })
}

/// G701: entries of `[lint.accept]` that accept nothing.
fn unused(gold: &Gold, accepted: &[Finding]) -> Vec<Finding> {
    let used = |code: &str, id: &str| {
        accepted.iter().any(|f| f.code.to_string() == code && f.question.as_deref() == Some(id))
    };
    gold.accepted
        .iter()
        .filter(|(code, id)| !used(code, id))
        .map(|(code, id)| {
            let message =
                format!("[lint.accept] names {code} of {id}, and there is no such finding");
            Finding::of_set(Code::G701, message)
        })
        .collect()
}
