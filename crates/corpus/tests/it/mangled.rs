//! Files of random and of mangled bytes: no panic, and nothing lost without a word.

use std::fs;

use fiel_corpus::{Error, KnowledgeBase};
use proptest::prelude::*;

use crate::data;

const NAMES: [&str; 5] = ["notes.md", "plain.txt", "page.html", "guide.pdf", "rows.jsonl"];

/// Loads a folder with one file of these bytes.
fn load(name: &str, bytes: &[u8]) -> Result<(), TestCaseError> {
    let dir = tempfile::tempdir().expect("temporary folder");
    fs::write(dir.path().join(name), bytes).expect("written");
    match KnowledgeBase::load_readable(dir.path()) {
        Ok(kb) => {
            for doc in &kb.documents {
                prop_assert!(doc.text.get(doc.body.clone()).is_some());
                prop_assert_eq!(kb.document(&doc.id).map(|d| &d.text), Some(&doc.text));
            }
        }
        Err(Error::EmptyKnowledgeBase { files, .. }) => prop_assert_eq!(files, 1),
        Err(error) => return Err(TestCaseError::fail(error.to_string())),
    }
    // Without `--skip-bad` the file is named, or there is nothing to name.
    if let Err(error) = KnowledgeBase::load(dir.path()) {
        let message = error.to_string();
        prop_assert!(message.contains(name) || message.contains("is empty"), "{}", message);
    }
    Ok(())
}

/// Number of inputs, or that of the environment: `PROPTEST_CASES=1000000` for a long run.
fn cases() -> u32 {
    let set = std::env::var("PROPTEST_CASES").ok();
    set.and_then(|cases| cases.parse().ok()).unwrap_or(48)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases()))]

    #[test]
    fn random_bytes(name in prop::sample::select(&NAMES), bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        load(name, &bytes)?;
    }

    #[test]
    fn random_text(name in prop::sample::select(&NAMES), text in any::<String>()) {
        load(name, text.as_bytes())?;
    }

    #[test]
    fn real_files_with_changed_and_missing_bytes(
        name in prop::sample::select(&NAMES),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..12),
        end in any::<prop::sample::Index>(),
        is_cut: bool,
    ) {
        let mut bytes = fs::read(data("kb").join(name)).expect("a file");
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        if is_cut {
            bytes.truncate(end.index(bytes.len()));
        }
        load(name, &bytes)?;
    }
}
