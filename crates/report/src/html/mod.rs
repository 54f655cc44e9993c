//! A self-contained HTML page of one or more runs. It opens from disk and loads nothing.
//!
//! The page is a fixed template with a style sheet, a script and one block of JSON. Text from a run
//! enters the document only as text nodes; the content security policy of the page blocks any
//! other way.

mod curves;
mod data;
mod diagnosed;
mod number;
mod parts;
mod question;
mod quote;
mod reading;
mod texts;

use std::{borrow::Cow, collections::BTreeMap};

use fiel_record::{
    Comparison, Diagnosis, Evidence, GateReport, QuestionRecord, Summary, TimingRecord,
};
use serde::Deserialize;

/// Name and version of the data in the page.
pub const PAGE_SCHEMA: &str = "fiel.page/1";

/// The language that the page opens in. The page has a switch for it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
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

/// The input of [`html_page`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReportPage<'a> {
    /// Heading; by default the name of the gold set and the selection of questions.
    pub title: Option<String>,
    /// The runs in the order of their table; the run that the others are compared with is first.
    pub runs: Vec<PageRun<'a>>,
    /// Position of the run that the page opens with.
    pub shown: usize,
    /// Texts of the passages by chunk set.
    pub chunks: Vec<ChunkTexts>,
    /// Evidence of the gold set by id of the question.
    pub evidence: BTreeMap<String, Cow<'a, [Evidence]>>,
    /// Notes at the top of the page, for example on missing texts.
    pub notes: Vec<String>,
}

/// A run on the page.
#[derive(Clone, Debug, PartialEq)]
pub struct PageRun<'a> {
    /// Short name, for example of a variant of an ablation; by default the note of the run.
    pub label: Option<String>,
    /// Measures and manifest.
    pub summary: Cow<'a, Summary>,
    /// One record per question.
    pub records: Cow<'a, [QuestionRecord]>,
    /// Times by question.
    pub timings: Vec<TimingRecord>,
    /// Comparison of this run (B) with the baseline or the first run (A); absent for A itself.
    pub comparison: Option<Comparison>,
    /// Result of the gate, if it was run.
    pub gate: Option<GateReport>,
    /// Diagnosis of the wrong answers, if there is one.
    pub diagnosis: Option<Diagnosis>,
}

impl<'a> PageRun<'a> {
    /// A run with summary and records only.
    pub fn new(summary: Cow<'a, Summary>, records: Cow<'a, [QuestionRecord]>) -> Self {
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

    fn records(&self) -> &[QuestionRecord] {
        &self.records
    }
}

/// The texts of a chunk set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChunkTexts {
    /// Digest of the chunk set, as in the manifest of a run.
    pub chunks_sha256: String,
    /// Headings and text by id of the chunk, as the reader gets them. The page contains only the
    /// texts of chunks that a run mentions.
    pub texts: BTreeMap<String, String>,
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

/// Renders a self-contained HTML page.
///
/// The same input gives the same bytes. Runs may have different questions; they are joined by id.
pub fn html_page(page: &ReportPage<'_>, lang: PageLang) -> String {
    let data = data::PageData::new(page);
    // Strings, numbers and maps with string keys always serialize.
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
    // A single pass, because inserted text may contain `{{`.
    while let Some((before, (name, after))) =
        rest.split_once("{{").and_then(|(before, after)| Some((before, after.split_once("}}")?)))
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

    /// The keys of an object literal.
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
    fn english_and_spanish_have_the_same_keys() {
        let english = keys(include_str!("js/words.js"));
        let spanish = keys(include_str!("js/words_es.js"));
        assert!(english.len() > 150, "{english:?}");
        assert_eq!(english, spanish);
    }

    #[test]
    fn styles_and_scripts_do_not_close_their_element() {
        for source in STYLE.iter().chain(SCRIPT) {
            assert!(!source.contains("</"), "{source}");
        }
        let places = TEMPLATE.matches("{{").count();
        assert_eq!(places, TEMPLATE.matches("}}").count());
        assert_eq!(places, 5);
    }

    #[test]
    fn languages_are_parsed_from_their_code() {
        let parse = |code: &str| serde_json::from_value::<PageLang>(code.into());
        assert_eq!(parse("es").ok(), Some(PageLang::Es));
        assert!(parse("fr").is_err_and(|e| e.to_string().contains("`en` or `es`")));
    }
}
