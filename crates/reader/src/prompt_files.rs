//! Prompt files: a set of prompts per language, shipped with the program or read from files.

use std::{
    collections::BTreeMap,
    io,
    path::{Path, PathBuf},
};

use fiel_models::llm::{Role, Turn};
use fiel_store::sha256_hex;
use fiel_text::Lang;
use serde::Deserialize;
use thiserror::Error;

use crate::{Error, PromptTemplate};

/// Why a prompt file cannot be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum PromptFault {
    /// The key of a text, a slot that it may not contain, and the allowed slots.
    #[error("{0}: unknown slot {{{1}}}; the slots are {2}")]
    UnknownSlot(String, String, String),
    /// The key of a text, and a slot that it must contain.
    #[error("{0}: the slot {{{1}}} is missing")]
    MissingSlot(String, String),
    /// A file that is not TOML of the expected form.
    #[error(transparent)]
    Toml(#[from] toml::de::Error),
    /// A file or folder that cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A folder without prompt files.
    #[error("the folder has no prompt file; name them by language, such as en.toml or es.toml")]
    NoFiles,
    /// A language without prompts.
    #[error("there is no {0}.toml for texts in that language")]
    NoLanguage(String),
}

/// The prompt files that are built in, used if the setting names none.
pub struct ShippedPrompts {
    /// Key in fiel.toml that names other files.
    pub setting: &'static str,
    /// Version of the files, part of their digest.
    pub version: u32,
    /// Language code and text of each file.
    pub files: [(&'static str, &'static str); 2],
}

/// A set of prompts of type `S` per language.
pub struct PromptSets<S> {
    /// By language code; `""` is the set for every language.
    sets: BTreeMap<String, S>,
    setting: &'static str,
    /// Where the files were read from; `None` if they are built in.
    path: Option<PathBuf>,
    digest: String,
}

/// The language that the name of a prompt file gives, its path and its text.
type PromptFile = (String, PathBuf, String);

impl<S> PromptSets<S> {
    /// Loads the shipped prompts, or those at `path`: a file for every language, or a folder with
    /// `en.toml`, `es.toml` and so on.
    ///
    /// # Errors
    /// [`Error::Prompt`] with the file and the key or slot at fault.
    pub fn load(
        shipped: &ShippedPrompts,
        path: Option<&Path>,
        parse: fn(&str) -> Result<S, PromptFault>,
    ) -> Result<Self, Error> {
        let setting = shipped.setting;
        let built_in = |(lang, text): (&str, &str)| {
            (lang.to_owned(), format!("{lang}.toml").into(), text.to_owned())
        };
        let files = match path {
            None => shipped.files.map(built_in).into(),
            Some(path) => read_files(setting, path)?,
        };
        let mut sets = BTreeMap::new();
        let mut all = format!("{}\n", shipped.version);
        for (lang, path, text) in files {
            let set = parse(&text).map_err(|fault| prompt_error(setting, &path, fault))?;
            all.push_str(&format!("{lang}\n{text}\n"));
            sets.insert(lang, set);
        }
        Ok(Self {
            sets,
            setting,
            path: path.map(Path::to_owned),
            digest: sha256_hex(all.as_bytes()),
        })
    }

    /// SHA-256 of version, languages and texts of the files.
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// The prompts for a language. The shipped prompts use English for languages without a file.
    ///
    /// # Errors
    /// [`Error::Prompt`] if a folder has no file for the language.
    pub fn get(&self, lang: Lang) -> Result<&S, Error> {
        let code = match (lang, &self.path) {
            (Lang::Other, None) => "en".to_owned(),
            _ => lang.to_string(),
        };
        let set = self.sets.get(&code).or_else(|| self.sets.get(""));
        let path = self.path.as_deref().unwrap_or(Path::new(""));
        set.ok_or_else(|| prompt_error(self.setting, path, PromptFault::NoLanguage(code)))
    }
}

/// A table of a prompt file with a system prompt and a user turn.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PromptTable {
    system: String,
    user: String,
}

impl PromptTable {
    /// Parses the user turn, which must contain each of `slots`. `key` is the name of the table.
    ///
    /// # Errors
    /// [`PromptFault`] if a slot is unknown or missing.
    pub fn parse(self, key: &str, slots: &[&str]) -> Result<PromptPair, PromptFault> {
        Ok(PromptPair {
            user: PromptTemplate::parse(&format!("{key}.user"), &self.user, slots)?,
            system: self.system,
        })
    }
}

/// A system prompt with a template of the user turn.
pub struct PromptPair {
    system: String,
    user: PromptTemplate,
}

impl PromptPair {
    /// The conversation with the slots of the user turn filled.
    pub fn turns(&self, values: &[(&str, &str)]) -> Vec<Turn> {
        vec![Turn::new(Role::System, &*self.system), Turn::new(Role::User, self.user.fill(values))]
    }
}

fn prompt_error(setting: &'static str, path: &Path, fault: PromptFault) -> Error {
    Error::Prompt { setting, path: path.to_owned(), fault: Box::new(fault) }
}

fn read_files(setting: &'static str, path: &Path) -> Result<Vec<PromptFile>, Error> {
    let fault = |path: &Path, fault| prompt_error(setting, path, fault);
    let read = |path: &Path, lang: String| {
        let text = std::fs::read_to_string(path).map_err(|e| fault(path, e.into()))?;
        Ok((lang, path.to_owned(), text))
    };
    if !path.is_dir() {
        return Ok(vec![read(path, String::new())?]);
    }
    let entries = std::fs::read_dir(path).map_err(|e| fault(path, e.into()))?;
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|file| file.extension().is_some_and(|e| e == "toml"));
    files.sort();
    if files.is_empty() {
        return Err(fault(path, PromptFault::NoFiles));
    }
    let stem = |file: &Path| file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    files.iter().map(|file| read(file, stem(file))).collect()
}
