//! `fiel schema`

use std::collections::BTreeMap;

use anyhow::Result;
use clap::Args;
use fiel_record::Written;

use crate::{
    args::Common,
    output::{json, show},
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
    let rows = Written::ALL.iter().map(|written| (written.name(), written.description()));
    show(common, &BTreeMap::from_iter(rows.clone()), || {
        rows.map(|(name, description)| format!("{name:<12} {description}\n")).collect()
    })
}
