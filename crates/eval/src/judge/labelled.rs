//! Files of labelled claims, in the formats of Fiel, WiCE and SciFact.

use std::{collections::BTreeMap, path::Path};

use fiel_store::{json_lines, read_json_lines, read_text, sha256_hex};
use fiel_text::Lang;
use serde::Deserialize;
use serde_json::Value as Json;

use crate::{
    Error,
    lines::{empty_file, parse_lines},
};

/// Format of labelled claims.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LabelledFormat {
    /// `claim`, `context` (a text or a list of texts), `label`, and optionally `lang`.
    Own,
    /// `claim`, `evidence` (sentences of the cited page), `label`. Kamoi et al., WiCE, 2023.
    Wice,
    /// `claim`, `doc_id`, `label`; the documents are in `corpus.jsonl` of the same folder. Wadden et al.,
    /// SciFact, 2020, in the form of BEIR.
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
    /// Text of the claim.
    pub claim: String,
    /// Passages to check it against.
    pub context: Vec<String>,
    /// Whether the context supports it. Partial support does not count.
    pub supported: bool,
    /// Language of claim and context.
    pub lang: Lang,
}

/// A file of labelled claims.
#[derive(Clone, Debug, PartialEq)]
pub struct LabelledFile {
    /// SHA-256 of the file.
    pub sha256: String,
    /// Format of its lines.
    pub format: LabelledFormat,
    /// The claims in the order of the file; each pair of claim and document of SciFact once.
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
    /// Loads a file. The fields of the first line decide the format.
    ///
    /// # Errors
    /// [`Error::Gold`] with every faulty line; an error of the corpus of SciFact.
    pub fn load(path: &Path) -> Result<Self, Error> {
        let text = read_text(path)?;
        let mut needs_corpus = json_lines::<LabelledLine>(&text)
            .filter_map(|(_, line)| line.ok())
            .map(|line| line.context.is_none() && line.evidence.is_none() && line.doc_id.is_some());
        let corpus = if needs_corpus.any(|needed| needed) {
            documents(&path.with_file_name("corpus.jsonl"))?
        } else {
            BTreeMap::new()
        };
        let mut parser = ClaimParser { corpus, format: None, pairs: BTreeMap::new() };
        let claims = parse_lines(path, &text, |line, fields| parser.claim(line, fields))?;
        if claims.is_empty() {
            return Err(empty_file(path, "the file has no labelled claims"));
        }
        Ok(Self {
            sha256: sha256_hex(text.as_bytes()),
            format: parser.format.unwrap_or(LabelledFormat::Own),
            claims,
        })
    }
}

struct ClaimParser {
    /// Documents of SciFact by id.
    corpus: BTreeMap<String, String>,
    /// Format of the first claim.
    format: Option<LabelledFormat>,
    /// Line and label of each pair of claim and document.
    pairs: BTreeMap<(String, String), (usize, bool)>,
}

impl ClaimParser {
    /// The claim of a line; `None` for a repeated pair of claim and document.
    fn claim(
        &mut self,
        line: usize,
        fields: LabelledLine,
    ) -> Result<Option<LabelledClaim>, String> {
        let LabelledLine { claim, lang, label, context, evidence, doc_id } = fields;
        let supported = supports(&label).ok_or_else(|| {
            format!("label is {label}, expected true or false, supported or not_supported")
        })?;
        let (format, context) = match (context, evidence, doc_id) {
            (Some(Texts::One(text)), ..) => (LabelledFormat::Own, vec![text]),
            (Some(Texts::Many(texts)), ..) => (LabelledFormat::Own, texts),
            (_, Some(evidence), _) => (LabelledFormat::Wice, evidence),
            (_, _, Some(id)) => {
                let id = id.as_str().map_or_else(|| id.to_string(), str::to_owned);
                let pair = (claim.clone(), id.clone());
                let (first, label) = *self.pairs.entry(pair).or_insert((line, supported));
                if label != supported {
                    return Err(format!(
                        "claim and document {id} have the other label in line {first}"
                    ));
                }
                if first != line {
                    return Ok(None);
                }
                let text = self.corpus.get(&id);
                let text = text.ok_or_else(|| format!("document {id} is not in corpus.jsonl"))?;
                (LabelledFormat::SciFact, vec![text.clone()])
            }
            (None, None, None) => return Err("the claim has no `context`".to_owned()),
        };
        if *self.format.get_or_insert(format) != format {
            return Err(format!("the format ({format}) differs from that of the first line"));
        }
        Ok(Some(LabelledClaim { claim, context, supported, lang }))
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
    let mut documents = BTreeMap::new();
    for (line, doc) in read_json_lines::<BeirDocument>(path)? {
        let doc = doc.map_err(|e| Error::Input {
            path: path.to_owned(),
            message: format!("line {line}: {e}"),
        })?;
        documents.insert(doc._id, format!("{}\n\n{}", doc.title, doc.text));
    }
    Ok(documents)
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
            "line 1: label is \"perhaps\"",
            "line 2: the claim has no `context`",
            "line 3: document 8 is not in",
            "line 4: expected",
        ] {
            assert!(message.contains(part), "{part} in {message}");
        }
        assert!(load("").expect_err("empty").to_string().contains("no labelled claims"));
    }
}
