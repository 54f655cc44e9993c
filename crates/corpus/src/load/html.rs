use std::{path::Path, rc::Rc};

use htmd::{
    HtmlToMarkdown, Node,
    options::{BulletListMarker, Options},
};
use markup5ever_rcdom::NodeData;

use crate::{Document, Error};

mod elements;

/// What a reader of the page does not read.
const DROPPED: [&str; 7] = [
    "head", "nav", "noscript", "script", "style", "svg", "template",
];

/// Elements inside one another. A browser flattens what is deeper than 512; the converter calls
/// itself for each, so much more would overflow the stack.
const MAX_DEPTH: usize = 256;

/// `.html`, `.htm`: the Markdown that the page becomes, its title and its language.
pub(super) fn document(path: &Path, id: &str, html: &str) -> Result<Document, Error> {
    let bad = |problem: String| Error::Unreadable {
        path: path.to_owned(),
        problem,
    };
    let converter = HtmlToMarkdown::builder()
        .options(Options {
            bullet_list_marker: BulletListMarker::Dash,
            ul_bullet_spacing: 1,
            ol_number_spacing: 1,
            ..Options::default()
        })
        .skip_tags(DROPPED.to_vec())
        .add_handler(vec!["table"], elements::table)
        .add_handler(vec!["pre"], elements::pre)
        .build();
    let html = html.strip_prefix('\u{feff}').unwrap_or(html);
    let tree = converter
        .html_to_tree(html)
        .map_err(|e| bad(format!("not readable as HTML: {e}")))?;
    if depth(&tree) > MAX_DEPTH {
        return Err(bad(format!(
            "its elements are nested more than {MAX_DEPTH} deep. Flatten it, or save it as text"
        )));
    }
    let text = converter.tree_to_markdown(&tree);
    let root = child(&tree, "html");
    let lang = root.as_ref().and_then(|root| attribute(root, "lang"));
    let title = root
        .and_then(|root| child(&root, "head"))
        .and_then(|head| child(&head, "title"))
        .map(|title| fold(&text_of(&title)));
    // `es-MX` is Spanish.
    let lang = lang.map(|l| {
        l.split(['-', '_'])
            .next()
            .unwrap_or_default()
            .trim()
            .to_lowercase()
    });
    Ok(Document::converted(
        id,
        text,
        title.filter(|t| !t.is_empty()),
        lang.filter(|l| !l.is_empty()),
    ))
}

/// The first child element with this name.
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

/// The text of a node as it is written, a line break as one.
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

/// Visits a node and what it holds in the order of the page, without calling itself.
fn walk(node: &Rc<Node>, visit: &mut dyn FnMut(&Node, usize)) {
    let mut open = vec![(Rc::clone(node), 0)];
    while let Some((node, depth)) = open.pop() {
        visit(&node, depth);
        let children = node.children.borrow();
        open.extend(children.iter().rev().map(|c| (Rc::clone(c), depth + 1)));
    }
}

fn fold(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(html: &str) -> Document {
        document(Path::new("p.html"), "p", html).expect("loads")
    }

    #[test]
    fn title_and_language_come_from_the_page() {
        let doc = load("<html lang=es-MX><title> Los\n verbos </title><h1>Comer</h1><p>Sí.");
        assert_eq!(
            (doc.title.as_str(), doc.lang.as_deref()),
            ("Los verbos", Some("es"))
        );
        assert_eq!(doc.text, "# Comer\n\nSí.");
        assert_eq!(load("<h1>Eat <i>it</i></h1>").title, "Eat it");
        assert_eq!(load("<p>x").title, "p");
        assert_eq!(load("<svg><title>no</title></svg><p>x").lang, None);
    }

    #[test]
    fn what_is_not_read_is_dropped() {
        let page = "<head><style>p{}</style></head><nav><a href=x>Menu</a></nav><p>Text.</p>\
                    <script>let a;</script><noscript>No</noscript><template><p>T</template>";
        assert_eq!(load(page).text, "Text.");
    }

    #[test]
    fn text_is_not_taken_for_markup() {
        let page = "<p># no heading</p><p>1. no list</p><p>a*b*c &lt;i&gt;</p>";
        let doc = load(page);
        let parsed = crate::blocks::Parsed::new(&doc);
        assert_eq!(
            parsed.words(&doc, doc.body.clone()),
            "# no heading\n1. no list\na*b*c <i>",
            "{}",
            doc.text
        );
    }

    #[test]
    fn too_deep_a_page_is_an_error_and_a_deep_one_is_not() {
        let nested = |depth: usize| "<div>".repeat(depth) + "x";
        assert_eq!(load(&nested(MAX_DEPTH - 4)).text, "x");
        let error = document(Path::new("p.html"), "p", &nested(5_000)).expect_err("deep");
        assert!(
            error
                .to_string()
                .starts_with("p.html: its elements are nested")
        );
    }
}
