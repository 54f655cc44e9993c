//! Metadata at the beginning of a Markdown file: YAML between `---` lines or TOML between `+++` lines.

/// The front matter of a text.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct FrontMatter {
    /// Number of bytes up to the body; 0 without front matter.
    pub length: usize,
    pub title: Option<String>,
    pub lang: Option<String>,
}

impl FrontMatter {
    /// Parses the front matter of a text. Lines between two rules are front matter only if they
    /// look like metadata: a first `key: value` (TOML: `key = value`), then further keys, comments,
    /// blank lines, list items and indented continuations. Other lines are text.
    pub(crate) fn parse(text: &str) -> Self {
        let mut lines = lines(text);
        let (closings, separator): (&[&str], char) = match lines.next().map(str::trim_end) {
            Some("---") => (&["---", "..."], ':'),
            Some("+++") => (&["+++"], '='),
            _ => return Self::default(),
        };
        let mut out = Self { length: text.len() - lines.rest.len(), ..Self::default() };
        let mut has_key = false;
        while let Some(line) = lines.next() {
            if closings.contains(&line.trim_end()) {
                out.length = text.len() - lines.rest.len();
                // Empty front matter has no key, and two rules with nothing between them no text.
                return out;
            }
            let key_value = key_value(line, separator);
            let continues = line.starts_with([' ', '\t', '#', '[', ']', '}'])
                || line.starts_with("- ")
                || line.trim().is_empty();
            match key_value {
                Some((key, value)) => {
                    has_key = true;
                    match key.to_lowercase().as_str() {
                        "title" if !value.is_empty() => out.title = Some(value.to_owned()),
                        "lang" | "language" if !value.is_empty() => {
                            out.lang = Some(value.to_owned());
                        }
                        _ => {}
                    }
                }
                None if continues && (has_key || !line.starts_with("- ")) => {}
                None => return Self::default(),
            }
        }
        Self::default()
    }
}

/// Keys that may be capitalized. `Note: …` between two rules is text.
const KEYS: [&str; 10] = [
    "title",
    "lang",
    "language",
    "author",
    "authors",
    "date",
    "tags",
    "categories",
    "description",
    "keywords",
];

/// A line of the form `key: value` with a key of one word, which may be quoted.
fn key_value(line: &str, separator: char) -> Option<(&str, &str)> {
    let (key, value) = line.split_once(separator)?;
    let quotes = ['"', '\''];
    let key = key.trim_end();
    let inner = key.trim_matches(quotes);
    let is_key = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
    let is_value = separator == '=' || value.is_empty() || value.starts_with(char::is_whitespace);
    let is_usual = inner.starts_with(|c: char| c.is_lowercase() || c == '_')
        || KEYS.iter().any(|known| known.eq_ignore_ascii_case(inner));
    (is_usual && inner.chars().all(is_key) && is_value)
        .then(|| (inner, value.trim().trim_matches(quotes)))
}

/// The lines of a text, which end in LF, CRLF or CR.
fn lines(text: &str) -> Lines<'_> {
    Lines { rest: text }
}

struct Lines<'a> {
    rest: &'a str,
}

impl<'a> Iterator for Lines<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        if self.rest.is_empty() {
            return None;
        }
        let end = self.rest.find(['\n', '\r']).unwrap_or(self.rest.len());
        let (line, rest) = self.rest.split_at(end);
        self.rest = rest.strip_prefix("\r\n").unwrap_or(rest.get(1..).unwrap_or_default());
        Some(line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The body, the title and the language of a text.
    fn parsed(text: &str) -> (&str, Option<String>, Option<String>) {
        let FrontMatter { length, title, lang } = FrontMatter::parse(text);
        (&text[length..], title, lang)
    }

    #[test]
    fn metadata_is_recognized_in_every_form() {
        for text in [
            "---\ntitle: A b\nlang: es\n---\nBody\n",
            "---\r\ntitle: \"A b\"\r\nlang: es\r\n---\r\nBody\n",
            "---\rtitle: A b\rlang: es\r---\rBody\n",
            "---\n# Comment\ntitle: 'A b'\ntags:\n- x\n- y\nabout: >\n  More\nlang: es\n...\nBody\n",
            "+++\ntitle = \"A b\"\nlang = \"es\"\ntags = [\n  \"x\",\n]\n\n[menu]\nweight = 40\n+++\nBody\n",
        ] {
            let expected = ("Body\n", Some("A b".to_owned()), Some("es".to_owned()));
            assert_eq!(parsed(text), expected, "{text}");
        }
        assert_eq!(parsed("---\n---\nBody").0, "Body");
    }

    #[test]
    fn text_between_rules_stays() {
        for text in [
            "---\nRefunds are paid within nine days.\n---\nMore\n",
            "---\nNote: this is a sentence.\n---\n",
            "---\nnote: this is a sentence.\nAnd another one.\n---\n",
            "---\ntitle: never closed\n",
            "---\n- item\n---\n",
            "---\nhttps://example.org\n---\n",
            "Text\n---\ntitle: x\n---\n",
            "+++\nnot toml\n+++\n",
            "",
        ] {
            assert_eq!(FrontMatter::parse(text), FrontMatter::default(), "{text}");
        }
    }
}
