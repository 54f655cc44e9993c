//! Models outside the registry: a folder, a GGUF file or a hub repository.

use std::path::{Path, PathBuf};

use crate::{
    registry::{is_component, is_inside},
    spec::{FileSpec, HubSpec, ModelSpec, Task},
};

/// The files of a sentence encoder or a cross-encoder.
pub(crate) const REQUIRED: [&str; 3] = ["config.json", "tokenizer.json", "model.safetensors"];

/// The files that sentence-transformers stores alongside them.
pub(crate) const OPTIONAL: [&str; 3] =
    ["1_Pooling/config.json", "modules.json", "sentence_bert_config.json"];

/// A model named by its path or its repository.
#[derive(Debug)]
pub(crate) enum NamedModel {
    Folder(PathBuf),
    File(PathBuf),
    Repository(ModelSpec),
}

impl NamedModel {
    /// Interprets a name. An existing path takes precedence over a repository.
    pub(crate) fn new(name: &str) -> Option<Self> {
        let path = Path::new(name);
        if path.is_dir() {
            return Some(Self::Folder(path.to_owned()));
        }
        if path.is_file() {
            return Some(Self::File(path.to_owned()));
        }
        match repository(name) {
            Some(spec) => Some(Self::Repository(spec)),
            // Opening the file reports why it cannot be read.
            None => name.ends_with(".gguf").then(|| Self::File(path.to_owned())),
        }
    }
}

/// Parses `OWNER/NAME`, `OWNER/NAME@REVISION`, `OWNER/NAME/FILE.gguf` or
/// `OWNER/NAME/FILE.gguf@REVISION`.
fn repository(id: &str) -> Option<ModelSpec> {
    let (name, revision) = id.split_once('@').unwrap_or((id, "main"));
    let parts: Vec<&str> = name.split('/').collect();
    let is_legal = |part: &&str| {
        is_component(part) && part.chars().all(|c| c.is_ascii_alphanumeric() || "._-".contains(c))
    };
    if parts.len() < 2 || !is_inside(name) || !parts.iter().all(is_legal) || !is_legal(&revision) {
        return None;
    }
    let file = |name: &str, optional| FileSpec {
        name: name.to_owned(),
        size: None,
        sha256: None,
        optional,
    };
    let (task, files) = match parts[2..].join("/").as_str() {
        "" if !name.ends_with(".gguf") => {
            let required = REQUIRED.map(|name| file(name, false));
            let optional = OPTIONAL.map(|name| file(name, true));
            (None, required.into_iter().chain(optional).collect())
        }
        name if name.ends_with(".gguf") => (Some(Task::TextGeneration), vec![file(name, false)]),
        _ => return None,
    };
    Some(ModelSpec {
        id: id.to_owned(),
        task,
        // The SPDX value for an unknown licence.
        licence: "NOASSERTION".to_owned(),
        files,
        hub: Some(HubSpec { repository: parts[..2].join("/"), revision: revision.to_owned() }),
        wheels: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repository_names_are_parsed() {
        let plain = repository("owner/a.name-1").unwrap();
        let source = plain.hub.as_ref().unwrap();
        assert_eq!(
            (source.repository.as_str(), source.revision.as_str()),
            ("owner/a.name-1", "main")
        );
        assert_eq!(plain.folder(), "owner--a.name-1");
        assert_eq!((plain.files.len(), plain.task), (6, None));

        let tagged = repository("owner/name@v1.5").unwrap();
        assert_eq!(tagged.hub.as_ref().unwrap().revision, "v1.5");
        assert_eq!(tagged.folder(), "owner--name@v1.5");

        let file = repository("owner/name/q4/a.gguf@c0ffee").unwrap();
        let source = file.hub.as_ref().unwrap();
        assert_eq!(
            (source.repository.as_str(), source.revision.as_str()),
            ("owner/name", "c0ffee")
        );
        assert_eq!(file.files[0].name, "q4/a.gguf");
        assert_eq!(file.task, Some(Task::TextGeneration));
    }

    #[test]
    fn other_names_are_not_repositories() {
        for name in [
            "",
            "name",
            "owner/",
            "/name",
            "../name",
            "./name",
            "owner/..",
            "owner/na me",
            "owner/name/model.bin",
            "owner\\name",
            "owner/name@",
            "owner/name@a/b",
            "@v1",
            "owner//name",
            "folder/file.gguf",
            "owner/.name",
            "~/models",
        ] {
            assert!(repository(name).is_none(), "{name:?}");
        }
    }
}
