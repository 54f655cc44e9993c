//! Resolution of model names. Models outside the registry are a folder, a file or a hub
//! repository.

use std::{borrow::Cow, collections::BTreeMap, io::ErrorKind, path::Path};

use crate::{
    Attempt, Error, FileSpec, HubSpec, ModelFiles, ModelSpec, ModelStore, Result, Task,
    registry::{is_component, is_inside},
};

/// The files of a sentence encoder or a cross-encoder.
const REQUIRED: [&str; 3] = ["config.json", "tokenizer.json", "model.safetensors"];

/// The files that sentence-transformers stores alongside them.
const OPTIONAL: [&str; 3] = ["1_Pooling/config.json", "modules.json", "sentence_bert_config.json"];

/// The result of resolving a name: a model to search for, or the files at a path.
pub(crate) enum Resolved<'a> {
    Spec(Cow<'a, ModelSpec>),
    Files(ModelFiles),
}

impl ModelStore {
    /// Opens a model file. Its id is the file name without the extension.
    fn open_file(&self, path: &Path) -> Result<ModelFiles> {
        let path = path.canonicalize().map_err(Error::io("open", path))?;
        let (Some(dir), Some(name), Some(stem)) =
            (path.parent(), path.file_name(), path.file_stem())
        else {
            return Err(Error::io("open", &path)(ErrorKind::IsADirectory.into()));
        };
        let digests = BTreeMap::from([(name.to_string_lossy().into_owned(), self.digest(&path)?)]);
        Ok(ModelFiles::new(&stem.to_string_lossy(), dir, digests))
    }

    /// Opens the folder of a sentence encoder or a cross-encoder. Its id is the folder's name.
    fn open_folder(&self, path: &Path) -> Result<ModelFiles> {
        let path = path.canonicalize().map_err(Error::io("open", path))?;
        let exists = |name: &&str| path.join(name).is_file();
        let missing: Vec<String> =
            REQUIRED.iter().filter(|name| !exists(name)).map(ToString::to_string).collect();
        if !missing.is_empty() {
            return Err(Error::NoModelFolder { path, missing });
        }
        let mut digests = BTreeMap::new();
        for name in REQUIRED.into_iter().chain(OPTIONAL).filter(exists) {
            digests.insert(name.to_owned(), self.digest(&path.join(name))?);
        }
        let id = path.file_name().unwrap_or_default().to_string_lossy();
        Ok(ModelFiles::new(&id, &path, digests))
    }

    /// The SHA-256 of a file, remembered if the file has not changed.
    fn digest(&self, path: &Path) -> Result<String> {
        match self.memory.get(path) {
            Some(sha256) => Ok(sha256),
            None => self.memory.hash(path).map_err(Error::io("read", path)),
        }
    }

    /// Resolves a name: as an id of the registry, then as a path, then as a repository.
    pub(crate) fn resolve(&self, id: &str, attempts: &mut Vec<Attempt>) -> Result<Resolved<'_>> {
        let unknown = match self.registry.get(id) {
            Ok(spec) => return Ok(Resolved::Spec(Cow::Borrowed(spec))),
            Err(unknown) => unknown,
        };
        let path = Path::new(id);
        if path.is_dir() {
            return self.open_folder(path).map(Resolved::Files);
        }
        if !path.is_file()
            && let Some(spec) = parse_repository(id)
        {
            attempts.push(Attempt::new(format!("file or folder {id}"), "not found"));
            return Ok(Resolved::Spec(Cow::Owned(spec)));
        }
        // Opening a missing GGUF file reports why it cannot be read.
        if path.is_file() || id.ends_with(".gguf") {
            return self.open_file(path).map(Resolved::Files);
        }
        Err(unknown)
    }
}

/// Parses `OWNER/NAME`, `OWNER/NAME@REVISION`, `OWNER/NAME/FILE.gguf` or
/// `OWNER/NAME/FILE.gguf@REVISION`.
fn parse_repository(id: &str) -> Option<ModelSpec> {
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
        let plain = parse_repository("owner/a.name-1").unwrap();
        let source = plain.hub.as_ref().unwrap();
        assert_eq!(
            (source.repository.as_str(), source.revision.as_str()),
            ("owner/a.name-1", "main")
        );
        assert_eq!(plain.folder(), "owner--a.name-1");
        assert_eq!((plain.files.len(), plain.task), (6, None));

        let tagged = parse_repository("owner/name@v1.5").unwrap();
        assert_eq!(tagged.hub.as_ref().unwrap().revision, "v1.5");
        assert_eq!(tagged.folder(), "owner--name@v1.5");

        let file = parse_repository("owner/name/q4/a.gguf@c0ffee").unwrap();
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
            assert!(parse_repository(name).is_none(), "{name:?}");
        }
    }
}
