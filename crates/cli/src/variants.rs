//! The variants of an ablation: the settings with some keys changed.

use std::collections::BTreeMap;

use anyhow::{Context, Result, bail};
use toml::{Table, Value};

use crate::settings::{AblateSettings, Settings, VariantSettings};

/// A variant that is ready to run.
pub struct Variant {
    /// Name of its row.
    pub name: String,
    /// The settings with its keys changed, checked.
    pub settings: Settings,
}

/// Tables whose keys a variant may set.
const TABLES: [&str; 7] = ["chunk", "embed", "retrieve", "rewrite", "rerank", "read", "eval"];

/// The variants of the settings, or the built-in ones if the settings have none.
///
/// # Errors
/// When two have one name, or a key or value is not allowed.
pub fn variants(settings: &Settings) -> Result<Vec<Variant>> {
    let AblateSettings { matrix, arm } = &settings.ablate;
    let mut named = if !matrix.is_empty() {
        combinations(matrix)?
    } else if arm.is_empty() {
        built_in()
    } else {
        Vec::new()
    };
    named.extend(arm.iter().cloned());
    let mut variants: Vec<Variant> = Vec::new();
    for VariantSettings { name, set } in named {
        if variants.iter().any(|variant| variant.name == name) {
            bail!("[ablate]: two variants are named `{name}`; names must be unique");
        }
        let settings =
            with(settings, &set).with_context(|| format!("[ablate], variant `{name}`"))?;
        variants.push(Variant { name, settings });
    }
    Ok(variants)
}

/// Vector, BM25, both, both reranked, and both reranked after the repair of misspelled words.
fn built_in() -> Vec<VariantSettings> {
    let variants = [
        ("vector", "none", "none", "vector"),
        ("bm25", "none", "none", "bm25"),
        ("hybrid", "none", "none", "hybrid"),
        ("hybrid + late", "none", "late", "hybrid"),
        ("hybrid + late + typo", "typo", "late", "hybrid"),
    ];
    let settings = variants.map(|(name, rewrite, rerank, mode)| {
        let set = [("rewrite.method", rewrite), ("rerank.method", rerank), ("retrieve.mode", mode)];
        let set = set.map(|(key, value)| (key.to_owned(), Value::from(value)));
        VariantSettings { name: name.to_owned(), set: BTreeMap::from(set) }
    });
    settings.into()
}

/// Every combination, the last key changing fastest. A name lists the keys with several values.
fn combinations(matrix: &BTreeMap<String, Vec<Value>>) -> Result<Vec<VariantSettings>> {
    let mut all = vec![VariantSettings { name: String::new(), set: BTreeMap::new() }];
    for (key, values) in matrix {
        if values.is_empty() {
            bail!("[ablate.matrix]: `{key}` has no values");
        }
        let short = key.rsplit('.').next().unwrap_or(key);
        let mut expanded = Vec::new();
        for (variant, value) in all.iter().flat_map(|v| values.iter().map(move |value| (v, value)))
        {
            let mut variant = variant.clone();
            variant.set.insert(key.clone(), value.clone());
            if values.len() > 1 {
                let value = value.as_str().map_or(value.to_string(), str::to_owned);
                let space = if variant.name.is_empty() { "" } else { " " };
                variant.name.push_str(&format!("{space}{short}={value}"));
            }
            expanded.push(variant);
        }
        all = expanded;
    }
    for variant in &mut all {
        if variant.name.is_empty() {
            variant.name = "matrix".to_owned();
        }
    }
    Ok(all)
}

/// The settings with some keys changed, checked.
fn with(settings: &Settings, set: &BTreeMap<String, Value>) -> Result<Settings> {
    let mut tables = Table::try_from(settings)?;
    for (key, value) in set {
        let Some((table, name)) = key.split_once('.').filter(|(t, _)| TABLES.contains(t)) else {
            bail!(
                "a variant cannot set `{key}`: expected TABLE.KEY with one of the tables {}",
                TABLES.join(", ")
            );
        };
        let Some(keys) = tables.get_mut(table).and_then(Value::as_table_mut) else {
            bail!("the settings have no table `{table}`");
        };
        if !keys.contains_key(name) {
            let known: Vec<&str> = keys.keys().map(String::as_str).collect();
            bail!("unknown setting `{key}`; [{table}] has {}", known.join(", "));
        }
        keys.insert(name.to_owned(), value.clone());
    }
    let settings: Settings = tables.try_into()?;
    settings.check()?;
    Ok(settings)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Result<Vec<Variant>> {
        variants(&toml::from_str(text).expect("settings"))
    }

    #[test]
    fn a_matrix_gives_every_combination_and_single_variants_follow() {
        let all = parsed("[ablate.matrix]\n\"chunk.size\" = [64, 128]\n\"retrieve.mode\" = [\"bm25\", \"vector\"]\n\
                       [[ablate.arm]]\nname = \"deep\"\nset = { \"rerank.depth\" = 50 }\n")
        .expect("variants");
        let names: Vec<&str> = all.iter().map(|a| a.name.as_str()).collect();
        assert_eq!(
            names,
            [
                "size=64 mode=bm25",
                "size=64 mode=vector",
                "size=128 mode=bm25",
                "size=128 mode=vector",
                "deep"
            ]
        );
        assert_eq!(all[2].settings.chunk.size, 128);
        assert_eq!(all[4].settings.rerank.depth, 50);
    }

    #[test]
    fn the_default_is_the_built_in_variants() {
        let all = parsed("[rerank]\nmethod = \"late\"\n").expect("variants");
        assert_eq!(all.len(), 5);
        assert_eq!(all[0].settings.rerank.method, fiel_retrieval::RerankMethod::None);
        assert_eq!(all[3].settings.rerank.method, fiel_retrieval::RerankMethod::Late);
    }

    #[test]
    fn errors_name_the_key() {
        let message = |text: &str| format!("{:#}", parsed(text).err().expect("refused"));
        let arm =
            |set: &str| message(&format!("[[ablate.arm]]\nname = \"x\"\nset = {{ {set} }}\n"));
        assert!(arm("\"kb\" = \"y\"").contains("cannot set `kb`"));
        assert!(arm("\"retrieve.moed\" = \"bm25\"").contains("unknown setting `retrieve.moed`"));
        assert!(arm("\"retrieve.mode\" = \"bm52\"").contains("bm52"));
        assert!(message("[ablate.matrix]\n\"chunk.size\" = []\n").contains("no values"));
        let twice = "[[ablate.arm]]\nname = \"x\"\n[[ablate.arm]]\nname = \"x\"\n";
        assert!(message(twice).contains("two variants are named `x`"));
    }
}
