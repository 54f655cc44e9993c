use anyhow::Result;
use fiel_models::{Check, ModelStatus, Store};
use serde::Serialize;

use crate::{
    args::{Common, ModelsCommand},
    commands::Verdict,
    output::{json, print, size},
    settings::Settings,
    workspace::store,
};

#[derive(Serialize)]
struct Row {
    id: String,
    /// Only the registry knows it.
    task: Option<String>,
    licence: String,
    /// Unknown of a model that is not here and that the registry has no digests of.
    bytes: Option<u64>,
    check: String,
    place: Option<String>,
    path: Option<String>,
}

impl From<ModelStatus> for Row {
    fn from(status: ModelStatus) -> Self {
        let (place, path) = status
            .location
            .map(|(place, path)| (place.to_string(), path.display().to_string()))
            .unzip();
        Self {
            id: status.id,
            task: status.task.map(|task| task.to_string()),
            licence: status.licence,
            bytes: status.size,
            check: status.check.to_string(),
            place,
            path,
        }
    }
}

pub fn run(command: &ModelsCommand, settings: &Settings, common: &Common) -> Result<Verdict> {
    let store = store(common)?;
    match command {
        ModelsCommand::List => {
            let rows: Vec<Row> = store.status().into_iter().map(Row::from).collect();
            if common.json {
                json(&rows)?;
                return Ok(Verdict::Good);
            }
            let mut out = String::new();
            for row in &rows {
                let place = match (&row.place, &row.path) {
                    (Some(place), Some(path)) => format!(" in {place}: {path}"),
                    // Nothing is known of its files: neither size nor SHA-256.
                    _ if row.bytes.is_none() => "; its first fetch will be trusted".to_owned(),
                    _ => String::new(),
                };
                out.push_str(&format!(
                    "{:<38} {:<16} {:>9} {:<11} {}{place}\n",
                    row.id,
                    row.task.as_deref().unwrap_or("-"),
                    row.bytes.map_or_else(|| "-".to_owned(), size),
                    row.licence,
                    row.check,
                ));
            }
            print(&out)?;
        }
        ModelsCommand::Fetch { ids } => {
            let wanted = match ids[..] {
                [] => vec![settings.embed.model.clone(), settings.read.model.clone()],
                _ => ids.clone(),
            };
            for id in wanted.iter().filter(|id| *id != "extractive") {
                let files = store.ensure(id)?;
                if !common.json {
                    print(&format!("{id}: {}\n", files.dir().display()))?;
                }
            }
            if common.json {
                json(&rows(&store, &wanted))?;
            }
        }
        ModelsCommand::Verify { ids } => {
            let present = store
                .status()
                .into_iter()
                .filter(|s| s.check != Check::Missing)
                .map(|s| s.id);
            let wanted: Vec<String> = if ids.is_empty() {
                present.collect()
            } else {
                ids.clone()
            };
            for id in &wanted {
                let files = store.verify(id)?;
                if !common.json {
                    let found = match store.status_of(id)?.check {
                        Check::AsFound => "there is no SHA-256 to compare with",
                        Check::FirstUse => "every file is as it was at first use",
                        _ => "every file is as it should be",
                    };
                    print(&format!("{id}: {found}, in {}\n", files.dir().display()))?;
                }
            }
            if common.json {
                json(&rows(&store, &wanted))?;
            }
        }
    }
    Ok(Verdict::Good)
}

/// What is known now of the models named.
fn rows(store: &Store, ids: &[String]) -> Vec<Row> {
    let known = ids.iter().filter_map(|id| store.status_of(id).ok());
    known.map(Row::from).collect()
}
