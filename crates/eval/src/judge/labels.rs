//! Labels: verdicts of people on claims of a run, stored next to the gold set.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs::OpenOptions,
    io::Write,
    path::{Path, PathBuf},
};

use fiel_record::{ClaimRecord, EvalMode, QuestionRecord};
use fiel_runs::StoredRun;
use fiel_store::{read_optional_text, sha256_hex};
use serde::{Deserialize, Serialize};

use super::{ScorerKind, scorer::lexical_score};
use crate::{Error, lines::parse_lines};

/// A person's verdict on a claim of an answer. It has no date, because the file belongs to the gold
/// set.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Label {
    /// Id of the run.
    pub run: String,
    /// Id of the question.
    pub question: String,
    /// The claim.
    pub claim: String,
    /// Ids of the chunks that were read.
    pub chunks: Vec<String>,
    /// Whether the chunks support the claim.
    pub label: bool,
    /// Key of the scorers of the run: the scores of another version say nothing of this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judge: Option<String>,
    /// Scores by name of the scorer; hidden from the person.
    #[serde(default)]
    pub scores: BTreeMap<String, f64>,
}

/// A claim to label.
#[derive(Clone, Debug, PartialEq)]
pub struct Unlabelled {
    /// Text of the question.
    pub question: String,
    /// The label, with the verdict `false` as a placeholder.
    pub label: Label,
}

/// `gold/NAME.labels.jsonl` for `gold/NAME.jsonl`.
pub fn labels_path(gold: &Path) -> PathBuf {
    gold.with_extension("labels.jsonl")
}

/// Loads the labels of a file; none if the file does not exist.
///
/// # Errors
/// [`Error::Gold`] with every faulty line.
pub fn load_labels(path: &Path) -> Result<Vec<Label>, Error> {
    let text = read_optional_text(path)?.unwrap_or_default();
    parse_lines(path, &text, |_, label| Ok(Some(label)))
}

/// Appends a label to a file.
///
/// # Errors
/// If the file cannot be written.
pub fn append_label(path: &Path, label: &Label) -> Result<(), Error> {
    let append = || {
        let line = serde_json::to_string(label)?;
        writeln!(OpenOptions::new().create(true).append(true).open(path)?, "{line}")
    };
    Ok(append().map_err(|e| fiel_store::Error::io(path, e))?)
}

/// At most `limit` unlabelled claims of the end-to-end answers of a run, without duplicates of a claim
/// with the same context. They are in the order of a hash, so that a part is a sample of all
/// questions.
pub fn unlabelled(run: &StoredRun, labels: &[Label], limit: usize) -> Vec<Unlabelled> {
    let key = |label: &Label| (label.claim.clone(), label.chunks.clone());
    let mut seen: BTreeSet<(String, Vec<String>)> = labels.iter().map(key).collect();
    let mut claims: Vec<Unlabelled> = run
        .records
        .iter()
        .flat_map(|record| claims_of(run, record))
        .filter(|claim| seen.insert(key(&claim.label)))
        .collect();
    claims.sort_by_cached_key(|claim| {
        let label = &claim.label;
        sha256_hex(format!("{}\n{}", label.question, label.claim).as_bytes())
    });
    claims.truncate(limit);
    claims
}

fn claims_of(run: &StoredRun, record: &QuestionRecord) -> Vec<Unlabelled> {
    let Some(read) = record.read(EvalMode::E2e) else {
        return Vec::new();
    };
    let chunks: Vec<String> = read.passages.iter().map(|p| p.chunk.to_string()).collect();
    let unlabelled = |claim: &ClaimRecord| {
        let mut scores = claim.scores.clone();
        scores.insert(ScorerKind::Lexical.to_string(), lexical_score(claim.loose, claim.share));
        Unlabelled {
            question: record.question.clone(),
            label: Label {
                run: run.summary.timing.run.clone(),
                question: record.id.to_string(),
                claim: claim.text.clone(),
                chunks: chunks.clone(),
                label: false,
                judge: run.summary.manifest.judge.clone(),
                scores,
            },
        }
    };
    read.claims.iter().map(unlabelled).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_come_back_and_faults_are_named() {
        let dir = tempfile::tempdir().expect("temporary folder");
        let path = labels_path(&dir.path().join("set.jsonl"));
        assert!(path.ends_with("set.labels.jsonl"));
        assert_eq!(load_labels(&path).expect("no file"), []);
        let label = Label {
            run: "r".into(),
            question: "q".into(),
            claim: "It is so.".into(),
            chunks: vec!["d#1".into()],
            judge: None,
            label: true,
            scores: BTreeMap::from([("grounded".into(), 0.9)]),
        };
        append_label(&path, &label).expect("written");
        append_label(&path, &label).expect("written");
        assert_eq!(load_labels(&path).expect("read"), [label.clone(), label]);
        std::fs::write(&path, "{}\n").expect("written");
        let message = load_labels(&path).expect_err("faulty").to_string();
        assert!(message.contains("line 1: missing field"), "{message}");
    }
}
