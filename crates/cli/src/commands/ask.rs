use anyhow::{Result, bail};
use fiel_corpus::KnowledgeBase;
use fiel_metrics::{Lang, parse_citations};
use fiel_reader::{Observer, ReadRequest};
use fiel_report::one_line;
use serde::Serialize;

use crate::{
    args::{AskArgs, Common},
    commands::Verdict,
    output::{json, note, print, style},
    settings::Settings,
    workspace::{kb_path, pipeline, stock},
};

#[derive(Serialize)]
struct Answer<'a> {
    question: &'a str,
    answer: &'a str,
    abstained: bool,
    cached: bool,
    prompt_tokens: usize,
    answer_tokens: usize,
    /// Chunks that the answer cites.
    cited: Vec<&'a str>,
    passages: Vec<Passage<'a>>,
    dropped: &'a [String],
}

#[derive(Serialize)]
struct Passage<'a> {
    id: &'a str,
    chunk: &'a str,
    text: &'a str,
}

pub fn run(args: &AskArgs, settings: &Settings, common: &Common) -> Result<Verdict> {
    if args.question.trim().is_empty() {
        bail!("the question is empty");
    }
    let kb = KnowledgeBase::load(&kb_path(&settings.kb))?;
    let spanish = args.question.contains(['¿', '¡']).then_some(Lang::Es);
    let lang: Option<Lang> = args.lang.as_deref().map(str::parse).transpose()?;
    let lang = lang.or(spanish).unwrap_or(kb.info.lang);
    let pipeline = pipeline(&kb, settings, true, &mut stock(common)?, common.quiet)?;
    let mut streamed = Ok(());
    let mut sink = |text: &str| {
        if !common.json && streamed.is_ok() {
            streamed = print(text);
        }
    };
    let mut loading = |_| note(common.quiet, "loading the reader");
    let request = ReadRequest {
        use_cache: !args.fresh,
        ..ReadRequest::new(&args.question, &[], lang)
    };
    let mut observer = Observer {
        on_text: Some(&mut sink),
        on_progress: Some(&mut loading),
    };
    let (_, outcome) = pipeline.ask(&request, &mut observer)?;
    streamed?;
    let passages = &outcome.context.passages;
    let offered: Vec<&str> = passages.iter().map(|p| p.id.as_str()).collect();
    let citations = parse_citations(&outcome.answer, &offered);
    let is_cited = |id: &str| {
        citations
            .iter()
            .flat_map(|c| &c.ids)
            .any(|cited| cited.known && cited.id == id)
    };
    if common.json {
        json(&Answer {
            question: &args.question,
            answer: &outcome.answer,
            abstained: outcome.abstained,
            cached: outcome.cached,
            prompt_tokens: outcome.prompt_tokens,
            answer_tokens: outcome.answer_tokens,
            cited: passages
                .iter()
                .filter(|p| is_cited(&p.id))
                .map(|p| p.chunk.as_str())
                .collect(),
            passages: passages
                .iter()
                .map(|p| Passage {
                    id: &p.id,
                    chunk: &p.chunk,
                    text: &p.text,
                })
                .collect(),
            dropped: &outcome.context.dropped,
        })?;
        return Ok(Verdict::Good);
    }
    let mut rest = "\n\n".to_owned();
    for passage in passages {
        let mark = if is_cited(&passage.id) { "*" } else { " " };
        let line = format!("[{}] {}  {}", passage.id, passage.chunk, passage.text);
        rest.push_str(&format!(
            "{mark} {}\n",
            one_line(&line, style().width.saturating_sub(2))
        ));
    }
    if !outcome.context.dropped.is_empty() {
        rest.push_str(&format!(
            "  left out by read.context_tokens: {}\n",
            outcome.context.dropped.join(", ")
        ));
    }
    print(&rest)?;
    Ok(Verdict::Good)
}
