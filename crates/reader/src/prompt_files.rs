use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use fiel_corpus::sha256_hex;
use fiel_metrics::Lang;
use fiel_models::llm::{Role, Turn};
use serde::Deserialize;

use crate::{Error, slots::Slots};

/// Where prompts come from when a setting names no file.
pub(crate) struct Shipped {
    /// The key of fiel.toml that names files of one's own.
    pub setting: &'static str,
    /// Changes whenever a shipped file does, so that what an older one gave is not taken for new.
    pub version: u32,
    /// The text of each file by its language.
    pub files: [(&'static str, &'static str); 2],
}

/// A set of prompts for each language, read from files.
pub(crate) struct ByLanguage<S> {
    /// By ISO code; under `""` one that serves every language.
    sets: BTreeMap<String, S>,
    setting: &'static str,
    /// Where they were read from; `None`: built in.
    path: Option<PathBuf>,
    digest: String,
}

impl<S> ByLanguage<S> {
    /// The shipped prompts, or those of a path: one file for every language, or a folder with
    /// `en.toml`, `es.toml` and so on. `parse` reads a file or says what is wrong with it.
    ///
    /// # Errors
    /// Naming the file, and the key or the slot that is wrong.
    pub(crate) fn load(
        shipped: &Shipped,
        path: Option<&Path>,
        parse: fn(&str) -> Result<S, String>,
    ) -> Result<Self, Error> {
        let setting = shipped.setting;
        let built_in = |(lang, text): &(&str, &str)| {
            let path = PathBuf::from(format!("{lang}.toml"));
            (lang.to_string(), path, text.to_string())
        };
        let files = match path {
            None => shipped.files.iter().map(built_in).collect(),
            Some(path) => read(setting, path)?,
        };
        let mut sets = BTreeMap::new();
        let mut all = format!("{}\n", shipped.version);
        for (lang, path, text) in files {
            let set = parse(&text).map_err(|problem| Error::Prompt {
                setting,
                path,
                problem,
            })?;
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

    /// SHA-256 of the files.
    pub(crate) fn digest(&self) -> &str {
        &self.digest
    }

    /// The set of a language; the shipped ones take English for any other.
    ///
    /// # Errors
    /// When a folder has no file for it.
    pub(crate) fn of(&self, lang: Lang) -> Result<&S, Error> {
        let code = match (lang, &self.path) {
            (Lang::Other, None) => "en".to_owned(),
            _ => lang.to_string(),
        };
        let found = self.sets.get(&code).or_else(|| self.sets.get(""));
        found.ok_or_else(|| Error::Prompt {
            setting: self.setting,
            path: self.path.clone().unwrap_or_default(),
            problem: format!("there is no {code}.toml for texts in that language"),
        })
    }
}

/// A table of a prompt file that asks one thing.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct AskedTable {
    system: String,
    user: String,
}

impl AskedTable {
    /// `key` is where the table stands.
    pub(crate) fn parse(self, key: &str, known: &[&str]) -> Result<Asked, String> {
        Ok(Asked {
            user: slots(&format!("{key}.user"), &self.user, known)?,
            system: self.system,
        })
    }
}

/// What one thing is asked with.
pub(crate) struct Asked {
    system: String,
    user: Slots,
}

impl Asked {
    pub(crate) fn turns(&self, values: &[(&str, &str)]) -> Vec<Turn> {
        vec![
            Turn::new(Role::System, &*self.system),
            Turn::new(Role::User, self.user.fill(values)),
        ]
    }
}

/// A text of a prompt file with its slots; `key` is where it stands.
pub(crate) fn slots(key: &str, text: &str, known: &[&str]) -> Result<Slots, String> {
    Slots::parse(text, known).map_err(|e| format!("{key}: {e}"))
}

/// Language, path and text of each file.
fn read(setting: &'static str, path: &Path) -> Result<Vec<(String, PathBuf, String)>, Error> {
    let wrong = |path: &Path, problem: String| Error::Prompt {
        setting,
        path: path.to_owned(),
        problem,
    };
    let text = |path: &Path| std::fs::read_to_string(path).map_err(|e| wrong(path, e.to_string()));
    if !path.is_dir() {
        return Ok(vec![(String::new(), path.to_owned(), text(path)?)]);
    }
    let entries = std::fs::read_dir(path).map_err(|e| wrong(path, e.to_string()))?;
    let mut files: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .collect();
    files.retain(|file| file.extension().is_some_and(|e| e == "toml"));
    files.sort();
    if files.is_empty() {
        return Err(wrong(
            path,
            "the folder holds no en.toml, es.toml or the like".into(),
        ));
    }
    let named = |file: PathBuf| {
        let lang = file
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let text = text(&file)?;
        Ok((lang, file, text))
    };
    files.into_iter().map(named).collect()
}
