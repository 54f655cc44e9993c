use std::path::PathBuf;

use anyhow::Result;
use clap::Args as ClapArgs;
use fiel_eval::{calibrate, labels_path, load_labels};
use fiel_report::calibration_screen;

use crate::{
    args::Common,
    commands::Verdict,
    output::{json, print, style},
    settings::Settings,
    workspace::gold_path,
};

#[derive(ClapArgs, Debug)]
#[command(after_help = "Example:\n  fiel judge calibrate\n\n\
    A scorer without labels, or with more than 15 % of them against it, is called uncalibrated wherever its \
    figures are shown.")]
pub struct CalibrateArgs {
    /// Labels [default: gold/NAME.labels.jsonl of the gold set]
    pub file: Option<PathBuf>,
}

pub fn run(args: &CalibrateArgs, settings: &Settings, common: &Common) -> Result<Verdict> {
    let path = match &args.file {
        Some(path) => path.clone(),
        None => labels_path(&gold_path(&settings.gold)),
    };
    let calibration = calibrate(&path.display().to_string(), &load_labels(&path)?)?;
    match common.json {
        true => json(&calibration)?,
        false => print(&calibration_screen(&calibration, style()))?,
    }
    Ok(Verdict::Good)
}
