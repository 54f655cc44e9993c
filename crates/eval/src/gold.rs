use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

use fiel_corpus::sha256_hex;
use fiel_metrics::{Lang, Measure};
use fiel_report::Target;
use serde::{Deserialize, Serialize};

use crate::{Error, GoldFault};

/// Part of a gold set: prompts and thresholds are chosen on `dev`, figures are of `test`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Split {
    /// For choices.
    Dev,
    /// For figures.
    #[default]
    Test,
}

/// A quotation that proves an answer, or a part of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Evidence {
    /// Id of the document.
    pub doc: String,
    /// Words of the document, there exactly once.
    pub quote: String,
    /// Entries of one group are alternatives to one another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
}

/// One question with what a right answer needs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Question {
    /// Unique in the set.
    pub id: String,
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

/// A gold set: `NAME.jsonl` with the questions and `NAME.toml` with knowledge base and targets.
#[derive(Clone, Debug, PartialEq)]
pub struct Gold {
    /// Name of the file without its extension.
    pub name: String,
    /// Knowledge base that it is for, by name.
    pub kb: Option<String>,
    /// Questions with their lines, in the order of the file.
    pub questions: Vec<(usize, Question)>,
    /// Means that are to be reached.
    pub targets: Vec<Target>,
    /// SHA-256 of the questions.
    pub digest: String,
    pub(crate) path: std::path::PathBuf,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct Companion {
    kb: Option<String>,
    #[serde(rename = "lang")]
    _lang: Option<String>,
    targets: BTreeMap<String, f64>,
}

impl Gold {
    /// Reads a gold set and its companion file.
    ///
    /// # Errors
    /// [`Error::Gold`] with every faulty line, not only the first.
    pub fn load(path: &Path) -> Result<Self, Error> {
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => {
                return Err(Error::NoGold {
                    path: path.to_owned(),
                    known: beside(path),
                });
            }
            Err(e) => return Err(Error::io(path, e)),
        };
        let mut questions = Vec::new();
        let mut faults = Vec::new();
        let mut ids = BTreeSet::new();
        for (line, json) in text
            .lines()
            .enumerate()
            .filter(|(_, json)| !json.trim().is_empty())
        {
            let line = line + 1;
            match serde_json::from_str::<Question>(json) {
                Err(e) => {
                    let message = format!("{e}");
                    faults.push(GoldFault {
                        line,
                        question: None,
                        message,
                    });
                }
                Ok(question) => {
                    let mut fault = |message: &str| {
                        let question = Some(question.id.clone());
                        faults.push(GoldFault {
                            line,
                            question,
                            message: message.to_owned(),
                        });
                    };
                    check(&question, &mut fault);
                    if !ids.insert(question.id.clone()) {
                        fault("the id is there twice; give each question its own");
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
        if !faults.is_empty() {
            return Err(Error::Gold {
                path: path.to_owned(),
                faults,
            });
        }
        let companion = companion(&path.with_extension("toml"))?;
        Ok(Self {
            name: path
                .file_stem()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned(),
            kb: companion.kb,
            questions,
            targets: targets(companion.targets, &path.with_extension("toml"))?,
            digest: sha256_hex(text.as_bytes()),
            path: path.to_owned(),
        })
    }
}

fn check(question: &Question, fault: &mut dyn FnMut(&str)) {
    if question.id.trim().is_empty() {
        fault("the id is empty");
    }
    if question.question.trim().is_empty() {
        fault("the question is empty");
    }
    if question
        .answers
        .iter()
        .chain(&question.answer_contains)
        .any(|a| a.trim().is_empty())
    {
        fault("an answer is empty");
    }
    if question.unanswerable {
        if !question.evidence.is_empty() || !question.answers.is_empty() {
            fault("it is unanswerable and yet has evidence or answers; remove them or the mark");
        }
    } else if question.evidence.is_empty() || question.answers.is_empty() {
        fault(
            "it is answerable and lacks evidence or answers; add them or mark it \"unanswerable\": true",
        );
    }
}

fn companion(path: &Path) -> Result<Companion, Error> {
    match std::fs::read_to_string(path) {
        Ok(text) => toml::from_str(&text).map_err(|e| Error::Targets {
            path: path.to_owned(),
            message: e.to_string(),
        }),
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(Companion::default()),
        Err(e) => Err(Error::io(path, e)),
    }
}

/// `"retrieval.hit@5" = 0.8` and so on.
fn targets(table: BTreeMap<String, f64>, path: &Path) -> Result<Vec<Target>, Error> {
    let bad = |message: String| Error::Targets {
        path: path.to_owned(),
        message,
    };
    let mut out = Vec::new();
    for (key, at_least) in table {
        let (mode, name) = key
            .split_once('.')
            .filter(|(mode, _)| matches!(*mode, "retrieval" | "oracle" | "e2e"))
            .ok_or_else(|| {
                bad(format!(
                    "target `{key}`: write retrieval.MEASURE, oracle.MEASURE or e2e.MEASURE"
                ))
            })?;
        let measure: Measure = name
            .parse()
            .map_err(|e| bad(format!("target `{key}`: {e}")))?;
        if !(0.0..=1.0).contains(&at_least) {
            return Err(bad(format!(
                "target `{key}` is {at_least}: it must lie between 0 and 1"
            )));
        }
        out.push(Target {
            mode: mode.to_owned(),
            measure,
            at_least,
            mean: None,
            met: None,
        });
    }
    Ok(out)
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
        let gold = load(
            GOOD,
            Some("kb = \"k\"\n[targets]\n\"retrieval.hit@5\" = 0.8\n"),
        )
        .expect("loads");
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
            "line 2, a: the id is there twice",
            "line 4: expected",
            "line 5, b: the question is empty",
            "line 5, b: it is unanswerable and yet",
            "line 6: unknown field `colour`",
        ] {
            assert!(message.contains(part), "{part} in {message}");
        }
    }

    #[test]
    fn bad_targets_and_missing_sets_are_named() {
        let target = |t: &str| load(GOOD, Some(t)).expect_err("bad").to_string();
        assert!(target("[targets]\n\"hit@5\" = 0.8\n").contains("write retrieval.MEASURE"));
        assert!(target("[targets]\n\"e2e.hits\" = 0.8\n").contains("e2e.hits"));
        assert!(target("[targets]\n\"e2e.F1\" = 80\n").contains("between 0 and 1"));
        assert!(target("colour = 1\n").contains("colour"));
        assert!(
            load("\n", None)
                .expect_err("empty")
                .to_string()
                .contains("holds no question")
        );
        let missing = Gold::load(Path::new("no/such.jsonl")).expect_err("missing");
        assert!(missing.to_string().contains("no such gold set"));
    }
}
