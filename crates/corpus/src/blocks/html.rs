//! HTML inside Markdown.

use std::ops::Range;

/// Elements inside of a line. Any other tag separates words.
const INLINE: [&str; 31] = [
    "a", "abbr", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn", "em", "font", "i",
    "ins", "kbd", "label", "mark", "q", "s", "samp", "small", "span", "strong", "sub", "sup",
    "time", "tt", "u", "var", "wbr",
];

/// Elements whose content is not text.
const SKIPPED: [&str; 4] = ["script", "style", "template", "svg"];

pub(super) fn is_inline(name: &str) -> bool {
    INLINE.iter().any(|inline| inline.eq_ignore_ascii_case(name))
}

/// The name in `<name …>` or `</name>`; `None` for a comment or a declaration.
pub(super) fn tag_name(tag: &str) -> Option<&str> {
    let name = tag.strip_prefix('<')?;
    let name = name.strip_prefix('/').unwrap_or(name);
    let end = name.find(|c: char| !c.is_ascii_alphanumeric() && c != '-').unwrap_or(name.len());
    (end > 0).then(|| &name[..end])
}

/// Returns the bytes between the tags and comments of a block, each with whether it starts a line.
pub(super) fn texts(text: &str, block: Range<usize>) -> Vec<(bool, Range<usize>)> {
    let mut out = Vec::new();
    let (mut from, mut starts_line) = (block.start, false);
    while from < block.end {
        let rest = &text[from..block.end];
        // Any other `<` is text.
        let is_tag = |&(at, _): &(usize, &str)| {
            rest[at + 1..].starts_with(|c: char| c.is_ascii_alphabetic() || "/!?".contains(c))
        };
        let tag = rest.match_indices('<').find(is_tag).map_or(rest.len(), |(at, _)| at);
        if tag > 0 {
            out.push((starts_line, from..from + tag));
            starts_line = false;
        }
        let rest = &rest[tag..];
        let name = tag_name(rest);
        let (end, is_inside) = match name {
            Some(name) if SKIPPED.iter().any(|skipped| skipped.eq_ignore_ascii_case(name)) => {
                // The block may end before the element does.
                (format!("</{}", name.to_ascii_lowercase()), !rest.starts_with("</"))
            }
            _ if rest.starts_with("<!--") => ("-->".to_owned(), false),
            _ => (">".to_owned(), false),
        };
        starts_line |= name.is_some_and(|name| !is_inline(name));
        let length = if is_inside {
            rest.to_ascii_lowercase().find(&end)
        } else {
            rest.find(if rest.starts_with("</") { ">" } else { &end })
                .map(|at| at + if rest.starts_with("<!--") { 3 } else { 1 })
        };
        from += tag + length.unwrap_or(rest.len());
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The texts of a block; `/` before one that starts a line.
    fn joined(block: &str) -> String {
        let part = |(starts_line, range): (bool, Range<usize>)| {
            format!("{}{}", if starts_line { "/" } else { "" }, &block[range])
        };
        texts(block, 0..block.len()).into_iter().map(part).collect()
    }

    #[test]
    fn block_tags_separate_words_and_inline_tags_do_not() {
        assert_eq!(joined("<div>a</div><div>b</div>"), "/a/b");
        assert_eq!(joined("one<br/>two<BR>three"), "one/two/three");
        assert_eq!(joined("<p>H<sub>2</sub>O <B>x</B></p>"), "/H2O x");
        assert_eq!(joined("a<!-- <br> -->b"), "ab");
        assert_eq!(joined("a<script>x < y</script>b<STYLE>p {}</STYLE>c"), "a/b/c");
        assert_eq!(joined("a<script>never closed"), "a");
        assert_eq!(joined("a < b <"), "a < b <");
    }
}
