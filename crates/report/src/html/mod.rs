//! One HTML file of one or more runs: no network, opens from disk.
//!
//! The page is a fixed template, a style sheet, a script and one block of JSON. Everything that
//! came from a run reaches the document as text nodes only; the page's own policy refuses any
//! other way.

mod curves;
mod data;
mod diagnosed;
mod number;
mod parts;
mod quote;
mod reading;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{Comparison, Diagnosis, GateReport, QuestionRecord, Summary, TimingRecord};

/// Name and version of what the page is made of.
pub const PAGE_SCHEMA: &str = "fiel.page/1";

/// Language that the page opens in; its reader can switch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PageLang {
    /// English.
    #[default]
    En,
    /// Spanish.
    Es,
}

impl PageLang {
    fn code(self) -> &'static str {
        match self {
            Self::En => "en",
            Self::Es => "es",
        }
    }
}

impl std::str::FromStr for PageLang {
    type Err = String;

    fn from_str(code: &str) -> Result<Self, String> {
        match code {
            "en" => Ok(Self::En),
            "es" => Ok(Self::Es),
            other => Err(format!(
                "`{other}` is no language of the page; use en or es"
            )),
        }
    }
}

/// All that the page shows.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ReportPage {
    /// Heading; by default the gold set and the questions chosen.
    #[serde(default)]
    pub title: Option<String>,
    /// The runs in the order of the table. The one they are compared with, when it is here, first.
    pub runs: Vec<PageRun>,
    /// Position of the run that the page opens with.
    #[serde(default)]
    pub shown: usize,
    /// Texts of the passages, once for each way of cutting the knowledge base.
    #[serde(default)]
    pub chunks: Vec<ChunkTexts>,
    /// Evidence of the gold set by question.
    #[serde(default)]
    pub evidence: BTreeMap<String, Vec<PageEvidence>>,
    /// What the reader of the page should know: texts that are missing, and why.
    #[serde(default)]
    pub notes: Vec<String>,
}

/// A run on the page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PageRun {
    /// Short name, for example of an ablation's arm; by default its note, or what differs from
    /// the run it is compared with.
    #[serde(default)]
    pub label: Option<String>,
    /// Its figures.
    pub summary: Summary,
    /// A record a question.
    pub records: Vec<QuestionRecord>,
    /// Times by question.
    #[serde(default)]
    pub timings: Vec<TimingRecord>,
    /// This run (B) against the baseline or the first run (A); none for the latter itself.
    #[serde(default)]
    pub comparison: Option<Comparison>,
    /// Targets and the committed baseline, when they were checked.
    #[serde(default)]
    pub gate: Option<GateReport>,
    /// What the reruns of its wrong answers show, when they were made.
    #[serde(default)]
    pub diagnosis: Option<Diagnosis>,
}

impl PageRun {
    /// A run without anything beside its figures and records.
    pub fn new(summary: Summary, records: Vec<QuestionRecord>) -> Self {
        Self {
            label: None,
            summary,
            records,
            timings: Vec::new(),
            comparison: None,
            gate: None,
            diagnosis: None,
        }
    }
}

/// The passages of a knowledge base cut in one way.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChunkTexts {
    /// Digest of the chunks, as manifests have it.
    pub chunks_sha256: String,
    /// Headings and text by id, as the reader is given them. Only those that a run names are
    /// written into the page.
    pub texts: BTreeMap<String, String>,
}

/// A piece of evidence as the gold set has it; the fields are named as there.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageEvidence {
    /// The document.
    pub doc: String,
    /// The words; none where the whole document is judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quote: Option<String>,
    /// Grade of a judged document.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grade: Option<i32>,
    /// Alternatives share a group.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
}

const TEMPLATE: &str = include_str!("page.html");

const STYLE: &[&str] = &[
    include_str!("css/base.css"),
    include_str!("css/overview.css"),
    include_str!("css/questions.css"),
    include_str!("css/print.css"),
];

const SCRIPT: &[&str] = &[
    include_str!("js/words.js"),
    include_str!("js/words_es.js"),
    include_str!("js/dom.js"),
    include_str!("js/model.js"),
    include_str!("js/svg.js"),
    include_str!("js/overview.js"),
    include_str!("js/runs.js"),
    include_str!("js/measures.js"),
    include_str!("js/pictures.js"),
    include_str!("js/heatmap.js"),
    include_str!("js/diagnosis.js"),
    include_str!("js/list.js"),
    include_str!("js/detail.js"),
    include_str!("js/provenance.js"),
    include_str!("js/main.js"),
];

/// The page: one file that needs nothing else.
///
/// The same input gives the same bytes. Runs may have different questions; they are joined by id.
pub fn html_page(input: &ReportPage, lang: PageLang) -> String {
    let data = data::Data::of(input);
    // A tree of strings, numbers and maps with string keys always serializes, and no number in it
    // is infinite.
    let json = serde_json::to_string(&data).unwrap_or_else(|_| "null".to_owned());
    let title = data.title();
    let fill = |name: &str| match name {
        "lang" => lang.code().to_owned(),
        "title" => escape(&title),
        "style" => STYLE.concat(),
        "data" => json.replace('<', "\\u003c"),
        "script" => format!("(() => {{\n\"use strict\";\n{}}})();\n", SCRIPT.concat()),
        _ => String::new(),
    };
    let mut out = String::with_capacity(json.len() + 200_000);
    let mut rest = TEMPLATE;
    // One pass, so that what was filled in is never taken for a place to fill.
    while let Some((before, (name, after))) = rest
        .split_once("{{")
        .and_then(|(before, after)| Some((before, after.split_once("}}")?)))
    {
        out.push_str(before);
        out.push_str(&fill(name));
        rest = after;
    }
    out.push_str(rest);
    out
}

fn escape(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    text.replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Keys of a table of words: what stands before a colon at the start of an entry.
    fn keys(source: &str) -> Vec<&str> {
        let (_, table) = source.split_once("= {").expect("a table");
        let (table, _) = table.split_once("\n};").expect("its end");
        let mut keys = Vec::new();
        let mut quoted = None;
        let mut word = 0;
        let bytes = table.as_bytes();
        for (at, &byte) in bytes.iter().enumerate() {
            match (quoted, byte) {
                (Some(mark), _) if byte == mark && bytes[at - 1] != b'\\' => quoted = None,
                (None, b'"' | b'`') => quoted = Some(byte),
                (None, b':') => keys.push(table[word..at].trim()),
                (None, b',' | b'\n' | b' ') => word = at + 1,
                _ => {}
            }
        }
        keys.retain(|key| !key.is_empty());
        keys
    }

    #[test]
    fn english_and_spanish_have_the_same_words() {
        let english = keys(include_str!("js/words.js"));
        let spanish = keys(include_str!("js/words_es.js"));
        assert!(english.len() > 150, "{english:?}");
        assert_eq!(english, spanish);
    }

    #[test]
    fn no_style_or_script_ends_its_element() {
        for source in STYLE.iter().chain(SCRIPT) {
            assert!(!source.contains("</"), "{source}");
        }
        let places = TEMPLATE.matches("{{").count();
        assert_eq!(places, TEMPLATE.matches("}}").count());
        assert_eq!(places, 5);
    }

    #[test]
    fn languages_are_named_by_their_code() {
        assert_eq!("es".parse(), Ok(PageLang::Es));
        assert!(
            "fr".parse::<PageLang>()
                .is_err_and(|e| e.contains("en or es"))
        );
    }
}
