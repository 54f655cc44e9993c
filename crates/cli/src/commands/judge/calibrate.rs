//! `fiel judge calibrate`

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use fiel_eval::{calibrate, labels_path, load_labels};
use fiel_report::calibration_screen;

use crate::{
    args::Common,
    output::{show, style},
    settings::{Options, Settings},
    verdict::Verdict,
    workspace::gold_path,
};

#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  fiel judge calibrate\n  \
    fiel judge calibrate gold/verbs.labels.jsonl --json\n\n\
    A scorer that disagrees with more than 15 % of the labels, or that has none, is marked \
    `uncalibrated` wherever its measures are shown.")]
pub struct CalibrateArgs {
    /// File of labels [default: gold/NAME.labels.jsonl of the gold set]
    pub file: Option<PathBuf>,
}

pub fn run(args: &CalibrateArgs, common: &Common) -> Result<Verdict> {
    let settings = Settings::resolve(common, &Options::default())?;
    let path = match &args.file {
        Some(path) => path.clone(),
        None => labels_path(&gold_path(&settings.gold)),
    };
    let calibration = calibrate(&path.display().to_string(), &load_labels(&path)?)?;
    show(common, &calibration, || calibration_screen(&calibration, style()))
}
