//! The arms of an ablation: settings that differ from those of the file in some keys.

use std::collections::BTreeMap;

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};
use toml::{Table, Value};

use crate::settings::Settings;

/// `[ablate]` of fiel.toml.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct AblateSettings {
    /// Values by key (`"retrieve.mode"`); every combination is an arm.
    pub matrix: BTreeMap<String, Vec<Value>>,
    /// Further arms, one by one.
    pub arm: Vec<ArmSettings>,
}

/// One arm by name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ArmSettings {
    pub name: String,
    /// Values by key.
    #[serde(default)]
    pub set: BTreeMap<String, Value>,
}

/// An arm that is ready to run.
pub struct Arm {
    pub name: String,
    pub settings: Settings,
}

/// Tables whose keys an arm may set.
const TABLES: [&str; 7] = [
    "chunk", "embed", "retrieve", "rewrite", "rerank", "read", "eval",
];

/// The arms of the settings, else the built-in ones.
pub fn arms(settings: &Settings) -> Result<Vec<Arm>> {
    let AblateSettings { matrix, arm } = &settings.ablate;
    let mut named = match (matrix.is_empty(), arm.is_empty()) {
        (true, true) => built_in(),
        (true, false) => Vec::new(),
        (false, _) => combinations(matrix)?,
    };
    named.extend(arm.iter().cloned());
    let mut arms: Vec<Arm> = Vec::new();
    for ArmSettings { name, set } in named {
        if arms.iter().any(|arm| arm.name == name) {
            bail!("[ablate]: two arms are named `{name}`; give each a name of its own");
        }
        let settings = with(settings, &set).with_context(|| format!("[ablate], arm `{name}`"))?;
        arms.push(Arm { name, settings });
    }
    Ok(arms)
}

/// Vector, BM25, both, both reranked, and that with the question's spelling repaired.
fn built_in() -> Vec<ArmSettings> {
    let arm = |name: &str, set: &[(&str, &str)]| ArmSettings {
        name: name.to_owned(),
        set: set
            .iter()
            .map(|(key, value)| ((*key).to_owned(), Value::from(*value)))
            .collect(),
    };
    let plain = [("rewrite.method", "none"), ("rerank.method", "none")];
    let mode = |mode| [plain[0], plain[1], ("retrieve.mode", mode)];
    let late = [("rerank.method", "late"), ("retrieve.mode", "hybrid")];
    vec![
        arm("vector", &mode("vector")),
        arm("bm25", &mode("bm25")),
        arm("hybrid", &mode("hybrid")),
        arm("hybrid + late", &[plain[0], late[0], late[1]]),
        arm(
            "hybrid + late + typo",
            &[("rewrite.method", "typo"), late[0], late[1]],
        ),
    ]
}

/// Every combination, the last key changing fastest; named by what differs between them.
fn combinations(matrix: &BTreeMap<String, Vec<Value>>) -> Result<Vec<ArmSettings>> {
    let mut all = vec![ArmSettings {
        name: String::new(),
        set: BTreeMap::new(),
    }];
    for (key, values) in matrix {
        if values.is_empty() {
            bail!("[ablate.matrix]: `{key}` has no values");
        }
        let step = |arm: &ArmSettings| {
            let with = |value: &Value| {
                let mut arm = arm.clone();
                arm.set.insert(key.clone(), value.clone());
                if values.len() > 1 {
                    let short = key.rsplit('.').next().unwrap_or(key);
                    let value = value.as_str().map_or(value.to_string(), str::to_owned);
                    let space = if arm.name.is_empty() { "" } else { " " };
                    arm.name.push_str(&format!("{space}{short}={value}"));
                }
                arm
            };
            values.iter().map(with).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(step).collect();
    }
    for arm in &mut all {
        if arm.name.is_empty() {
            arm.name = "matrix".to_owned();
        }
    }
    Ok(all)
}

/// The settings with some keys set.
fn with(settings: &Settings, set: &BTreeMap<String, Value>) -> Result<Settings> {
    let mut all = Table::try_from(settings)?;
    for (key, value) in set {
        let Some((table, name)) = key.split_once('.').filter(|(t, _)| TABLES.contains(t)) else {
            bail!(
                "`{key}` cannot be set by an arm: write TABLE.KEY with one of the tables {}",
                TABLES.join(", ")
            );
        };
        let of_table = all.get_mut(table).and_then(Value::as_table_mut);
        let Some(of_table) = of_table else {
            bail!("`{table}` is no table of the settings");
        };
        if !of_table.contains_key(name) {
            let known: Vec<&str> = of_table.keys().map(String::as_str).collect();
            bail!("`{key}` is no setting; [{table}] has {}", known.join(", "));
        }
        of_table.insert(name.to_owned(), value.clone());
    }
    Ok(all.try_into()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Result<Vec<Arm>> {
        arms(&toml::from_str(text).expect("settings"))
    }

    #[test]
    fn a_matrix_gives_every_combination_and_arms_come_behind() {
        let arms = of("[ablate.matrix]\n\"chunk.size\" = [64, 128]\n\"retrieve.mode\" = [\"bm25\", \"vector\"]\n\
                       [[ablate.arm]]\nname = \"deep\"\nset = { \"rerank.depth\" = 50 }\n")
        .expect("arms");
        let names: Vec<&str> = arms.iter().map(|a| a.name.as_str()).collect();
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
        assert_eq!(arms[2].settings.chunk.size, 128);
        assert_eq!(arms[4].settings.rerank.depth, 50);
    }

    #[test]
    fn without_any_there_are_the_built_in_ones() {
        let arms = of("[rerank]\nmethod = \"late\"\n").expect("arms");
        assert_eq!(arms.len(), 5);
        assert_eq!(
            arms[0].settings.rerank.method,
            fiel_retrieval::RerankMethod::None
        );
        assert_eq!(
            arms[3].settings.rerank.method,
            fiel_retrieval::RerankMethod::Late
        );
    }

    #[test]
    fn what_cannot_be_set_is_named() {
        let message = |text: &str| format!("{:#}", of(text).err().expect("refused"));
        let arm = |set: &str| {
            message(&format!(
                "[[ablate.arm]]\nname = \"x\"\nset = {{ {set} }}\n"
            ))
        };
        assert!(arm("\"kb\" = \"y\"").contains("`kb` cannot be set"));
        assert!(arm("\"retrieve.moed\" = \"bm25\"").contains("`retrieve.moed` is no setting"));
        assert!(arm("\"retrieve.mode\" = \"bm52\"").contains("bm52"));
        assert!(message("[ablate.matrix]\n\"chunk.size\" = []\n").contains("no values"));
        let twice = "[[ablate.arm]]\nname = \"x\"\n[[ablate.arm]]\nname = \"x\"\n";
        assert!(message(twice).contains("two arms are named `x`"));
    }
}
