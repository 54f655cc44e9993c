//! `fiel gold new`

use std::io::{BufRead, Write};

use anyhow::{Result, bail};
use clap::Args;
use fiel_eval::index_passages;
use fiel_gold::{Author, Question};
use fiel_record::{LintLevel, counted};
use fiel_report::finding_lines;

use super::person::{Person, parts};
use crate::{
    args::Common,
    output::print,
    settings::{Options, Settings},
    verdict::Verdict,
    workspace::{gold_path, kb_of, load_kb},
};

#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  fiel gold new verbs\n  fiel gold new verbs --doc verb-eat\n  \
    fiel gold new my/gold.jsonl --kb my/docs\n\n\
    Shows a passage and asks for a question, its answers, a quote that proves them, and tags. \
    Checks the question and appends it to gold/NAME.jsonl. `q` or the end of the input quits."
)]
pub struct NewArgs {
    /// Gold set: a name under gold/ or a .jsonl file; created if it does not exist
    #[arg(value_name = "NAME|FILE")]
    name: String,
    /// Knowledge base [default: the one that the gold set names]
    #[arg(long, value_name = "NAME|DIR")]
    kb: Option<String>,
    /// Show only passages of this document [default: of all]
    #[arg(long, value_name = "ID")]
    doc: Option<String>,
    /// Seed of the order of the passages [default: the number of questions in the gold set]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
}

pub fn run(args: &NewArgs, common: &Common) -> Result<Verdict> {
    let settings = Settings::resolve(common, &Options::default())?;
    let path = gold_path(&args.name);
    let kb = load_kb(&kb_of(&path, args.kb.as_ref(), &settings)?, common)?;
    if let Some(doc) = args.doc.as_deref().filter(|doc| kb.document(doc).is_none()) {
        bail!("no document `{doc}` in {}", kb.name);
    }
    let mut author = Author::open(&path, &kb, index_passages)?;
    let seed = args.seed.unwrap_or(author.len() as u64);
    let mut person = Person::stdio();
    let before = author.len();
    for passage in author.passages(args.doc.as_deref(), seed) {
        match person.entry(&author, passage)? {
            Entry::Question(question) => {
                print(&format!("{}\n", serde_json::to_string(&question)?))?;
                author.add(*question)?;
            }
            Entry::NextPassage => {}
            Entry::Quit => break,
        }
    }
    person.say(&format!(
        "added {} to {}, which has {} now\n",
        counted(author.len() - before, "question"),
        path.display(),
        author.len()
    ));
    Ok(Verdict::Good)
}

/// What a person enters for a passage.
enum Entry {
    Question(Box<Question>),
    /// An empty line.
    NextPassage,
    /// `q` or the end of the input.
    Quit,
}

impl<R: BufRead, W: Write> Person<R, W> {
    /// Asks until the question passes the checks.
    fn entry(&mut self, author: &Author<'_>, passage: usize) -> Result<Entry> {
        let (doc, text) = author.shown(passage);
        self.say(&format!("\n--- {doc} ---\n{text}\n---\n"));
        loop {
            let Some(asked) = self.ask("question (empty: another passage, q: quit)")? else {
                return Ok(Entry::Quit);
            };
            if asked.is_empty() {
                return Ok(Entry::NextPassage);
            }
            let Some(draft) = self.draft(author, passage, &asked)? else {
                return Ok(Entry::Quit);
            };
            let findings = author.check(&draft)?;
            for finding in &findings {
                self.say(&finding_lines(finding));
            }
            let has = |level| findings.iter().any(|f| f.level == level);
            if has(LintLevel::Error) {
                self.say("This question cannot be used; enter it again.\n");
                continue;
            }
            if has(LintLevel::Warning) {
                let Some(answer) = self.ask("keep it despite the warning? y/n")? else {
                    return Ok(Entry::Quit);
                };
                if !answer.starts_with(['y', 'Y']) {
                    continue;
                }
            }
            return Ok(Entry::Question(Box::new(draft)));
        }
    }

    /// Asks for the rest of a question; `None`: quit.
    fn draft(
        &mut self,
        author: &Author<'_>,
        passage: usize,
        asked: &str,
    ) -> Result<Option<Question>> {
        let prompt = "answers, separated by | (empty: the documents have no answer)";
        let Some(answers) = self.ask(prompt)? else {
            return Ok(None);
        };
        let answers: Vec<String> = parts(&answers, '|');
        let mut quote = String::new();
        if let Some(first) = answers.first() {
            let proposed = author.sentence(passage, first);
            let prompt = match &proposed {
                Some(sentence) => format!("quote that proves it (empty: \"{sentence}\")"),
                None => "quote that proves it, copied from the passage".to_owned(),
            };
            let Some(typed) = self.ask(&prompt)? else {
                return Ok(None);
            };
            quote = if typed.is_empty() { proposed.unwrap_or_default() } else { typed };
        }
        let Some(tags) = self.ask("tags, separated by spaces")? else {
            return Ok(None);
        };
        let mut draft = author.draft(passage, asked, answers, &quote);
        draft.tags = tags.split_whitespace().map(str::to_owned).collect();
        Ok(Some(draft))
    }
}
