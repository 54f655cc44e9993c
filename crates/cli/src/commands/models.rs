//! `fiel models`

use anyhow::Result;
use clap::Subcommand;
use fiel_models::{Integrity, ModelStatus, ModelStore};
use fiel_reader::EXTRACTIVE;
use fiel_record::ModelRow;
use fiel_report::models_screen;

use crate::{
    args::Common,
    output::{json, print, show},
    settings::{Options, Settings},
    verdict::Verdict,
    workspace::store,
};

#[derive(Subcommand, Debug)]
pub enum ModelsCommand {
    /// List every model with its size, licence and place
    #[command(after_help = "Examples:\n  fiel models list\n  fiel models list --json")]
    List,
    /// Fetch the models of the settings, or the named ones
    #[command(
        after_help = "Examples:\n  fiel models fetch\n  fiel models fetch ms-marco-MiniLM-L-6-v2\n\n\
        Models go to the cache of the Hugging Face Hub (HF_HUB_CACHE, HF_HOME). A model in \
        FIEL_MODELS/ID is used from there."
    )]
    Fetch {
        /// Ids of models [default: embedder and reader of the settings]
        #[arg(value_name = "ID")]
        ids: Vec<String>,
    },
    /// Compare the files of all present models, or the named ones, with their SHA-256
    #[command(
        after_help = "Examples:\n  fiel models verify\n  fiel models verify all-MiniLM-L6-v2"
    )]
    Verify {
        /// Ids of models [default: all that are present]
        #[arg(value_name = "ID")]
        ids: Vec<String>,
    },
}

pub fn run(command: &ModelsCommand, common: &Common) -> Result<Verdict> {
    let store = store(common)?;
    let rows: Vec<ModelRow> = match command {
        ModelsCommand::List => {
            let rows: Vec<ModelRow> = store.status().into_iter().map(row).collect();
            return show(common, &rows, || models_screen(&rows));
        }
        ModelsCommand::Fetch { ids } => fetch(&store, ids, common)?,
        ModelsCommand::Verify { ids } => verify(&store, ids, common)?,
    };
    if common.json {
        json(&rows)?;
    }
    Ok(Verdict::Good)
}

fn fetch(store: &ModelStore, ids: &[String], common: &Common) -> Result<Vec<ModelRow>> {
    let settings = Settings::resolve(common, &Options::default())?;
    let defaults = [settings.embed.model, settings.read.model];
    let ids = if ids.is_empty() { &defaults[..] } else { ids };
    for id in ids.iter().filter(|id| *id != EXTRACTIVE) {
        let files = store.ensure(id)?;
        if !common.json {
            print(&format!("{id}: {}\n", files.dir().display()))?;
        }
    }
    Ok(rows(store, ids))
}

fn verify(store: &ModelStore, ids: &[String], common: &Common) -> Result<Vec<ModelRow>> {
    let is_present = |status: &ModelStatus| status.check != Integrity::Missing;
    let present = store.status().into_iter().filter(is_present).map(|status| status.id);
    let ids = if ids.is_empty() { present.collect() } else { ids.to_vec() };
    for id in &ids {
        let files = store.verify(id)?;
        if !common.json {
            let result = match store.status_of(id)?.check {
                Integrity::AsFound => "no SHA-256 to compare with",
                Integrity::FirstUse => "all files are unchanged since their first use",
                _ => "all files have the right SHA-256",
            };
            print(&format!("{id}: {result}, in {}\n", files.dir().display()))?;
        }
    }
    Ok(rows(store, &ids))
}

fn rows(store: &ModelStore, ids: &[String]) -> Vec<ModelRow> {
    ids.iter().filter_map(|id| store.status_of(id).ok()).map(row).collect()
}

fn row(status: ModelStatus) -> ModelRow {
    let location = status.location.map(|(place, path)| (place.to_string(), path));
    let (place, path) = location.map(|(place, path)| (place, path.display().to_string())).unzip();
    ModelRow {
        id: status.id,
        task: status.task.map(|task| task.to_string()),
        licence: status.licence,
        bytes: status.size,
        check: status.check.to_string(),
        place,
        path,
    }
}
