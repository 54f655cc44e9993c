//! Names of the files of imported documents.

use std::collections::{BTreeMap, BTreeSet};

use fiel_text::{Lang, fold_white_space};

use crate::ids::unique;

/// A document id that is a valid file name everywhere: letters, digits, `-`, `_` and `.`.
pub(super) fn safe(id: &str) -> String {
    let is_safe = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
    let mut name: String = id.trim().chars().map(|c| if is_safe(c) { c } else { '-' }).collect();
    // A leading dot hides a file, and a name of dots only is a folder.
    if name.starts_with('.') {
        name.insert(0, '_');
    }
    name
}

/// `Super Bowl 50` -> `super-bowl-50`.
pub(super) fn slug(title: &str) -> String {
    let lower: String = title.chars().flat_map(char::to_lowercase).collect();
    let words = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("-")
}

/// Unique file names for the ids of a collection, ignoring case.
#[derive(Default)]
pub(super) struct Names {
    by_id: BTreeMap<String, String>,
    /// Names in lower case.
    taken: BTreeSet<String>,
}

impl Names {
    /// Names an id. Returns `None` if it has a name already.
    pub(super) fn add(&mut self, id: &str) -> Option<String> {
        if self.by_id.contains_key(id) {
            return None;
        }
        let name = unique(&safe(id), |name| self.taken.contains(&name.to_lowercase()));
        self.taken.insert(name.to_lowercase());
        self.by_id.insert(id.to_owned(), name.clone());
        Some(name)
    }

    pub(super) fn get(&self, id: &str) -> Option<&str> {
        self.by_id.get(id).map(String::as_str)
    }

    /// The ids that differ from their names.
    pub(super) fn renamed(self) -> BTreeMap<String, String> {
        self.by_id.into_iter().filter(|(id, name)| id != name).collect()
    }
}

/// A Markdown file with title and language in its front matter.
pub(super) fn markdown_file(title: &str, lang: Lang, text: &str) -> String {
    let title = fold_white_space(title);
    let title = if title.is_empty() { title } else { format!("title: {title}\n") };
    format!("---\n{title}lang: {lang}\n---\n{}\n", text.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_id_gets_a_unique_name() {
        let mut names = Names::default();
        let mut add = |id| names.add(id);
        assert_eq!(add("a/b#1").as_deref(), Some("a-b-1"));
        assert_eq!(add("a-b-1").as_deref(), Some("a-b-1-2"));
        assert_eq!(add("A-B-1").as_deref(), Some("A-B-1-3"));
        assert_eq!(add(".x").as_deref(), Some("_.x"));
        assert_eq!(add(".x"), None);
        assert_eq!(names.get("a/b#1"), Some("a-b-1"));
        assert_eq!(names.renamed().len(), 4);
        assert_eq!(slug("¿Qué? Super_Bowl 50!"), "qué-super-bowl-50");
    }

    #[test]
    fn a_file_reads_back() {
        let text = markdown_file("A:\n title", Lang::En, "Text.\n");
        let doc = fiel_corpus::Document::markdown("d", &text);
        assert_eq!((doc.title.as_str(), doc.lang.as_deref()), ("A: title", Some("en")));
        assert_eq!(&doc.text[doc.body], "Text.\n");
    }
}
