//! What is asked, and of which documents: a gold set with its knowledge base, or a BEIR folder.

use anyhow::{Result, bail};
use fiel_corpus::KnowledgeBase;
use fiel_eval::{BeirFolder, Gold, ResolvedGold, Selection, Split};
use fiel_report::counted;

use crate::{
    args::QuestionArgs,
    output::note,
    settings::Settings,
    workspace::{gold_path, kb_path},
};

pub struct Asked {
    pub kb: KnowledgeBase,
    pub gold: ResolvedGold,
    pub selection: Selection,
}

impl Asked {
    /// Loads and anchors; `kb` is the knowledge base named on the command line.
    pub fn load(
        args: &QuestionArgs,
        kb: Option<&String>,
        settings: &Settings,
        quiet: bool,
    ) -> Result<Self> {
        let (kb, gold, split) = match &args.beir {
            Some(dir) => {
                let folder = BeirFolder::read(dir, &args.split, args.lang)?;
                let refused = &folder.report.refused;
                if let Some(first) = refused.first() {
                    let text = format!(
                        "note: {} of {} left out; the first: {} line {}: {}: {}",
                        counted(refused.len(), "entry").replace("entrys", "entries"),
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
        let selection = Selection {
            split,
            only: args.only.clone(),
            limit: args.limit.map(|n| n as usize),
        };
        selection.choose(&gold)?;
        Ok(Self {
            kb,
            gold,
            selection,
        })
    }
}

/// The part of a gold set; `None`: both.
fn split(name: &str) -> Result<Option<Split>> {
    Ok(match name {
        "dev" => Some(Split::Dev),
        "test" => Some(Split::Test),
        "all" => None,
        other => bail!("--split {other}: a gold set has the parts dev, test and all"),
    })
}
