use std::path::{Path, PathBuf};

use fiel_corpus::{read_stored, sha256_hex, write_stored};
use serde::{Deserialize, Serialize};

use crate::Error;

const SCHEMA: &str = "fiel.answer";
const VERSION: u32 = 1;

/// An answer as the model gave it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Stored {
    pub text: String,
    pub prompt_tokens: usize,
    pub answer_tokens: usize,
}

/// Answers on disk, one file each, found by everything they depend on: prompt, model, decoding
/// and class of device.
pub(crate) struct AnswerCache {
    dir: PathBuf,
    reader: String,
}

impl AnswerCache {
    /// `reader` names model, decoding and device.
    pub(crate) fn new(dir: &Path, reader: String) -> Self {
        Self {
            dir: dir.to_owned(),
            reader,
        }
    }

    fn path(&self, prompt: &str) -> PathBuf {
        let key = sha256_hex(format!("{}\n{prompt}", self.reader).as_bytes());
        self.dir.join(&key[..2]).join(format!("{key}.json"))
    }

    pub(crate) fn get(&self, prompt: &str) -> Result<Option<Stored>, Error> {
        let path = self.path(prompt);
        let Some(payload) = read_stored(&path, SCHEMA, VERSION)? else {
            return Ok(None);
        };
        let parsed = serde_json::from_slice(&payload);
        Ok(Some(parsed.map_err(|e| fiel_corpus::Error::Stored {
            path,
            problem: e.to_string(),
        })?))
    }

    pub(crate) fn put(&self, prompt: &str, answer: &Stored) -> Result<(), Error> {
        let path = self.path(prompt);
        let payload = serde_json::to_vec(answer).map_err(|e| fiel_corpus::Error::Stored {
            path: path.clone(),
            problem: e.to_string(),
        })?;
        Ok(write_stored(&path, SCHEMA, VERSION, &payload)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_found_by_prompt_and_reader_only() {
        let dir = tempfile::tempdir().expect("temporary folder");
        let stored = Stored {
            text: "eaten [1]".into(),
            prompt_tokens: 9,
            answer_tokens: 4,
        };
        let cache = AnswerCache::new(dir.path(), "model a".into());
        cache.put("prompt", &stored).expect("written");
        assert_eq!(cache.get("prompt").expect("read"), Some(stored));
        assert_eq!(cache.get("other").expect("read"), None);
        assert_eq!(
            AnswerCache::new(dir.path(), "model b".into())
                .get("prompt")
                .expect("read"),
            None
        );
    }
}
