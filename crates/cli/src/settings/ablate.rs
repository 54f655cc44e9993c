//! `[ablate]` of the settings file.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use toml::Value;

/// Variants that `fiel ablate` compares. Without any, it uses its built-in ones.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct AblateSettings {
    /// Values per key (`"retrieve.mode"`); every combination is a variant.
    pub matrix: BTreeMap<String, Vec<Value>>,
    /// Variants given one by one, which follow those of the matrix.
    pub arm: Vec<VariantSettings>,
}

/// A variant with its name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VariantSettings {
    /// Name of its row.
    pub name: String,
    /// Values by key.
    #[serde(default)]
    pub set: BTreeMap<String, Value>,
}
