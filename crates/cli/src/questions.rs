//! The questions of a command and their documents: a gold set with its knowledge base, or a BEIR
//! folder.

use anyhow::{Result, bail};
use fiel_corpus::KnowledgeBase;
use fiel_gold::{BeirFolder, Gold, ResolvedGold, Selection, Split};

use crate::{
    args::QuestionArgs,
    output::note,
    settings::Settings,
    workspace::{gold_path, kb_path},
};

/// Questions, their documents, and which questions are chosen.
pub struct Questions {
    pub kb: KnowledgeBase,
    pub gold: ResolvedGold,
    pub selection: Selection,
}

impl Questions {
    /// Loads documents and questions and resolves the evidence. `kb` is the knowledge base named on
    /// the command line.
    pub fn load(
        args: &QuestionArgs,
        kb: Option<&String>,
        settings: &Settings,
        quiet: bool,
    ) -> Result<Self> {
        let (kb, gold, split) = match &args.beir {
            Some(dir) => {
                let folder = BeirFolder::read(dir, &args.split, args.lang)?;
                let refused = &folder.result.refused;
                if let Some(first) = refused.first() {
                    let entries = match refused.len() {
                        1 => "1 entry".to_owned(),
                        count => format!("{count} entries"),
                    };
                    let text = format!(
                        "note: left out {entries} of {}; the first: {} line {}: {}: {}",
                        dir.display(),
                        first.file.display(),
                        first.line,
                        first.what,
                        first.reason
                    );
                    note(quiet, &text);
                }
                (folder.kb, folder.gold, None)
            }
            None => {
                let split = split(&args.split)?;
                let gold = Gold::load(&gold_path(&settings.gold))?;
                let name = match (kb, &gold.kb) {
                    (None, Some(kb)) => kb,
                    _ => &settings.kb,
                };
                (KnowledgeBase::load(&kb_path(name))?, gold, split)
            }
        };
        let gold = gold.resolve(&kb)?;
        let selection =
            Selection { split, only: args.only.clone(), limit: args.limit.map(|n| n as usize) };
        selection.choose(&gold)?;
        Ok(Self { kb, gold, selection })
    }
}

/// The split of a gold set, or `None` for both.
fn split(name: &str) -> Result<Option<Split>> {
    Ok(match name {
        "dev" => Some(Split::Dev),
        "test" => Some(Split::Test),
        "all" => None,
        other => bail!("--split {other}: expected dev, test or all"),
    })
}
