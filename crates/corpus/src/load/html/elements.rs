//! Handlers of elements that the converter would damage: it loses row headers, tables without a
//! header, and the layout of preformatted text that is not marked as code.

use std::{cell::RefCell, rc::Rc};

use fiel_text::fold_white_space;
use htmd::{
    Element, Node,
    element_handler::{HandlerResult, Handlers},
};
use markup5ever_rcdom::NodeData;

use super::{attribute, child, tag, text_of, walk};

/// Elements that a cell of a Markdown table cannot hold.
const BLOCKS: [&str; 12] =
    ["table", "ul", "ol", "dl", "pre", "blockquote", "h1", "h2", "h3", "h4", "h5", "h6"];

/// Converts a table to a Markdown table. Its header is the first row of `<thead>`, else a first row
/// of header cells, else empty. A table with block elements in its cells serves layout: its cells
/// follow one another without a table.
pub(super) fn table(handlers: &dyn Handlers, element: Element) -> Option<HandlerResult> {
    let rows = rows(element.node);
    let columns = rows.iter().map(|row| row.cells.len()).max()?;
    if rows.iter().flat_map(|row| &row.cells).any(holds_blocks) {
        let content = handlers.walk_children(element.node).content;
        return Some(format!("\n\n{}\n\n", content.trim_matches('\n')).into());
    }
    let mut out = String::from("\n\n");
    let caption = child(element.node, "caption");
    if let Some(caption) = caption.and_then(|caption| handlers.handle(&caption)) {
        out.push_str(&format!("{}\n\n", caption.content.trim()));
    }
    let (header, body) = match rows.split_first() {
        Some((first, rest)) if first.is_header => (&first.cells[..], rest),
        _ => (&[][..], &rows[..]),
    };
    out.push_str(&markdown_row(handlers, header, columns));
    out.push_str(&"| --- ".repeat(columns));
    out.push_str("|\n");
    for row in body {
        out.push_str(&markdown_row(handlers, &row.cells, columns));
    }
    out.push('\n');
    Some(out.into())
}

/// Formats a row with a cell for every column.
fn markdown_row(handlers: &dyn Handlers, cells: &[Rc<Node>], columns: usize) -> String {
    let mut out = String::new();
    for column in 0..columns {
        let cell = cells.get(column).and_then(|cell| handlers.handle(cell));
        let words = cell.map_or(String::new(), |cell| fold_white_space(&cell.content));
        out.push_str(&format!("| {} ", words.replace('|', "\\|")));
    }
    out + "|\n"
}

struct TableRow {
    cells: Vec<Rc<Node>>,
    is_header: bool,
}

/// A cell that covers more rows or columns than this is an error of the page.
const MAX_SPAN: usize = 100;

/// Returns the rows of a table in document order, without those of nested tables. A cell that spans
/// several rows or columns is in each of them, so that every cell is below its heading.
fn rows(table: &Rc<Node>) -> Vec<TableRow> {
    let mut out = Vec::new();
    // By column: a cell of an earlier row, and how many further rows it covers.
    let mut hanging: Vec<Option<(Rc<Node>, usize)>> = Vec::new();
    for part in table.children.borrow().iter() {
        for row in part.children.borrow().iter() {
            if tag(row) != Some("tr") {
                continue;
            }
            let children = row.children.borrow();
            let own = children.iter().filter(|c| matches!(tag(c), Some("td" | "th")));
            let cells = spanned(own, &mut hanging);
            if !cells.is_empty() {
                let is_header =
                    tag(part) == Some("thead") || cells.iter().all(|c| tag(c) == Some("th"));
                out.push(TableRow { cells, is_header });
            }
        }
        // A cell covers rows of its own part only.
        hanging.clear();
    }
    out
}

/// The cells of a row by column, with those that hang down from earlier rows.
fn spanned<'a>(
    mut own: impl Iterator<Item = &'a Rc<Node>>,
    hanging: &mut Vec<Option<(Rc<Node>, usize)>>,
) -> Vec<Rc<Node>> {
    let span = |cell: &Rc<Node>, name| {
        let span = attribute(cell, name).and_then(|n| n.trim().parse::<usize>().ok());
        span.unwrap_or(1)
    };
    let mut cells = Vec::new();
    loop {
        if let Some(place) = hanging.get_mut(cells.len())
            && let Some((cell, rows)) = place
        {
            cells.push(Rc::clone(cell));
            *rows -= 1;
            if *rows == 0 {
                *place = None;
            }
            continue;
        }
        let Some(cell) = own.next() else {
            if cells.len() < hanging.iter().rposition(Option::is_some).map_or(0, |at| at + 1) {
                // A missing cell before one that hangs down.
                cells.push(Node::new(NodeData::Document));
                continue;
            }
            return cells;
        };
        // A row span of 0 covers the rest of the part.
        let rows = match span(cell, "rowspan") {
            0 => MAX_SPAN,
            rows => rows.min(MAX_SPAN),
        };
        for _ in 0..span(cell, "colspan").clamp(1, MAX_SPAN) {
            if hanging.len() <= cells.len() {
                hanging.resize(cells.len() + 1, None);
            }
            hanging[cells.len()] = (rows > 1).then(|| (Rc::clone(cell), rows - 1));
            cells.push(Rc::clone(cell));
        }
    }
}

fn holds_blocks(cell: &Rc<Node>) -> bool {
    let mut found = false;
    walk(cell, &mut |node, _| {
        found |= tag(node).is_some_and(|t| BLOCKS.contains(&t));
    });
    found
}

/// Inline elements.
const INLINE: [&str; 17] = [
    "a", "abbr", "b", "code", "del", "em", "font", "i", "ins", "kbd", "mark", "q", "s", "small",
    "span", "strong", "u",
];

/// Replaces inline elements that hold only white space by a space. Editors put the space between two
/// words into an element of its own, which the converter would drop.
pub(super) fn keep_spaces(tree: &Rc<Node>) {
    let mut open = vec![Rc::clone(tree)];
    while let Some(node) = open.pop() {
        for child in node.children.borrow_mut().iter_mut() {
            if is_space(child) {
                *child = Node::new(NodeData::Text { contents: RefCell::new(" ".into()) });
            } else {
                open.push(Rc::clone(child));
            }
        }
    }
}

fn is_space(node: &Rc<Node>) -> bool {
    let (mut has_space, mut holds_more) = (false, !tag(node).is_some_and(|t| INLINE.contains(&t)));
    walk(node, &mut |node, _| match &node.data {
        NodeData::Text { contents } => {
            has_space = true;
            holds_more |= !contents.borrow().trim().is_empty();
        }
        _ => holds_more |= !tag(node).is_none_or(|t| INLINE.contains(&t)),
    });
    has_space && !holds_more
}

/// Converts preformatted text to a fenced block with the text unchanged.
pub(super) fn pre(_: &dyn Handlers, element: Element) -> Option<HandlerResult> {
    let text = text_of(element.node);
    let text = text.trim_matches('\n');
    if text.trim().is_empty() {
        return None;
    }
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(3.max(longest + 1));
    let class = child(element.node, "code").and_then(|code| attribute(&code, "class"));
    let language = class
        .iter()
        .flat_map(|class| class.split_whitespace())
        .find_map(|name| name.strip_prefix("language-"))
        .unwrap_or_default();
    Some(format!("\n\n{fence}{language}\n{text}\n{fence}\n\n").into())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    fn text(html: &str) -> String {
        let doc = super::super::document(Path::new("p.html"), "p", html.into());
        doc.expect("loads").text
    }

    #[test]
    fn a_row_keeps_its_header_cell() {
        let html = "<table><caption>Past</caption><tr><th>verb<th>past<tr><th>eat<td>ate|et";
        assert_eq!(text(html), "Past\n\n| verb | past |\n| --- | --- |\n| eat | ate\\|et |");
    }

    #[test]
    fn a_table_without_a_header_gets_an_empty_one() {
        let html = "<table><tr><td>eat<tr><td>go<td>went</table>";
        assert_eq!(text(html), "|  |  |\n| --- | --- |\n| eat |  |\n| go | went |");
    }

    #[test]
    fn a_spanned_cell_is_in_every_row_and_column_that_it_covers() {
        let html = "<table><tr><th>Series<th>Model<th>V<tr><td rowspan=2>Harbour<td>P-10<td>12\
                    <tr><td>P-20<td>24<tr><td colspan=2>any<td>48</table>";
        assert_eq!(
            text(html),
            "| Series | Model | V |\n| --- | --- | --- |\n| Harbour | P-10 | 12 |\n\
             | Harbour | P-20 | 24 |\n| any | any | 48 |"
        );
        let html = "<table><tr><th>a<th>b<tr><td>1<td rowspan=0>x<tr><td>2<tr></table>";
        assert_eq!(text(html), "| a | b |\n| --- | --- |\n| 1 | x |\n| 2 | x |\n|  | x |");
        let html = "<table><tr><td rowspan=9999 colspan=9999>a<tr><td>b</table>";
        assert_eq!(text(html).matches('b').count(), 1);
    }

    #[test]
    fn words_never_grow_together() {
        for (html, expected) in [
            ("<p>the<b> </b>amber<i>\n</i>button", "the amber button"),
            ("<p>night<span><b> </b></span>warden", "night warden"),
            ("<p>the<b> amber</b>button", "the **amber**button"),
            ("<p>one<br>two", "one  \ntwo"),
            ("<div>one</div><div>two</div>", "one\n\ntwo"),
            ("<dl><dt>one</dt><dd>two</dd></dl>", "one\n\ntwo"),
            ("<section>one</section><footer>two</footer>", "one\n\ntwo"),
            ("<p>a<b></b>b", "ab"),
        ] {
            assert_eq!(text(html), expected, "{html}");
        }
    }

    #[test]
    fn a_layout_table_is_flattened() {
        let html = "<table><tr><td><h2>Eat</h2><td><table><tr><th>a<tr><td>b</table></table>";
        assert_eq!(text(html), "## Eat\n\n| a |\n| --- |\n| b |");
    }

    #[test]
    fn preformatted_text_is_code() {
        let html =
            "<pre># no\n  heading</pre><pre><code class='x language-sh'>a ``` b</code></pre>";
        assert_eq!(text(html), "```\n# no\n  heading\n```\n\n````sh\na ``` b\n````");
    }
}
