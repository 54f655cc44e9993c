use std::io::{BufRead, Write};

use anyhow::{Result, bail};
use clap::Args;
use fiel_corpus::KnowledgeBase;
use fiel_eval::{Author, Level, Question};

use super::{
    kb_of,
    person::{Person, parts},
    shown,
};
use crate::{
    commands::Verdict,
    output::print,
    settings::Settings,
    workspace::{gold_path, kb_path},
};

#[derive(Args, Debug)]
#[command(
    after_help = "Shows a passage and asks for a question, its answers, the words that prove them, and tags. The\n\
    question is checked at once and added to gold/NAME.jsonl. `q` or the end of the input quits.\n\n\
    Examples:\n  fiel gold new verbs\n  fiel gold new verbs --doc verb-eat"
)]
pub struct NewArgs {
    /// Gold set: a name below gold/ or a .jsonl file; begun when it is not there
    #[arg(value_name = "NAME|FILE")]
    name: String,
    /// Knowledge base [default: the one that the set names]
    #[arg(long, value_name = "NAME|DIR")]
    kb: Option<String>,
    /// Only passages of this document
    #[arg(long, value_name = "ID")]
    doc: Option<String>,
    /// Decides the order of the passages [default: the number of questions in the set]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
}

pub fn run(args: &NewArgs, settings: &Settings) -> Result<Verdict> {
    let path = gold_path(&args.name);
    let kb = KnowledgeBase::load(&kb_path(&kb_of(&path, args.kb.as_ref(), settings)?))?;
    if let Some(doc) = args.doc.as_deref().filter(|doc| kb.document(doc).is_none()) {
        bail!("there is no document `{doc}` in {}", kb.name);
    }
    let mut author = Author::open(&path, &kb)?;
    let seed = args.seed.unwrap_or(author.len() as u64);
    let mut person = Person::in_front();
    let before = author.len();
    for passage in author.passages(args.doc.as_deref(), seed) {
        let Some(question) = person.question(&author, passage)? else {
            break;
        };
        // An empty line asked for the next passage.
        if let Some(question) = question {
            print(&format!("{}\n", serde_json::to_string(&question)?))?;
            author.add(question)?;
        }
    }
    let added = author.len() - before;
    person.say(&format!(
        "{added} questions added to {}, {} in all\n",
        path.display(),
        author.len()
    ));
    Ok(Verdict::Good)
}

impl<R: BufRead, W: Write> Person<R, W> {
    /// None: quit. Some(None): another passage.
    fn question(
        &mut self,
        author: &Author<'_>,
        passage: usize,
    ) -> Result<Option<Option<Question>>> {
        let (doc, text) = author.shown(passage);
        self.say(&format!("\n--- {doc} ---\n{text}\n---\n"));
        loop {
            let Some(asked) = self.ask("question (empty: another passage, q: quit)")? else {
                return Ok(None);
            };
            if asked.is_empty() {
                return Ok(Some(None));
            }
            let Some(draft) = self.draft(author, passage, &asked)? else {
                return Ok(None);
            };
            let findings = author.check(&draft)?;
            for finding in &findings {
                self.say(&shown(finding));
            }
            let has = |level| findings.iter().any(|f| f.level == level);
            if has(Level::Error) {
                self.say("It cannot be used like this; ask again.\n");
            } else if has(Level::Warning) {
                match self.ask("keep it all the same? y/n")? {
                    None => return Ok(None),
                    Some(yes) if yes.starts_with(['y', 'Y']) => return Ok(Some(Some(draft))),
                    Some(_) => {}
                }
            } else {
                return Ok(Some(Some(draft)));
            }
        }
    }

    fn draft(
        &mut self,
        author: &Author<'_>,
        passage: usize,
        asked: &str,
    ) -> Result<Option<Question>> {
        let prompt = "answers, separated by | (empty: the documents hold none)";
        let Some(answers) = self.ask(prompt)? else {
            return Ok(None);
        };
        let answers: Vec<String> = parts(&answers, '|');
        let mut quote = String::new();
        if let Some(first) = answers.first() {
            let proposed = author.sentence(passage, first);
            let prompt = match &proposed {
                Some(sentence) => format!("words that prove it (empty: \"{sentence}\")"),
                None => "words that prove it, copied from the passage".to_owned(),
            };
            let Some(typed) = self.ask(&prompt)? else {
                return Ok(None);
            };
            quote = match typed.is_empty() {
                true => proposed.unwrap_or_default(),
                false => typed,
            };
        }
        let Some(tags) = self.ask("tags, separated by blanks")? else {
            return Ok(None);
        };
        let mut draft = author.draft(passage, asked, answers, &quote);
        draft.tags = tags.split_whitespace().map(str::to_owned).collect();
        Ok(Some(draft))
    }
}
