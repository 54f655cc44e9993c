//! Renders the HTML page of run folders, for development of the page:
//!
//! ```sh
//! cargo run -p fiel-report --example page -- OUT.html [--lang es] [--texts CHUNKS.json]
//!     [--gold GOLD.jsonl] [--compare COMPARISON.json]… RUN…
//! ```
//!
//! `--texts` is a JSON object of passages by chunk id, `--compare` the output of
//! `fiel compare --json`.

use std::{borrow::Cow, collections::BTreeMap, error::Error, fs, path::Path};

use fiel_record::{Comparison, Evidence, QuestionRecord, Summary, TimingRecord};
use fiel_report::{ChunkTexts, PageLang, PageRun, ReportPage, html_page};
use serde::{Deserialize, de::DeserializeOwned};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

#[derive(Deserialize)]
struct GoldLine {
    id: String,
    #[serde(default)]
    evidence: Vec<Evidence>,
}

fn main() -> Result<()> {
    let mut args = std::env::args().skip(1);
    let out = args.next().ok_or("name the file to write")?;
    let (mut page, mut lang) = (ReportPage::default(), PageLang::En);
    let (mut texts, mut comparisons) = (BTreeMap::new(), Vec::<Comparison>::new());
    while let Some(arg) = args.next() {
        let mut value = || args.next().ok_or(format!("{arg} needs a value"));
        match arg.as_str() {
            "--lang" => lang = serde_json::from_value(value()?.into())?,
            "--texts" => texts = serde_json::from_str(&fs::read_to_string(value()?)?)?,
            "--gold" => {
                let lines: Vec<GoldLine> = lines(value()?.as_ref())?;
                let page_evidence = lines.into_iter();
                page.evidence = page_evidence.map(|l| (l.id, Cow::Owned(l.evidence))).collect();
            }
            "--compare" => {
                comparisons.push(serde_json::from_str(&fs::read_to_string(value()?)?)?);
            }
            folder => page.runs.push(run(folder.as_ref())?),
        }
    }
    page.shown = page.runs.len().saturating_sub(1);
    for run in &mut page.runs {
        let id = &run.summary.timing.run;
        run.comparison = comparisons.iter().find(|c| c.b.run == *id).cloned();
        let chunks_sha256 = run.summary.manifest.chunks_sha256.clone();
        let known = page.chunks.iter();
        if !texts.is_empty() && known.into_iter().all(|c| c.chunks_sha256 != chunks_sha256) {
            page.chunks.push(ChunkTexts { chunks_sha256, texts: texts.clone() });
        }
    }
    fs::write(out, html_page(&page, lang))?;
    Ok(())
}

fn run(folder: &Path) -> Result<PageRun<'static>> {
    let summary: Summary = serde_json::from_str(&fs::read_to_string(folder.join("summary.json"))?)?;
    let records: Vec<QuestionRecord> = lines(&folder.join("records.jsonl"))?;
    let mut run = PageRun::new(Cow::Owned(summary), Cow::Owned(records));
    run.timings = lines::<TimingRecord>(&folder.join("timings.jsonl")).unwrap_or_default();
    Ok(run)
}

fn lines<T: DeserializeOwned>(path: &Path) -> Result<Vec<T>> {
    let text = fs::read_to_string(path)?;
    let lines = text.lines().filter(|line| !line.is_empty());
    Ok(lines.map(serde_json::from_str).collect::<std::result::Result<_, _>>()?)
}
