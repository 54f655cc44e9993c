use std::path::Path;

use anyhow::Result;
use fiel_corpus::KnowledgeBase;
use fiel_eval::Gold;
use fiel_models::{Check, select_device};
use fiel_store::{GENERATED, GeneratedFolder, folder_size};
use serde::Serialize;

use crate::{
    args::Common,
    commands::Verdict,
    output::{json, print, size},
    settings::Settings,
    workspace::{gold_path, kb_path, store},
};

#[derive(Serialize)]
struct Finding {
    what: String,
    good: bool,
    detail: String,
}

/// Checks everything that a run needs and reports what is missing. Fetches nothing.
pub fn run(settings: &Settings, common: &Common, kb_is_given: bool) -> Result<Verdict> {
    let mut findings = Vec::new();
    let mut report = |what: &str, result: Result<String, String>| {
        findings.push(Finding {
            what: what.to_owned(),
            good: result.is_ok(),
            detail: result.unwrap_or_else(|error| error),
        });
    };
    let device = select_device(settings.device).map(|(_, class)| class.to_string());
    report("device", device.map_err(|e| e.to_string()));
    let store = store(common)?;
    let mut models = store.status();
    let needed = [&settings.embed.model, &settings.read.model];
    for name in needed.into_iter().filter(|name| *name != "extractive") {
        match store.status_of(name) {
            Ok(status) if models.iter().any(|known| known.id == status.id) => {}
            Ok(status) => models.push(status),
            Err(error) => report(&format!("model {name}"), Err(error.to_string())),
        }
    }
    for status in models {
        let is_needed = needed.contains(&&status.id);
        let detail = match &status.location {
            Some((place, path)) => format!("{} in {place}: {}", status.check, path.display()),
            None => match status.size {
                Some(bytes) => format!("{}, {}", status.check, size(bytes)),
                None => format!("{}; the first fetch is trusted", status.check),
            },
        };
        let result = match status.check {
            Check::Damaged => Err(format!("{detail}. Delete it, and Fiel fetches it again")),
            Check::Missing if is_needed => {
                Err(format!("{detail}. Run `fiel models fetch {}`", status.id))
            }
            _ => Ok(detail),
        };
        report(&format!("model {}", status.id), result);
    }
    // As in `eval`: the gold set names its knowledge base, and `--kb` overrides it.
    let gold_kb = Gold::kb_of(&gold_path(&settings.gold)).ok().flatten();
    let kb_name = gold_kb
        .filter(|_| !kb_is_given)
        .unwrap_or_else(|| settings.kb.clone());
    let kb = KnowledgeBase::load(&kb_path(&kb_name));
    let counted = kb
        .as_ref()
        .map(|kb| format!("{} documents", kb.documents.len()));
    report(
        &format!("knowledge base {kb_name}"),
        counted.map_err(ToString::to_string),
    );
    if let Ok(kb) = &kb {
        let gold = Gold::load(&gold_path(&settings.gold)).and_then(|gold| gold.resolve(kb));
        let counted =
            gold.map(|gold| format!("{} questions, all evidence found", gold.questions.len()));
        report(
            &format!("gold set {}", settings.gold),
            counted.map_err(|e| e.to_string()),
        );
    }
    let folders = GeneratedFolder::ALL.map(|folder| {
        let bytes = folder_size(&folder.path(Path::new(GENERATED))).total;
        format!("{} {}", folder.name(), size(bytes))
    });
    report(
        &format!("generated files in {GENERATED}"),
        Ok(folders.join(", ")),
    );

    if common.json {
        json(&findings)?;
    } else {
        let line = |f: &Finding| {
            format!(
                "{} {}: {}\n",
                if f.good { "ok     " } else { "MISSING" },
                f.what,
                f.detail
            )
        };
        print(&findings.iter().map(line).collect::<String>())?;
    }
    Ok(Verdict::Good)
}
