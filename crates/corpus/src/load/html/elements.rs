//! Handlers of elements that the converter would damage: it loses row headers, tables without a
//! header, and the layout of preformatted text that is not marked as code.

use std::rc::Rc;

use fiel_text::fold_white_space;
use htmd::{
    Element, Node,
    element_handler::{HandlerResult, Handlers},
};

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

/// Returns the rows of a table in document order, without those of nested tables.
fn rows(table: &Rc<Node>) -> Vec<TableRow> {
    let mut out = Vec::new();
    for part in table.children.borrow().iter() {
        for row in part.children.borrow().iter() {
            if tag(row) != Some("tr") {
                continue;
            }
            let children = row.children.borrow();
            let cells: Vec<Rc<Node>> =
                children.iter().filter(|c| matches!(tag(c), Some("td" | "th"))).cloned().collect();
            if !cells.is_empty() {
                let is_header =
                    tag(part) == Some("thead") || cells.iter().all(|c| tag(c) == Some("th"));
                out.push(TableRow { cells, is_header });
            }
        }
    }
    out
}

fn holds_blocks(cell: &Rc<Node>) -> bool {
    let mut found = false;
    walk(cell, &mut |node, _| {
        found |= tag(node).is_some_and(|t| BLOCKS.contains(&t));
    });
    found
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
        let doc = super::super::document(Path::new("p.html"), "p", html);
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
