use std::{collections::BTreeMap, path::Path};

use fiel_store::{json_lines, read_json_lines, read_text, sha256_hex};
use fiel_text::Lang;
use serde::Deserialize;
use serde_json::Value as Json;

use crate::Error;
use fiel_gold::GoldFault;

/// Where labelled claims come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LabelledFormat {
    /// `claim`, `context` (a text or a list of texts), `label`, and perhaps `lang`.
    Own,
    /// `claim`, `evidence` (sentences of the cited page), `label`. Kamoi et al., WiCE, 2023.
    Wice,
    /// `claim`, `doc_id`, `label`; the documents in `corpus.jsonl` beside it. Wadden et al.,
    /// SciFact, 2020, as BEIR has it.
    SciFact,
}

impl std::fmt::Display for LabelledFormat {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Own => "claim, context, label",
            Self::Wice => "WiCE",
            Self::SciFact => "SciFact evidence",
        })
    }
}

/// A claim that a person labelled.
#[derive(Clone, Debug, PartialEq)]
pub struct LabelledClaim {
    /// Its words.
    pub claim: String,
    /// What it is held against.
    pub context: Vec<String>,
    /// Whether the context supports it. Partial support is none.
    pub supported: bool,
    /// Language of both.
    pub lang: Lang,
}

/// A file of labelled claims.
#[derive(Clone, Debug, PartialEq)]
pub struct LabelledFile {
    /// SHA-256 of it.
    pub sha256: String,
    /// How it is written.
    pub format: LabelledFormat,
    /// Its claims, in order; of SciFact each pair of claim and document once.
    pub claims: Vec<LabelledClaim>,
}

#[derive(Deserialize)]
struct LabelledLine {
    claim: String,
    #[serde(default)]
    lang: Lang,
    label: Json,
    context: Option<Texts>,
    evidence: Option<Vec<String>>,
    doc_id: Option<Json>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Texts {
    One(String),
    Many(Vec<String>),
}

impl LabelledFile {
    /// Reads a file; its format is told by its fields.
    ///
    /// # Errors
    /// [`Error::Gold`] with every faulty line; when the corpus of SciFact is missing.
    pub fn load(path: &Path) -> Result<Self, Error> {
        let text = read_text(path)?;
        let (mut claims, mut faults) = (Vec::new(), Vec::new());
        let mut format = None;
        let mut corpus = None;
        let mut seen: BTreeMap<(String, String), (usize, bool)> = BTreeMap::new();
        for (line, read) in json_lines::<LabelledLine>(&text) {
            let mut fault = |message: String| {
                faults.push(GoldFault { line, question: None, message });
            };
            let read = match read {
                Ok(read) => read,
                Err(e) => {
                    fault(e.to_string());
                    continue;
                }
            };
            let Some(supported) = supports(&read.label) else {
                fault(format!(
                    "the label is {}: write true or false, supported or not_supported",
                    read.label
                ));
                continue;
            };
            let (own, context) = match (read.context, read.evidence, read.doc_id) {
                (Some(Texts::One(text)), ..) => (LabelledFormat::Own, vec![text]),
                (Some(Texts::Many(texts)), ..) => (LabelledFormat::Own, texts),
                (_, Some(evidence), _) => (LabelledFormat::Wice, evidence),
                (_, _, Some(id)) => {
                    let id = id.as_str().map_or_else(|| id.to_string(), str::to_owned);
                    let pair = (read.claim.clone(), id.clone());
                    if let Some(&(first, label)) = seen.get(&pair) {
                        if label != supported {
                            fault(format!(
                                "claim and document {id} have the other label in line {first}"
                            ));
                        }
                        continue;
                    }
                    seen.insert(pair, (line, supported));
                    if corpus.is_none() {
                        corpus = Some(documents(&path.with_file_name("corpus.jsonl"))?);
                    }
                    match corpus.as_ref().and_then(|documents| documents.get(&id)) {
                        Some(text) => (LabelledFormat::SciFact, vec![text.clone()]),
                        None => {
                            fault(format!("document {id} is not in corpus.jsonl"));
                            continue;
                        }
                    }
                }
                (None, None, None) => {
                    fault("there is nothing to hold it against: give `context`".to_owned());
                    continue;
                }
            };
            if *format.get_or_insert(own) != own {
                fault(format!("it is of another format ({own}) than the first line"));
            }
            claims.push(LabelledClaim { claim: read.claim, context, supported, lang: read.lang });
        }
        if claims.is_empty() && faults.is_empty() {
            faults.push(GoldFault {
                line: 1,
                question: None,
                message: "the file holds no labelled claim".to_owned(),
            });
        }
        match faults[..] {
            [] => Ok(Self {
                sha256: sha256_hex(text.as_bytes()),
                format: format.unwrap_or(LabelledFormat::Own),
                claims,
            }),
            _ => Err(fiel_gold::Error::Gold { path: path.to_owned(), faults }.into()),
        }
    }
}

fn supports(label: &Json) -> Option<bool> {
    match label {
        Json::Bool(label) => Some(*label),
        Json::Number(n) if n.as_u64() == Some(1) => Some(true),
        Json::Number(n) if n.as_u64() == Some(0) => Some(false),
        Json::String(word) => match word.to_lowercase().as_str() {
            "supported" | "support" | "supports" | "yes" | "true" => Some(true),
            "not_supported"
            | "partially_supported"
            | "contradict"
            | "contradicts"
            | "refutes"
            | "not_enough_info"
            | "nei"
            | "no"
            | "false" => Some(false),
            _ => None,
        },
        _ => None,
    }
}

/// Title and text of the documents of a BEIR corpus, by id.
fn documents(path: &Path) -> Result<BTreeMap<String, String>, Error> {
    #[derive(Deserialize)]
    struct BeirDocument {
        _id: String,
        #[serde(default)]
        title: String,
        text: String,
    }
    let mut out = BTreeMap::new();
    for (line, doc) in read_json_lines::<BeirDocument>(path)? {
        let doc = doc.map_err(|e| Error::Input {
            path: path.to_owned(),
            message: format!("line {line}: {e}"),
        })?;
        out.insert(doc._id, format!("{}\n\n{}", doc.title, doc.text));
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(text: &str) -> Result<LabelledFile, Error> {
        let dir = tempfile::tempdir().expect("temporary folder");
        let corpus = "{\"_id\": \"7\", \"title\": \"T\", \"text\": \"Body.\"}\n";
        std::fs::write(dir.path().join("corpus.jsonl"), corpus).expect("written");
        let path = dir.path().join("claims.jsonl");
        std::fs::write(&path, text).expect("written");
        LabelledFile::load(&path)
    }

    #[test]
    fn the_three_formats() {
        let own = r#"{"claim": "C", "context": "T", "label": 1, "lang": "es"}
{"claim": "D", "context": ["T", "U"], "label": "no"}"#;
        let file = load(own).expect("reads");
        assert_eq!((file.format, file.claims.len()), (LabelledFormat::Own, 2));
        assert_eq!((file.claims[0].lang, file.claims[0].supported), (Lang::Es, true));
        let wice = r#"{"claim": "C", "evidence": ["A.", "B."], "label": "partially_supported", "supporting_sentences": []}"#;
        let file = load(wice).expect("reads");
        assert_eq!((file.format, file.claims[0].supported), (LabelledFormat::Wice, false));
        // Two sets of sentences of one document are one pair.
        let scifact = r#"{"claim_id": "1", "claim": "C", "doc_id": "7", "label": "SUPPORT", "sentences": [1]}
{"claim_id": "1", "claim": "C", "doc_id": "7", "label": "SUPPORT", "sentences": [2]}"#;
        let file = load(scifact).expect("reads");
        assert_eq!((file.format, file.claims.len()), (LabelledFormat::SciFact, 1));
        assert_eq!(file.claims[0].context, ["T\n\nBody."]);
        let other = scifact.replacen("SUPPORT", "CONTRADICT", 1);
        let message = load(&other).expect_err("two labels").to_string();
        assert!(
            message.contains("line 2: claim and document 7 have the other label in line 1"),
            "{message}"
        );
    }

    #[test]
    fn faults_are_listed_by_line() {
        let message = load(
            "{\"claim\": \"C\", \"context\": \"T\", \"label\": \"perhaps\"}\n{\"claim\": \"C\", \"label\": 0}\n\
             {\"claim\": \"C\", \"doc_id\": 8, \"label\": 0}\nx\n",
        )
        .expect_err("faulty")
        .to_string();
        for part in [
            "4 faults",
            "line 1: the label is \"perhaps\"",
            "line 2: there is nothing",
            "line 3: document 8 is not in",
            "line 4: expected",
        ] {
            assert!(message.contains(part), "{part} in {message}");
        }
        assert!(load("").expect_err("empty").to_string().contains("no labelled claim"));
    }
}
