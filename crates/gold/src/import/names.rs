use std::collections::{BTreeMap, BTreeSet};

/// A document id that can be the name of a file everywhere: letters, digits, `-`, `_` and `.`.
pub(super) fn safe(id: &str) -> String {
    let mut out: String = id
        .trim()
        .chars()
        .map(|c| match c {
            c if c.is_alphanumeric() || matches!(c, '-' | '_' | '.') => c,
            _ => '-',
        })
        .collect();
    // A leading dot hides a file; a bare number of dots is a folder.
    if out.starts_with('.') {
        out.insert(0, '_');
    }
    out
}

/// `Super Bowl 50` -> `super-bowl-50`.
pub(super) fn slug(title: &str) -> String {
    let mut out = String::new();
    for c in title.chars().flat_map(char::to_lowercase) {
        if c.is_alphanumeric() {
            out.push(c);
        } else if !out.is_empty() && !out.ends_with('-') {
            out.push('-');
        }
    }
    out.trim_end_matches('-').to_owned()
}

/// Gives each id of a collection a name of its own, letter case apart.
#[derive(Default)]
pub(super) struct Names {
    by_id: BTreeMap<String, String>,
    taken: BTreeSet<String>,
}

impl Names {
    /// None when the id was named before.
    pub(super) fn add(&mut self, id: &str) -> Option<String> {
        if self.by_id.contains_key(id) {
            return None;
        }
        let base = safe(id);
        let numbered = (2..).map(|n| format!("{base}-{n}"));
        let name = std::iter::once(base.clone())
            .chain(numbered)
            .find(|name| !self.taken.contains(&name.to_lowercase()))?;
        self.taken.insert(name.to_lowercase());
        self.by_id.insert(id.to_owned(), name.clone());
        Some(name)
    }

    pub(super) fn get(&self, id: &str) -> Option<&str> {
        self.by_id.get(id).map(String::as_str)
    }

    /// Ids that are not their own names.
    pub(super) fn renamed(self) -> BTreeMap<String, String> {
        self.by_id.into_iter().filter(|(id, name)| id != name).collect()
    }
}

/// A file of a title and a text.
pub(super) fn file(title: &str, lang: &str, text: &str) -> String {
    let title: Vec<&str> = title.split_whitespace().collect();
    let title = match title[..] {
        [] => String::new(),
        _ => format!("title: {}\n", title.join(" ")),
    };
    format!("---\n{title}lang: {lang}\n---\n{}\n", text.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_id_gets_a_name_of_its_own() {
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
    fn a_file_reads_back_as_its_title_and_text() {
        let text = file("A:\n title", "en", "Text.\n");
        let doc = fiel_corpus::Document::markdown("d", &text);
        assert_eq!((doc.title.as_str(), doc.lang.as_deref()), ("A: title", Some("en")));
        assert_eq!(&doc.text[doc.body], "Text.\n");
    }
}
