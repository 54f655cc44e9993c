//! `fiel ask`

use anyhow::{Result, bail};
use clap::Args;
use fiel_metrics::parse_citations;
use fiel_reader::{Observer, Outcome, Passage, ReadRequest};
use fiel_record::{AskPassage, AskResult};
use fiel_report::ask_screen;
use fiel_text::Lang;

use crate::{
    args::{Common, PipelineArgs, ReaderArgs},
    output::{note, print, show, style},
    settings::{Options, Settings},
    verdict::Verdict,
    workspace::{builder, load_kb, pipeline},
};

#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  fiel ask \"What is the past participle of eat?\"\n  \
    fiel ask \"How do I say 'había comido'?\" --reader extractive\n  \
    fiel ask \"¿Cuántos días de permiso hay?\" --kb laboral\n\n\
    The answer is followed by the passages in the prompt; `*` marks those that it cites.")]
pub struct AskArgs {
    /// Question
    pub question: String,
    /// Language of the question: en, es [default: es if it contains ¿ or ¡, else that of the
    /// knowledge base]
    #[arg(long)]
    pub lang: Option<Lang>,
    /// Ignore cached answers
    #[arg(long)]
    pub fresh: bool,
    #[command(flatten)]
    pub pipeline: PipelineArgs,
    #[command(flatten)]
    pub reader: ReaderArgs,
}

pub fn run(args: &AskArgs, common: &Common) -> Result<Verdict> {
    if args.question.trim().is_empty() {
        bail!("the question is empty");
    }
    let options = Options::reading(&args.pipeline, &args.reader);
    let settings = Settings::resolve(common, &options)?;
    let kb = load_kb(&settings.kb, common)?;
    let lang = match args.lang {
        Some(lang) => lang,
        None if args.question.contains(['¿', '¡']) => Lang::Es,
        None => kb.info.lang,
    };
    let pipeline = pipeline(&kb, &settings, true, &mut builder(common)?, common.quiet)?;
    let mut streamed = Ok(());
    let mut sink = |text: &str| {
        if !common.json && streamed.is_ok() {
            streamed = print(text);
        }
    };
    let mut loading = |_| note(common.quiet, "loading the reader");
    let request =
        ReadRequest { use_cache: !args.fresh, ..ReadRequest::new(&args.question, &[], lang) };
    let mut observer = Observer { on_text: Some(&mut sink), on_progress: Some(&mut loading) };
    let (_, outcome) = pipeline.ask(&request, &mut observer)?;
    streamed?;
    let result = result(&args.question, outcome);
    show(common, &result, || ask_screen(&result, style()))
}

fn result(question: &str, outcome: Outcome) -> AskResult {
    let passages = outcome.context.passages;
    let ids: Vec<&str> = passages.iter().map(|passage| passage.id.as_str()).collect();
    let citations = parse_citations(&outcome.answer, &ids);
    let is_cited = |passage: &&Passage| {
        let mut ids = citations.iter().flat_map(|citation| &citation.ids);
        ids.any(|id| id.known && id.id == passage.id)
    };
    AskResult {
        question: question.to_owned(),
        abstained: outcome.abstained,
        cached: outcome.cached,
        prompt_tokens: outcome.prompt_tokens,
        answer_tokens: outcome.answer_tokens,
        cited: passages.iter().filter(is_cited).map(|passage| passage.chunk.clone()).collect(),
        dropped: outcome.context.dropped,
        answer: outcome.answer,
        passages: passages
            .into_iter()
            .map(|Passage { id, chunk, text, .. }| AskPassage { id, chunk, text })
            .collect(),
    }
}
