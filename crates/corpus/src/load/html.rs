//! HTML: converted to Markdown.

use std::{path::Path, rc::Rc};

use fiel_store::decode;
use fiel_text::fold_white_space;
use htmd::{
    HtmlToMarkdown, Node,
    options::{BulletListMarker, Options},
};
use markup5ever_rcdom::NodeData;

use crate::{Document, Error};

mod elements;

/// Elements whose content is not part of the text.
const SKIPPED: [&str; 7] = ["head", "nav", "noscript", "script", "style", "svg", "template"];

/// Maximum nesting of elements. The converter is recursive, so much deeper pages would overflow the
/// stack. Browsers flatten elements below a depth of 512.
const MAX_DEPTH: usize = 256;

/// Loads a `.html` or `.htm` file: its text as Markdown, its title and its language.
pub(super) fn document(path: &Path, id: &str, bytes: Vec<u8>) -> Result<Document, Error> {
    let declared = declared_encoding(&bytes);
    let html = decode(path, bytes, declared.as_deref())?;
    let bad = |problem: String| Error::Unreadable { path: path.to_owned(), problem };
    let converter = HtmlToMarkdown::builder()
        .options(Options {
            bullet_list_marker: BulletListMarker::Dash,
            ul_bullet_spacing: 1,
            ol_number_spacing: 1,
            ..Options::default()
        })
        .skip_tags(SKIPPED.to_vec())
        .add_handler(vec!["table"], elements::table)
        .add_handler(vec!["pre"], elements::pre)
        .build();
    let html = html.strip_prefix('\u{feff}').unwrap_or(&html);
    let tree =
        converter.html_to_tree(html).map_err(|e| bad(format!("cannot parse the HTML: {e}")))?;
    if depth(&tree) > MAX_DEPTH {
        return Err(bad(format!(
            "elements are nested more than {MAX_DEPTH} deep. Flatten the page, or save it as text"
        )));
    }
    elements::keep_spaces(&tree);
    let text = converter.tree_to_markdown(&tree);
    let root = child(&tree, "html");
    let title = root
        .as_ref()
        .and_then(|root| child(root, "head"))
        .and_then(|head| child(&head, "title"))
        .map(|title| fold_white_space(&text_of(&title)))
        .filter(|title| !title.is_empty());
    // The primary language of a tag such as `es-MX`.
    let lang = root
        .and_then(|root| attribute(&root, "lang"))
        .and_then(|tag| Some(tag.split(['-', '_']).next()?.trim().to_lowercase()))
        .filter(|lang| !lang.is_empty());
    Ok(Document::with_body(id, text, 0, title, lang))
}

/// The encoding that a page declares in its first 1,024 bytes, as browsers look for it: in
/// `<meta charset="…">`, `<meta content="…; charset=…">` or `<?xml encoding="…"?>`.
fn declared_encoding(bytes: &[u8]) -> Option<String> {
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(1024)]).to_ascii_lowercase();
    let value = |text: &str, name: &str| {
        let (_, rest) = text.split_once(name)?;
        let rest = rest.trim_start().strip_prefix('=')?.trim_start();
        let value = rest.trim_start_matches(['"', '\'']);
        let end = value.find(|c: char| c.is_whitespace() || "\"'/;>?".contains(c));
        Some(value[..end.unwrap_or(value.len())].to_owned()).filter(|label| !label.is_empty())
    };
    let mut tags = head.split('<').map(|tag| tag.split('>').next().unwrap_or_default());
    tags.find_map(|tag| match tag {
        tag if tag.starts_with("meta") => value(tag, "charset"),
        tag if tag.starts_with("?xml") => value(tag, "encoding"),
        _ => None,
    })
}

/// Returns the first child element with this name.
fn child(node: &Rc<Node>, name: &str) -> Option<Rc<Node>> {
    let children = node.children.borrow();
    children.iter().find(|c| tag(c) == Some(name)).cloned()
}

fn tag(node: &Node) -> Option<&str> {
    match &node.data {
        NodeData::Element { name, .. } => Some(&name.local),
        _ => None,
    }
}

fn attribute(node: &Node, name: &str) -> Option<String> {
    let NodeData::Element { attrs, .. } = &node.data else {
        return None;
    };
    let attrs = attrs.borrow();
    let found = attrs.iter().find(|a| &*a.name.local == name)?;
    Some(found.value.to_string())
}

/// Returns the text of a node with its white space, and a newline for each `br`.
fn text_of(node: &Rc<Node>) -> String {
    let mut out = String::new();
    walk(node, &mut |node, _| match &node.data {
        NodeData::Text { contents } => out.push_str(&contents.borrow()),
        _ if tag(node) == Some("br") => out.push('\n'),
        _ => {}
    });
    out
}

fn depth(node: &Rc<Node>) -> usize {
    let mut deepest = 0;
    walk(node, &mut |_, depth| deepest = deepest.max(depth));
    deepest
}

/// Visits a node and its descendants in document order, each with its depth. Not recursive.
fn walk(node: &Rc<Node>, visit: &mut dyn FnMut(&Node, usize)) {
    let mut open = vec![(Rc::clone(node), 0)];
    while let Some((node, depth)) = open.pop() {
        visit(&node, depth);
        let children = node.children.borrow();
        open.extend(children.iter().rev().map(|c| (Rc::clone(c), depth + 1)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(html: &str) -> Document {
        document(Path::new("p.html"), "p", html.into()).expect("loads")
    }

    #[test]
    fn title_and_language_come_from_the_page() {
        let doc = load("<html lang=es-MX><title> Los\n verbos </title><h1>Comer</h1><p>Sí.");
        assert_eq!((doc.title.as_str(), doc.lang.as_deref()), ("Los verbos", Some("es")));
        assert_eq!(doc.text, "# Comer\n\nSí.");
        assert_eq!(load("<h1>Eat <i>it</i></h1>").title, "Eat it");
        assert_eq!(load("<p>x").title, "p");
        assert_eq!(load("<svg><title>no</title></svg><p>x").lang, None);
    }

    #[test]
    fn the_declared_encoding_is_read() {
        for head in [
            "<meta charset=windows-1252>",
            "<META CHARSET = 'Windows-1252' >",
            "<meta http-equiv='Content-Type' content='text/html; charset=iso-8859-1'>",
            "<?xml version='1.0' encoding='windows-1252'?>",
        ] {
            let bytes = [head.as_bytes(), b"<p>caf\xe9 3 \x80"].concat();
            let doc = document(Path::new("p.html"), "p", bytes).expect("loads");
            assert_eq!(doc.text, "café 3 €", "{head}");
        }
        let error = document(Path::new("p.html"), "p", b"<p>caf\xe9".to_vec()).expect_err("bad");
        assert!(error.to_string().starts_with("p.html:1: not valid UTF-8"), "{error}");
    }

    #[test]
    fn navigation_and_scripts_are_dropped() {
        let page = "<head><style>p{}</style></head><nav><a href=x>Menu</a></nav><p>Text.</p>\
                    <script>let a;</script><noscript>No</noscript><template><p>T</template>";
        assert_eq!(load(page).text, "Text.");
    }

    #[test]
    fn text_that_looks_like_markup_is_escaped() {
        let page = "<p># no heading</p><p>1. no list</p><p>a*b*c &lt;i&gt;</p>";
        let doc = load(page);
        let parsed = crate::blocks::Parsed::new(&doc);
        assert_eq!(
            parsed.words(&doc, doc.body.clone(), false),
            "# no heading\n1. no list\na*b*c <i>",
            "{}",
            doc.text
        );
    }

    #[test]
    fn a_page_that_is_nested_too_deep_is_an_error() {
        let nested = |depth: usize| "<div>".repeat(depth) + "x";
        assert_eq!(load(&nested(MAX_DEPTH - 4)).text, "x");
        let error = document(Path::new("p.html"), "p", nested(5_000).into()).expect_err("deep");
        assert!(error.to_string().starts_with("p.html: elements are nested"));
    }
}
