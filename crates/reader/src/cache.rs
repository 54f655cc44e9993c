//! Answers of language models on disk.

use std::path::{Path, PathBuf};

use fiel_store::{Error as StoreError, read_stored, sha256_hex, write_stored};

use crate::Completion;

const SCHEMA: &str = "fiel.answer";
const VERSION: u32 = 1;

/// Answers on disk, one file each. The key of an answer covers everything it depends on: prompt,
/// model, decoding and class of device.
pub(crate) struct AnswerCache {
    dir: PathBuf,
    reader: String,
}

impl AnswerCache {
    /// `reader` identifies model, decoding and device.
    pub(crate) fn new(dir: &Path, reader: String) -> Self {
        Self { dir: dir.to_owned(), reader }
    }

    fn path(&self, prompt: &str) -> PathBuf {
        let key = sha256_hex(format!("{}\n{prompt}", self.reader).as_bytes());
        self.dir.join(&key[..2]).join(format!("{key}.json"))
    }

    /// The answer to a prompt. `None` if it is not stored, damaged or of another version: then the
    /// model is asked.
    pub(crate) fn get(&self, prompt: &str) -> Option<Completion> {
        load(&self.path(prompt)).ok().flatten()
    }

    /// Stores an answer if the folder can be written.
    pub(crate) fn put(&self, prompt: &str, answer: &Completion) {
        let payload = serde_json::to_vec(answer).expect("an answer is JSON");
        // Without a cache the model is asked again the next time.
        let _ = write_stored(&self.path(prompt), SCHEMA, VERSION, &payload);
    }
}

fn load(path: &Path) -> Result<Option<Completion>, StoreError> {
    let Some(payload) = read_stored(path, SCHEMA, VERSION)? else {
        return Ok(None);
    };
    let answer: Completion =
        serde_json::from_slice(&payload).map_err(|e| StoreError::stored(path, e))?;
    Ok(Some(Completion { cached: true, ..answer }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer() -> Completion {
        Completion {
            text: "eaten [1]".into(),
            prompt_tokens: 9,
            answer_tokens: 4,
            cached: true,
            ..Completion::default()
        }
    }

    #[test]
    fn an_answer_is_found_by_prompt_and_reader_only() {
        let dir = tempfile::tempdir().expect("temporary folder");
        let cache = AnswerCache::new(dir.path(), "model a".into());
        cache.put("prompt", &answer());
        assert_eq!(cache.get("prompt"), Some(answer()));
        assert_eq!(cache.get("other"), None);
        assert_eq!(AnswerCache::new(dir.path(), "model b".into()).get("prompt"), None);
        std::fs::write(cache.path("prompt"), "damaged").expect("written");
        assert_eq!(cache.get("prompt"), None);
    }

    #[test]
    fn the_committed_answer_is_read_and_another_version_refused() {
        let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/answer-v1.json");
        assert_eq!(load(&fixture).expect("read"), Some(answer()));
        let dir = tempfile::tempdir().expect("temporary folder");
        let path = dir.path().join("other.json");
        write_stored(&path, SCHEMA, VERSION + 1, b"{}").expect("written");
        let error = load(&path).expect_err("another version");
        let expected = "expected fiel.answer version 1, found fiel.answer version 2";
        assert!(error.to_string().contains(expected), "{error}");
    }
}
