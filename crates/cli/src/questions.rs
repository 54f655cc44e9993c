//! The questions of a command and their documents: a gold set with its knowledge base, or a BEIR
//! folder.

use anyhow::{Result, bail};
use fiel_corpus::KnowledgeBase;
use fiel_gold::{BeirFolder, Gold, ResolvedGold, Selection, Split};

use crate::{
    args::{Common, QuestionArgs},
    output::note,
    settings::Settings,
    workspace::{gold_path, load_kb},
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
        common: &Common,
    ) -> Result<Self> {
        let (kb, gold, split) = match &args.beir {
            Some(dir) => {
                let folder = BeirFolder::read(dir, &args.split, args.lang)?;
                let refused = &folder.result.refused;
                if let Some(first) = refused.first() {
                    let (dir, count, file) = (dir.display(), refused.len(), first.file.display());
                    let first = format!("{file}:{}: {}: {}", first.line, first.what, first.reason);
                    note(
                        common.quiet,
                        &format!("note: {dir}: entries left out: {count}; first: {first}"),
                    );
                }
                for line in &folder.result.notes {
                    note(common.quiet, &format!("note: {line}"));
                }
                (folder.kb, folder.gold, None)
            }
            None => {
                let split = split(&args.split)?;
                let gold = Gold::load(&gold_path(&settings.gold))?;
                // `settings.kb` is `kb` if it is given.
                let name = gold.kb.as_ref().filter(|_| kb.is_none()).unwrap_or(&settings.kb);
                (load_kb(name, common)?, gold, split)
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
pub fn split(name: &str) -> Result<Option<Split>> {
    Ok(match name {
        "dev" => Some(Split::Dev),
        "test" => Some(Split::Test),
        "all" => None,
        other => bail!("--split {other}: expected dev, test or all"),
    })
}
