//! `fiel doctor`

use std::{fmt::Display, path::Path};

use anyhow::Result;
use clap::Args;
use fiel_gold::Gold;
use fiel_models::{Integrity, ModelStatus, select_device};
use fiel_reader::EXTRACTIVE;
use fiel_record::{DoctorCheck, counted};
use fiel_report::{doctor_screen, file_size};
use fiel_store::{GENERATED, GeneratedFolder, folder_size};

use crate::{
    args::{Common, PipelineArgs},
    output::show,
    settings::{Options, Settings},
    verdict::Verdict,
    workspace::{gold_path, kb_of, load_kb, store},
};

#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  fiel doctor\n  fiel doctor --kb laboral\n  \
    fiel doctor --json\n\nNothing is fetched or changed.")]
pub struct DoctorArgs {
    #[command(flatten)]
    pub pipeline: PipelineArgs,
}

/// Checks everything that a run with these settings needs.
pub fn run(args: &DoctorArgs, common: &Common) -> Result<Verdict> {
    let settings = Settings::resolve(common, &Options::retrieval(&args.pipeline))?;
    let device = select_device(settings.device).map(|(_, class)| class.to_string());
    let mut checks = vec![check("device", device)];
    checks.extend(models(&settings, common)?);
    checks.extend(questions(&settings, args.pipeline.kb.as_ref(), common));
    let folders = GeneratedFolder::ALL.map(|folder| {
        let bytes = folder_size(&folder.path(Path::new(GENERATED))).total;
        format!("{} {}", folder.name(), file_size(bytes))
    });
    checks.push(DoctorCheck {
        what: format!("generated files in {GENERATED}"),
        good: true,
        detail: folders.join(", "),
    });
    show(common, &checks, || doctor_screen(&checks))
}

fn check<E: Display>(what: &str, result: Result<String, E>) -> DoctorCheck {
    DoctorCheck {
        what: what.to_owned(),
        good: result.is_ok(),
        detail: result.unwrap_or_else(|error| error.to_string()),
    }
}

/// The models of the registry and those of the settings. Only the latter must be present.
fn models(settings: &Settings, common: &Common) -> Result<Vec<DoctorCheck>> {
    let store = store(common)?;
    let mut models = store.status();
    let mut checks = Vec::new();
    let needed = [&settings.embed.model, &settings.read.model];
    for name in needed.into_iter().filter(|name| *name != EXTRACTIVE) {
        match store.status_of(name) {
            Ok(status) if models.iter().any(|known| known.id == status.id) => {}
            Ok(status) => models.push(status),
            Err(error) => checks.push(check(&format!("model {name}"), Err(error))),
        }
    }
    for status in &models {
        let result = model(status, needed.contains(&&status.id));
        checks.push(check(&format!("model {}", status.id), result));
    }
    Ok(checks)
}

fn model(status: &ModelStatus, is_needed: bool) -> Result<String, String> {
    let detail = match (&status.location, status.size) {
        (Some((place, path)), _) => format!("{} in {place}: {}", status.check, path.display()),
        (None, Some(bytes)) => format!("{}, {}", status.check, file_size(bytes)),
        (None, None) => format!("{}; the first fetch is trusted", status.check),
    };
    match status.check {
        Integrity::Damaged => Err(format!("{detail}. Delete it, and Fiel fetches it again")),
        Integrity::Missing if is_needed => {
            Err(format!("{detail}. Run `fiel models fetch {}`", status.id))
        }
        _ => Ok(detail),
    }
}

/// The knowledge base, chosen as `eval` chooses it, and the gold set.
fn questions(settings: &Settings, kb: Option<&String>, common: &Common) -> Vec<DoctorCheck> {
    let gold = gold_path(&settings.gold);
    let name = kb_of(&gold, kb, settings).unwrap_or_else(|_| settings.kb.clone());
    let kb = load_kb(&name, common);
    let documents = kb.as_ref().map(|kb| counted(kb.documents.len(), "document"));
    let mut checks = vec![check(&format!("knowledge base {name}"), documents)];
    if let Ok(kb) = &kb {
        let resolved = Gold::load(&gold).and_then(|gold| gold.resolve(kb));
        let result =
            resolved.map(|gold| counted(gold.questions.len(), "question") + ", all evidence found");
        checks.push(check(&format!("gold set {}", settings.gold), result));
    }
    checks
}
