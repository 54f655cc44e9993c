//! Toxicity by word lists.

use std::path::Path;

use fiel_metrics::{ToxicWords, Value};
use fiel_store::sha256_hex;
use fiel_text::Lang;

use crate::Error;

/// Toxic words: `judge.toxic_words`.
pub(super) struct Toxic {
    words: ToxicWords,
    digest: String,
}

impl Toxic {
    /// Loads the built-in lists, or the list of a file for every language.
    ///
    /// # Errors
    /// [`Error::Input`] with the file and the line at fault.
    pub(super) fn load(path: Option<&Path>) -> Result<Self, Error> {
        let words = match path {
            None => ToxicWords::built_in(),
            Some(path) => {
                let wrong = |problem: String| Error::Input {
                    path: path.to_owned(),
                    message: format!("judge.toxic_words: {problem}"),
                };
                let text = std::fs::read_to_string(path).map_err(|e| wrong(e.to_string()))?;
                text.parse().map_err(|e: fiel_metrics::ToxicWordsError| wrong(e.to_string()))?
            }
        };
        let mut listed = words.listed(Lang::En);
        listed.extend(words.listed(Lang::Es));
        Ok(Self { digest: sha256_hex(listed.join("\n").as_bytes()), words })
    }

    pub(super) fn key(&self) -> String {
        format!("toxic words {}", self.digest)
    }

    /// The toxicity of an answer; undefined for a language without a list.
    pub(super) fn value(&self, answer: &str, lang: Lang) -> Value {
        Value::from(self.words.toxicity(answer, lang))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_of_ones_own_is_for_every_language_and_its_faults_are_named() {
        let dir = tempfile::tempdir().expect("temporary folder");
        let path = dir.path().join("words.txt");
        let built_in = Toxic::load(None).expect("built in");
        assert_eq!(built_in.value("Idiot!", Lang::Other), Value::Undefined);
        std::fs::write(&path, "knave\nfool\n").expect("written");
        let own = Toxic::load(Some(&path)).expect("reads");
        assert_eq!(own.value("A fool.", Lang::Other), Value::Ok(0.5));
        assert_eq!(own.value("Idiot!", Lang::En), Value::Ok(0.0));
        assert_ne!(own.key(), built_in.key());
        std::fs::write(&path, "knave\n--\n").expect("written");
        let error = Toxic::load(Some(&path)).err().map(|e| e.to_string());
        let error = error.unwrap_or_default();
        assert!(
            error.contains("words.txt: judge.toxic_words: line 2: \"--\" is not a word"),
            "{error}"
        );
        let none = Toxic::load(Some(&dir.path().join("none.txt"))).err();
        assert!(none.is_some_and(|e| e.to_string().contains("none.txt")));
    }
}
