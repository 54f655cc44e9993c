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

use crate::{Error, GoldFault};

/// One question with what a right answer needs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Question {
    /// Unique in the set.
    pub id: QuestionId,
    /// As a person asks it.
    pub question: String,
    /// Language of question and answers.
    #[serde(default)]
    pub lang: Lang,
    /// All needed, save alternatives.
    #[serde(default)]
    pub evidence: Vec<Evidence>,
    /// References, each right.
    #[serde(default)]
    pub answers: Vec<String>,
    /// Strings that every right answer holds.
    #[serde(default)]
    pub answer_contains: Vec<String>,
    /// Documents that are read for it end to end, instead of what is found: for collections that
    /// give each question its passages. Empty: what is found is read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub context: Vec<DocId>,
    /// For slices: `style:typos`, `tense:past-simple`, …
    #[serde(default)]
    pub tags: Vec<String>,
    /// Whether the base holds no answer.
    #[serde(default)]
    pub unanswerable: bool,
    /// Its part of the set.
    #[serde(default)]
    pub split: Split,
}

impl Question {
    /// Whether its evidence is documents judged as a whole.
    pub fn is_judged(&self) -> bool {
        self.evidence.iter().any(|e| e.quote.is_none())
    }
}

/// A gold set: `NAME.jsonl` with the questions and `NAME.toml` with knowledge base and targets.
#[derive(Clone, Debug, PartialEq)]
pub struct Gold {
    /// Name of the file without its extension.
    pub name: String,
    /// Knowledge base that it is for, by name.
    pub kb: Option<String>,
    /// Questions with their lines, in the order of the file.
    pub questions: Vec<(usize, Question)>,
    /// Means that are to be reached, or stayed below.
    pub targets: Vec<Target>,
    /// Latencies that are to be stayed below.
    pub latency: Vec<LatencyTarget>,
    /// Thresholds of the guard, chosen on the development split; see `[read.guard]`.
    pub guard: Option<GuardSettings>,
    /// SHA-256 of the questions.
    pub digest: String,
    /// Findings of the linter that were looked at and are right as they are: code, question id.
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
    /// [`Error::Gold`] with every faulty line, not only the first.
    pub fn load(path: &Path) -> Result<Self, Error> {
        let (gold, faults) = Self::read(path)?;
        match faults[..] {
            [] => Ok(gold),
            _ => Err(Error::Gold { path: path.to_owned(), faults }),
        }
    }

    /// Its file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The knowledge base that the companion file of a set names.
    ///
    /// # Errors
    /// When the companion file is faulty.
    pub fn kb_of(path: &Path) -> Result<Option<String>, Error> {
        Ok(companion(&path.with_extension("toml"))?.kb)
    }

    /// A set without questions, to be written to `path`.
    pub fn empty(path: &Path) -> Self {
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

    /// Questions of another source as a set, with their places in it as lines.
    ///
    /// # Errors
    /// When a question cannot be written as JSON.
    pub fn of(name: &str, questions: Vec<Question>, path: &Path) -> Result<Self, Error> {
        let mut all = String::new();
        for question in &questions {
            let line = serde_json::to_string(question).map_err(|e| Error::io(path, e.into()))?;
            all.push_str(&line);
            all.push('\n');
        }
        Ok(Self {
            name: name.to_owned(),
            questions: (1..).zip(questions).collect(),
            digest: sha256_hex(all.as_bytes()),
            ..Self::empty(path)
        })
    }

    /// The questions that could be read, and what is wrong with the file, by line.
    pub fn read(path: &Path) -> Result<(Self, Vec<GoldFault>), Error> {
        let text = read_optional_text(path)?
            .ok_or_else(|| Error::NoGold { path: path.to_owned(), known: beside(path) })?;
        let mut questions = Vec::new();
        let mut faults = Vec::new();
        let mut ids = BTreeSet::new();
        for (line, question) in json_lines::<Question>(&text) {
            match question {
                Err(e) => faults.push(GoldFault { line, question: None, message: e.to_string() }),
                Ok(question) => {
                    let mut fault = |message: &str| {
                        let question = Some(question.id.clone());
                        faults.push(GoldFault { line, question, message: message.to_owned() });
                    };
                    check(&question, &mut fault);
                    if !ids.insert(question.id.clone()) {
                        fault("the id occurs twice; give each question its own");
                    }
                    questions.push((line, question));
                }
            }
        }
        if questions.is_empty() && faults.is_empty() {
            faults.push(GoldFault {
                line: 1,
                question: None,
                message: "the file holds no question".into(),
            });
        }
        let companion = companion(&path.with_extension("toml"))?;
        let accepted = companion.lint.accept.into_iter();
        let (targets, latency) = targets(companion.targets, &path.with_extension("toml"))?;
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

/// What makes a question unusable whatever the documents say.
pub fn check(question: &Question, fault: &mut dyn FnMut(&str)) {
    if question.id.trim().is_empty() {
        fault("the id is empty");
    }
    if question.question.trim().is_empty() {
        fault("the question is empty");
    }
    if question.answers.iter().chain(&question.answer_contains).any(|a| a.trim().is_empty()) {
        fault("an answer is empty");
    }
    if question.unanswerable {
        if !question.evidence.is_empty() || !question.answers.is_empty() {
            fault("it is unanswerable and yet has evidence or answers; remove them or the mark");
        }
    } else if question.is_judged() {
        if question.evidence.iter().any(|e| e.quote.is_some()) {
            fault("some of its evidence has a quote and some has none; give each entry one");
        } else if question.evidence.iter().all(|e| e.grade.unwrap_or(1) < 1) {
            fault("none of its documents has a grade above 0; name one that is relevant");
        }
        if question.evidence.iter().any(|e| e.group.is_some()) {
            fault("groups are for quotes, and its evidence has none; remove them");
        }
    } else if question.evidence.iter().any(|e| e.grade.is_some()) {
        fault("grades are for whole documents, and its evidence has quotes; remove them");
    } else if question.evidence.is_empty() || question.answers.is_empty() {
        fault(
            "it is answerable and lacks evidence or answers; add them or mark it \"unanswerable\": true",
        );
    }
}

fn companion(path: &Path) -> Result<Companion, Error> {
    let text = read_optional_text(path)?.unwrap_or_default();
    toml::from_str(&text)
        .map_err(|e| Error::Targets { path: path.to_owned(), message: e.to_string() })
}

/// `"retrieval.hit@5" = 0.8` and so on, and `"latency.p50_ms" = 2000`.
fn targets(
    table: BTreeMap<String, f64>,
    path: &Path,
) -> Result<(Vec<Target>, Vec<LatencyTarget>), Error> {
    let bad = |message: String| Error::Targets { path: path.to_owned(), message };
    let (mut out, mut latency) = (Vec::new(), Vec::new());
    for (key, bound) in table {
        if let Some(name) = key.strip_prefix("latency.") {
            let percentile = match name {
                "p50_ms" => 50,
                "p95_ms" => 95,
                "p99_ms" => 99,
                _ => {
                    return Err(bad(format!(
                        "target `{key}`: write latency.p50_ms, latency.p95_ms or latency.p99_ms"
                    )));
                }
            };
            if !(bound.is_finite() && bound > 0.0) {
                return Err(bad(format!("target `{key}` is {bound}: it must be above 0")));
            }
            latency.push(LatencyTarget { percentile, below_ms: bound, ms: None, met: None });
            continue;
        }
        let column: Column = key.parse().map_err(|e| {
            bad(format!(
                "target `{key}`: {e}; expected retrieval.MEASURE, oracle.MEASURE, e2e.MEASURE or \
                 latency.p50_ms"
            ))
        })?;
        let Column { mode, measure } = column;
        if !column.is_measured() {
            return Err(bad(format!("target `{key}`: the mode {mode} does not measure {measure}")));
        }
        if !(0.0..=1.0).contains(&bound) {
            return Err(bad(format!("target `{key}` is {bound}: it must lie between 0 and 1")));
        }
        out.push(Target { mode, measure, bound, mean: None, met: None });
    }
    Ok((out, latency))
}

/// Names of the gold sets in the folder of `path`.
fn beside(path: &Path) -> Vec<String> {
    let Some(entries) = path.parent().and_then(|dir| std::fs::read_dir(dir).ok()) else {
        return Vec::new();
    };
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let mut names: Vec<String> = paths
        .filter(|p| p.extension().is_some_and(|e| e == "jsonl"))
        .filter_map(|p| Some(p.file_stem()?.to_string_lossy().into_owned()))
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
            "line 5, b: it is unanswerable and yet",
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
            (r#"{"doc":"d"},{"doc":"e","quote":"x"}"#, "some has none"),
            (r#"{"doc":"d","group":"a"}"#, "groups are for quotes"),
            (r#"{"doc":"d","quote":"x","grade":1}"#, "grades are for whole documents"),
        ] {
            let message = judged(evidence).expect_err(evidence).to_string();
            assert!(message.contains(fault), "{message}");
        }
    }

    #[test]
    fn bad_targets_and_missing_sets_are_named() {
        let target = |t: &str| load(GOOD, Some(t)).expect_err("bad").to_string();
        assert!(target("[targets]\n\"hit@5\" = 0.8\n").contains("write retrieval.MEASURE"));
        assert!(target("[targets]\n\"e2e.hits\" = 0.8\n").contains("e2e.hits"));
        assert!(target("[targets]\n\"e2e.F1\" = 80\n").contains("between 0 and 1"));
        assert!(target("colour = 1\n").contains("colour"));
        assert!(load("\n", None).expect_err("empty").to_string().contains("holds no question"));
        let missing = Gold::load(Path::new("no/such.jsonl")).expect_err("missing");
        assert!(missing.to_string().contains("no such gold set"));
    }
}
