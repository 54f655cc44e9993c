//! The questions of a gold set and its companion file.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

use fiel_record::{Column, GuardSettings, LatencyTarget, Target};
pub use fiel_record::{Evidence, Split};
use fiel_store::{json_lines, read_optional_text, sha256_hex};
use fiel_text::{
    Lang,
    id::{DocId, QuestionId},
};
use serde::{Deserialize, Serialize};

use crate::{Error, GoldFault, error::to_json_lines};

/// A question with the evidence and the answers expected for it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Question {
    /// Id, unique in the set.
    pub id: QuestionId,
    /// The question as a person asks it.
    pub question: String,
    /// Language of question and answers.
    #[serde(default)]
    pub lang: Lang,
    /// Evidence; all of it is needed, except for alternatives.
    #[serde(default)]
    pub evidence: Vec<Evidence>,
    /// Reference answers, each correct by itself. Without one, only retrieval is measured.
    #[serde(default)]
    pub answers: Vec<String>,
    /// Strings that every correct answer contains.
    #[serde(default)]
    pub answer_contains: Vec<String>,
    /// Ids of documents that the reader is given whole instead of retrieved passages, for
    /// collections that fix the passages of each question.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub context: Vec<DocId>,
    /// Ids of documents that its list of passages leaves out, such as the document that the question
    /// was made of.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub exclude: Vec<DocId>,
    /// Tags, which make slices: `style:typos`, `tense:past-simple`.
    #[serde(default)]
    pub tags: Vec<String>,
    /// Whether the knowledge base lacks an answer.
    #[serde(default)]
    pub unanswerable: bool,
    /// Its part of the set.
    #[serde(default)]
    pub split: Split,
}

impl Question {
    /// Whether its evidence is whole documents.
    pub fn is_judged(&self) -> bool {
        self.evidence.iter().any(|e| e.quote.is_none())
    }

    /// Faults that make it unusable with any documents.
    pub(crate) fn faults(&self) -> Vec<&'static str> {
        let is_blank = |text: &str| text.trim().is_empty();
        let mut faults = Vec::new();
        if is_blank(&self.id) {
            faults.push("the id is empty");
        }
        if is_blank(&self.question) {
            faults.push("the question is empty");
        }
        if self.answers.iter().chain(&self.answer_contains).any(|text| is_blank(text)) {
            faults.push("an answer is empty");
        }
        if self.evidence.iter().any(|e| e.is_relevant() && self.exclude.contains(&e.doc)) {
            faults.push("it excludes a document of its evidence; remove it from `exclude`");
        }
        if self.unanswerable {
            if !self.evidence.is_empty() || !self.answers.is_empty() {
                faults.push(
                    "it is marked unanswerable but has evidence or answers; remove them or the mark",
                );
            }
        } else if self.is_judged() {
            if self.evidence.iter().any(|e| e.quote.is_some()) {
                faults.push("some of its evidence has no quote; quote all of it or none");
            } else if !self.evidence.iter().any(Evidence::is_relevant) {
                faults.push("none of its documents has a grade above 0; add a relevant one");
            }
        } else if self.evidence.iter().any(|e| e.grade.is_some()) {
            faults.push(
                "grades are for whole documents, and its evidence has quotes; remove the grades",
            );
        } else if self.evidence.is_empty() {
            faults.push("it lacks evidence; add it, or mark it \"unanswerable\": true");
        }
        faults
    }
}

/// A gold set: `NAME.jsonl` with the questions, and the companion file `NAME.toml` with knowledge
/// base and targets.
#[derive(Clone, Debug, PartialEq)]
pub struct Gold {
    /// Name of the file without its extension.
    pub name: String,
    /// Name of its knowledge base.
    pub kb: Option<String>,
    /// Questions with their lines, in the order of the file.
    pub questions: Vec<(usize, Question)>,
    /// Targets for means.
    pub targets: Vec<Target>,
    /// Targets for latencies.
    pub latency: Vec<LatencyTarget>,
    /// Thresholds of the guard, chosen on the dev split; see `[read.guard]`.
    pub guard: Option<GuardSettings>,
    /// SHA-256 of the questions.
    pub digest: String,
    /// Findings of the linter that `[lint.accept]` accepts: code, question id.
    pub(crate) accepted: BTreeSet<(String, String)>,
    pub(crate) path: PathBuf,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct Companion {
    kb: Option<String>,
    #[serde(rename = "lang")]
    _lang: Option<String>,
    targets: BTreeMap<String, f64>,
    lint: LintTable,
    guard: Option<GuardSettings>,
}

/// `[lint.accept]`: `G303 = ["id", "id"]`.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct LintTable {
    accept: BTreeMap<String, Vec<String>>,
}

impl Gold {
    /// Reads a gold set and its companion file.
    ///
    /// # Errors
    /// [`Error::Gold`] with the faults of all lines; [`Error::NoGold`], [`Error::Companion`],
    /// [`Error::Target`] or [`Error::Store`] if a file is missing or faulty.
    pub fn load(path: &Path) -> Result<Self, Error> {
        let (gold, faults) = Self::read(path)?;
        if faults.is_empty() { Ok(gold) } else { Err(Error::Gold { path: gold.path, faults }) }
    }

    /// Its file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The knowledge base that the companion file of the set at `path` names.
    ///
    /// # Errors
    /// [`Error::Companion`] or [`Error::Store`] if the companion file is faulty.
    pub fn kb_of(path: &Path) -> Result<Option<String>, Error> {
        Ok(companion(&path.with_extension("toml"))?.kb)
    }

    /// A set without questions, to be written to `path`.
    pub(crate) fn empty(path: &Path) -> Self {
        Self {
            name: path.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
            kb: None,
            questions: Vec::new(),
            targets: Vec::new(),
            latency: Vec::new(),
            guard: None,
            digest: sha256_hex(b""),
            accepted: BTreeSet::new(),
            path: path.to_owned(),
        }
    }

    /// A set of questions of another source, numbered from 1 instead of by line.
    pub(crate) fn from_questions(
        name: &str,
        questions: Vec<Question>,
        path: &Path,
    ) -> Result<Self, Error> {
        Ok(Self {
            name: name.to_owned(),
            digest: sha256_hex(to_json_lines(path, &questions)?.as_bytes()),
            questions: (1..).zip(questions).collect(),
            ..Self::empty(path)
        })
    }

    /// The lines that are questions, and the faults of all lines.
    pub(crate) fn read(path: &Path) -> Result<(Self, Vec<GoldFault>), Error> {
        let text = read_optional_text(path)?
            .ok_or_else(|| Error::NoGold { path: path.to_owned(), known: sets_next_to(path) })?;
        let (mut questions, mut faults) = (Vec::new(), Vec::new());
        let mut ids = BTreeSet::new();
        for (line, question) in json_lines::<Question>(&text) {
            match question {
                Err(e) => faults.push(GoldFault { line, question: None, message: e.to_string() }),
                Ok(question) => {
                    let is_new = ids.insert(question.id.clone());
                    let repeated =
                        (!is_new).then_some("the id occurs twice; change one of the two");
                    let messages = question.faults().into_iter().chain(repeated);
                    faults.extend(messages.map(|text| GoldFault::new(line, &question, text)));
                    questions.push((line, question));
                }
            }
        }
        if questions.is_empty() && faults.is_empty() {
            let message = "the file contains no questions".to_owned();
            faults.push(GoldFault { line: 1, question: None, message });
        }
        let companion_path = path.with_extension("toml");
        let companion = companion(&companion_path)?;
        let (targets, latency) = targets(companion.targets, &companion_path)?;
        let accepted = companion.lint.accept.into_iter();
        let gold = Self {
            kb: companion.kb,
            questions,
            targets,
            latency,
            guard: companion.guard,
            digest: sha256_hex(text.as_bytes()),
            accepted: accepted
                .flat_map(|(code, ids)| ids.into_iter().map(move |id| (code.clone(), id)))
                .collect(),
            ..Self::empty(path)
        };
        Ok((gold, faults))
    }
}

fn companion(path: &Path) -> Result<Companion, Error> {
    let text = read_optional_text(path)?.unwrap_or_default();
    toml::from_str(&text)
        .map_err(|e| Error::Companion { path: path.to_owned(), source: Box::new(e) })
}

/// Parses `"retrieval.hit@5" = 0.8` and `"latency.p50_ms" = 2000`.
fn targets(
    table: BTreeMap<String, f64>,
    path: &Path,
) -> Result<(Vec<Target>, Vec<LatencyTarget>), Error> {
    let (mut means, mut latency) = (Vec::new(), Vec::new());
    for (key, bound) in table {
        let error =
            |problem: String| Error::Target { path: path.to_owned(), key: key.clone(), problem };
        if let Some(name) = key.strip_prefix("latency.") {
            let percentile = [50, 95, 99].into_iter().find(|p| name == format!("p{p}_ms"));
            let percentile = percentile.ok_or_else(|| {
                error(": expected latency.p50_ms, latency.p95_ms or latency.p99_ms".to_owned())
            })?;
            if !(bound.is_finite() && bound > 0.0) {
                return Err(error(format!(" is {bound}: expected a number above 0")));
            }
            latency.push(LatencyTarget { percentile, below_ms: bound, ms: None, met: None });
            continue;
        }
        let column: Column = key.parse().map_err(|e| {
            error(format!(
                ": {e}; expected retrieval.MEASURE, oracle.MEASURE, e2e.MEASURE or latency.p50_ms"
            ))
        })?;
        let Column { mode, measure } = column;
        if !column.is_measured() {
            return Err(error(format!(": the mode {mode} does not measure {measure}")));
        }
        if !(0.0..=1.0).contains(&bound) {
            return Err(error(format!(" is {bound}: expected a number between 0 and 1")));
        }
        means.push(Target { mode, measure, bound, mean: None, met: None });
    }
    Ok((means, latency))
}

/// Names of the gold sets in the folder of `path`, sorted.
fn sets_next_to(path: &Path) -> Vec<String> {
    let entries = path.parent().and_then(|dir| std::fs::read_dir(dir).ok());
    let paths = entries.into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path()));
    let mut names: Vec<String> = paths
        .filter(|path| path.extension().is_some_and(|e| e == "jsonl"))
        .filter_map(|path| Some(path.file_stem()?.to_string_lossy().into_owned()))
        .filter(|name| !name.ends_with(".labels"))
        .collect();
    names.sort();
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(jsonl: &str, toml: Option<&str>) -> Result<Gold, Error> {
        let dir = tempfile::tempdir().expect("temporary folder");
        let path = dir.path().join("set.jsonl");
        std::fs::write(&path, jsonl).expect("written");
        if let Some(toml) = toml {
            std::fs::write(dir.path().join("set.toml"), toml).expect("written");
        }
        Gold::load(&path)
    }

    const GOOD: &str =
        r#"{"id":"a","question":"Q?","evidence":[{"doc":"d","quote":"x"}],"answers":["x"]}"#;

    #[test]
    fn a_good_set_loads_with_its_targets() {
        let gold =
            load(GOOD, Some("kb = \"k\"\n[targets]\n\"retrieval.hit@5\" = 0.8\n")).expect("loads");
        assert_eq!((gold.name.as_str(), gold.kb.as_deref()), ("set", Some("k")));
        assert_eq!(gold.targets[0].measure.to_string(), "hit@5");
        assert_eq!(gold.questions[0].1.split, Split::Test);
    }

    #[test]
    fn every_fault_is_listed_with_its_line() {
        let set = format!(
            "{GOOD}\n{GOOD}\n\nnot json\n{}\n{}\n",
            r#"{"id":"b","question":" ","unanswerable":true,"answers":["x"]}"#,
            r#"{"id":"c","question":"Q?","colour":1}"#
        );
        let message = load(&set, None).expect_err("faulty").to_string();
        for part in [
            "line 2, a: the id occurs twice",
            "line 4: expected",
            "line 5, b: the question is empty",
            "line 5, b: it is marked unanswerable but",
            "line 6: unknown field `colour`",
        ] {
            assert!(message.contains(part), "{part} in {message}");
        }
    }

    #[test]
    fn whole_documents_are_judged_without_quotes_or_answers() {
        let judged = |evidence: &str| {
            load(&format!(r#"{{"id":"a","question":"Q?","evidence":[{evidence}]}}"#), None)
        };
        let gold = judged(r#"{"doc":"d","grade":2},{"doc":"e","grade":0}"#).expect("loads");
        assert!(gold.questions[0].1.is_judged());
        for (evidence, fault) in [
            (r#"{"doc":"d","grade":0}"#, "a grade above 0"),
            (r#"{"doc":"d"},{"doc":"e","quote":"x"}"#, "quote all of it or none"),
            (r#"{"doc":"d","quote":"x","grade":1}"#, "grades are for whole documents"),
        ] {
            let message = judged(evidence).expect_err(evidence).to_string();
            assert!(message.contains(fault), "{message}");
        }
    }

    #[test]
    fn bad_targets_and_missing_sets_are_named() {
        let target = |t: &str| load(GOOD, Some(t)).expect_err("bad").to_string();
        assert!(target("[targets]\n\"hit@5\" = 0.8\n").contains("expected retrieval.MEASURE"));
        assert!(target("[targets]\n\"e2e.hits\" = 0.8\n").contains("e2e.hits"));
        assert!(target("[targets]\n\"e2e.F1\" = 80\n").contains("between 0 and 1"));
        assert!(target("colour = 1\n").contains("colour"));
        assert!(load("\n", None).expect_err("empty").to_string().contains("contains no questions"));
        let missing = Gold::load(Path::new("no/such.jsonl")).expect_err("missing");
        assert!(missing.to_string().contains("no such gold set"));
    }
}
