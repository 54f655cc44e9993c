//! Documents: the source texts of a knowledge base.

use std::ops::Range;

use fiel_text::id::DocId;

use crate::front_matter::FrontMatter;

/// A source text with its id, title and language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    /// Path below the knowledge base without extension, with `/` between its parts. A line of a
    /// JSONL file appends `/` and its own id.
    pub id: DocId,
    /// Title from the front matter or the HTML head, else the first heading, else the id. A line
    /// of a JSONL file has its own title, which may be empty.
    pub title: String,
    /// Language code from the front matter or the HTML page, if present.
    pub lang: Option<String>,
    /// The whole file, or the text extracted from it (HTML, PDF, JSONL).
    pub text: String,
    /// Bytes of `text` without byte-order mark and front matter.
    pub body: Range<usize>,
    /// Whether `text` is parsed as Markdown; else it only has paragraphs.
    pub is_markdown: bool,
}

impl Document {
    /// A Markdown document. Its front matter may set `title` and `lang` (or `language`).
    pub fn markdown(id: &str, text: &str) -> Self {
        let start = bom_len(text);
        let FrontMatter { length, title, lang } = FrontMatter::parse(&text[start..]);
        Self::with_body(id, text.to_owned(), start + length, title, lang)
    }

    /// A Markdown document whose body starts at a byte. Without a title, its first heading is the
    /// title, or else its id.
    pub(crate) fn with_body(
        id: &str,
        text: String,
        start: usize,
        title: Option<String>,
        lang: Option<String>,
    ) -> Self {
        let mut doc = Self {
            id: id.into(),
            title: String::new(),
            lang,
            body: start..text.len(),
            text,
            is_markdown: true,
        };
        doc.title =
            title.or_else(|| crate::blocks::first_heading(&doc)).unwrap_or_else(|| id.to_owned());
        doc
    }

    /// A plain text document. Blank lines separate paragraphs; there is no other structure.
    pub fn plain(id: &str, text: &str) -> Self {
        Self {
            id: id.into(),
            title: id.to_owned(),
            lang: None,
            text: text.to_owned(),
            body: bom_len(text)..text.len(),
            is_markdown: false,
        }
    }

    /// A plain text document with a title, as in the collections of BEIR.
    pub fn titled(id: &str, title: &str, text: &str) -> Self {
        Self { title: title.to_owned(), ..Self::plain(id, text) }
    }
}

fn bom_len(text: &str) -> usize {
    if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn front_matter_gives_title_and_language() {
        let doc =
            Document::markdown("a", "---\ntitle: \"Past: perfect\"\nlang: en\n---\n# H\n\nText.\n");
        assert_eq!((doc.title.as_str(), doc.lang.as_deref()), ("Past: perfect", Some("en")));
        assert_eq!(&doc.text[doc.body.clone()], "# H\n\nText.\n");
    }

    #[test]
    fn byte_order_mark_and_front_matter_are_outside_the_body() {
        let text = "\u{feff}---\r\ntitle: T\r\n---\r\nBody.\r\n";
        let doc = Document::markdown("a", text);
        assert_eq!(doc.title, "T");
        assert_eq!(&text[doc.body], "Body.\r\n");
    }

    #[test]
    fn an_unclosed_fence_is_not_front_matter() {
        let doc = Document::markdown("a", "---\nnot closed\n");
        assert_eq!(doc.body, 0..15);
        assert_eq!(Document::markdown("a", "# Head\n").title, "Head");
        assert_eq!(Document::markdown("a", "text\n").title, "a");
    }
}
