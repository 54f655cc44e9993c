use std::{
    collections::{BTreeMap, BTreeSet},
    io::Write,
    path::{Path, PathBuf},
};

use fiel_metrics::SUPPORT_SHARE;
use fiel_record::{ClaimRecord, EvalMode, QuestionRecord};
use fiel_store::{json_lines, read_optional_text, sha256_hex};
use serde::{Deserialize, Serialize};

use crate::Error;
use fiel_gold::GoldFault;
use fiel_runs::StoredRun;

/// What a person says of a claim of an answer. Without a date: the file is kept with the gold set.
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
    /// Whether they support it.
    pub label: bool,
    /// What the scorers gave, by their names; not shown to the person.
    #[serde(default)]
    pub scores: BTreeMap<String, f64>,
}

/// A claim to be labelled.
#[derive(Clone, Debug, PartialEq)]
pub struct Unlabelled {
    /// The question as asked.
    pub question: String,
    /// All but the person's word, which is `false` so far.
    pub label: Label,
}

/// `gold/NAME.labels.jsonl` of `gold/NAME.jsonl`.
pub fn labels_path(gold: &Path) -> PathBuf {
    gold.with_extension("labels.jsonl")
}

/// The labels of a file; none where there is no file.
///
/// # Errors
/// [`Error::Gold`] with every faulty line.
pub fn load_labels(path: &Path) -> Result<Vec<Label>, Error> {
    let text = read_optional_text(path)?.unwrap_or_default();
    let (mut labels, mut faults) = (Vec::new(), Vec::new());
    for (line, label) in json_lines(&text) {
        match label {
            Ok(label) => labels.push(label),
            Err(e) => faults.push(GoldFault { line, question: None, message: e.to_string() }),
        }
    }
    match faults[..] {
        [] => Ok(labels),
        _ => Err(fiel_gold::Error::Gold { path: path.to_owned(), faults }.into()),
    }
}

/// Adds a label at the end of a file.
///
/// # Errors
/// When it cannot be written.
pub fn append_label(path: &Path, label: &Label) -> Result<(), Error> {
    let line = serde_json::to_string(label).map_err(|e| Error::io(path, e.into()))?;
    let mut options = std::fs::OpenOptions::new();
    let file = options.create(true).append(true).open(path);
    let written = file.and_then(|mut file| writeln!(file, "{line}"));
    written.map_err(|e| Error::io(path, e))
}

/// At most `most` claims of a run's end-to-end answers that have no label yet, each claim of a
/// context once, in the order of a hash: which question they are of decides nothing.
pub fn unlabelled(run: &StoredRun, labels: &[Label], most: usize) -> Vec<Unlabelled> {
    let key = |label: &Label| (label.claim.clone(), label.chunks.clone());
    let mut seen: BTreeSet<(String, Vec<String>)> = labels.iter().map(key).collect();
    let mut found: Vec<Unlabelled> = run
        .records
        .iter()
        .flat_map(|record| of_record(&run.summary.timing.run, record))
        .filter(|claim| seen.insert(key(&claim.label)))
        .collect();
    found.sort_by_cached_key(|claim| {
        let label = &claim.label;
        sha256_hex(format!("{}\n{}", label.question, label.claim).as_bytes())
    });
    found.truncate(most);
    found
}

fn of_record(run: &str, record: &QuestionRecord) -> Vec<Unlabelled> {
    let Some(read) = record.read(EvalMode::E2e) else {
        return Vec::new();
    };
    let chunks: Vec<String> = read.passages.iter().map(|p| p.chunk.to_string()).collect();
    let claim = |claim: &ClaimRecord| {
        let mut scores = claim.scores.clone();
        scores.insert("lexical".to_owned(), lexical(claim));
        Unlabelled {
            question: record.question.clone(),
            label: Label {
                run: run.to_owned(),
                question: record.id.to_string(),
                claim: claim.text.clone(),
                chunks: chunks.clone(),
                label: false,
                scores,
            },
        }
    };
    read.claims.iter().map(claim).collect()
}

/// The score of [`Scorer::Lexical`](super::Scorer): a contradiction leaves nothing of the share.
fn lexical(claim: &ClaimRecord) -> f64 {
    match claim.loose || claim.share < SUPPORT_SHARE {
        true => claim.share,
        false => 0.0,
    }
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
