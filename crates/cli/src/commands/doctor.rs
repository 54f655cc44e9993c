use std::path::Path;

use anyhow::Result;
use fiel_corpus::KnowledgeBase;
use fiel_eval::Gold;
use fiel_models::{Check, select_device};
use serde::Serialize;

use crate::{
    args::Common,
    commands::{Verdict, clean::folder_size},
    output::{json, print, size},
    settings::Settings,
    workspace::{GENERATED, gold_path, kb_path, store},
};

#[derive(Serialize)]
struct Finding {
    what: String,
    good: bool,
    detail: String,
}

/// Looks at everything a run needs and says what is missing; nothing is fetched.
pub fn run(settings: &Settings, common: &Common, kb_is_given: bool) -> Result<Verdict> {
    let mut findings = Vec::new();
    let mut found = |what: &str, result: Result<String, String>| {
        let good = result.is_ok();
        let detail = result.unwrap_or_else(|error| error);
        findings.push(Finding {
            what: what.to_owned(),
            good,
            detail,
        });
    };
    let device = select_device(settings.device).map(|(_, class)| class.to_string());
    found("device", device.map_err(|e| e.to_string()));
    let store = store(common)?;
    let mut models = store.status();
    let needed = [&settings.embed.model, &settings.read.model];
    for name in needed.into_iter().filter(|name| *name != "extractive") {
        match store.status_of(name) {
            Ok(status) if models.iter().any(|known| known.id == status.id) => {}
            Ok(status) => models.push(status),
            Err(error) => found(&format!("model {name}"), Err(error.to_string())),
        }
    }
    for status in models {
        let is_needed = needed.contains(&&status.id);
        let detail = match &status.location {
            Some((place, path)) => format!("{} in {place}: {}", status.check, path.display()),
            None => match status.size {
                Some(bytes) => format!("{}, {}", status.check, size(bytes)),
                None => format!("{}; its first fetch will be trusted", status.check),
            },
        };
        let result = match status.check {
            Check::Damaged => Err(format!("{detail}. Delete it; it is fetched again")),
            Check::Missing if is_needed => {
                Err(format!("{detail}. Run `fiel models fetch {}`", status.id))
            }
            _ => Ok(detail),
        };
        found(&format!("model {}", status.id), result);
    }
    // As `eval` does: the gold set names its knowledge base, unless a flag names another.
    let of_gold = Gold::kb_of(&gold_path(&settings.gold)).ok().flatten();
    let kb_name = of_gold
        .filter(|_| !kb_is_given)
        .unwrap_or_else(|| settings.kb.clone());
    let kb = KnowledgeBase::load(&kb_path(&kb_name));
    let counted = kb
        .as_ref()
        .map(|kb| format!("{} documents", kb.documents.len()));
    found(
        &format!("knowledge base {kb_name}"),
        counted.map_err(ToString::to_string),
    );
    if let Ok(kb) = &kb {
        let gold = Gold::load(&gold_path(&settings.gold)).and_then(|gold| gold.resolve(kb));
        let counted =
            gold.map(|gold| format!("{} questions, all evidence found", gold.questions.len()));
        found(
            &format!("gold set {}", settings.gold),
            counted.map_err(|e| e.to_string()),
        );
    }
    let caches = ["embeddings", "answers", "runs"].map(|name| {
        format!(
            "{name} {}",
            size(folder_size(&Path::new(GENERATED).join(name)))
        )
    });
    found(
        &format!("generated files in {GENERATED}"),
        Ok(caches.join(", ")),
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
