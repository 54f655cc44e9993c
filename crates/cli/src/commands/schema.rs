//! `fiel schema`

use std::{collections::BTreeMap, fmt::Write};

use anyhow::Result;
use clap::Args;
use fiel_record::Written;

use crate::{
    args::Common,
    output::{json, print},
    verdict::Verdict,
};

#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  fiel schema\n  fiel schema record > record.schema.json")]
pub struct SchemaArgs {
    /// Schema to print [default: list all]
    #[arg(value_name = "NAME")]
    pub name: Option<Written>,
}

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
