use std::{collections::BTreeMap, fmt::Write};

use anyhow::Result;
use fiel_report::Written;

use crate::{
    args::Common,
    commands::Verdict,
    output::{json, print},
    run_args::SchemaArgs,
};

pub fn run(args: &SchemaArgs, common: &Common) -> Result<Verdict> {
    if let Some(written) = args.name {
        json(&written.json_schema())?;
        return Ok(Verdict::Good);
    }
    let all = Written::ALL.iter();
    if common.json {
        let names: BTreeMap<&str, &str> = all.map(|w| (w.name(), w.description())).collect();
        json(&names)?;
    } else {
        let mut out = String::new();
        for written in all {
            let _ = writeln!(out, "{:<12} {}", written.name(), written.description());
        }
        print(&out)?;
    }
    Ok(Verdict::Good)
}
