//! Parser of citation markers.

use std::ops::Range;

use fiel_text::{id::ChunkId, is_spaceless, is_word_char, markup::code_ranges};

/// A citation marker in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Citation {
    /// Distinct ids of the marker, in order.
    pub ids: Vec<CitedId>,
    /// Bytes of the marker in the text, brackets included.
    pub span: Range<usize>,
}

/// An id in a citation marker.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CitedId {
    /// The id as written.
    pub id: String,
    /// Whether the prompt offered it.
    pub known: bool,
}

/// Returns the citation markers of a text, in order.
///
/// A marker holds ids that are in `offered` or have the shape of an id: one to three digits (four
/// are a year) or `doc#n`. Ids that are not in `offered` are marked as unknown. A bracket that
/// holds anything else is not a citation.
///
/// The following are not citations: links `[1](x)`, reference links `[text][1]` and their
/// definitions `[1]: https://…`, footnotes `[^1]`, images, escaped brackets, code spans, fenced
/// code, and an index directly after a word, `a[0]`. Only ids of the shape `doc#n` may directly
/// follow a word.
///
/// Markers of other systems are read as well: `【1】` and `［1］`, which may follow a word, and the
/// number of a source, `【4:0†source】`.
pub fn parse_citations(text: &str, offered: &[&str]) -> Vec<Citation> {
    let code = code_ranges(text);
    let mut citations: Vec<Citation> = Vec::new();
    let mut cursor = 0;
    while let Some(offset) = text[cursor..].find(OPEN) {
        let open = cursor + offset;
        let bracket = text[open..].chars().next().unwrap_or('[');
        cursor = open + bracket.len_utf8();
        if let Some(range) = code.iter().find(|range| range.contains(&open)) {
            cursor = range.end;
            continue;
        }
        // Only the innermost pair of brackets on a line can be a marker.
        let Some(length) = text[cursor..].find(END) else { break };
        let Some(close) = text[cursor + length..].chars().next().filter(|c| CLOSE.contains(c))
        else {
            continue;
        };
        let span = open..cursor + length + close.len_utf8();
        let inner = &text[cursor..cursor + length];
        if bracket != '[' {
            let Some(ids) = ids(&plain_digits(inner), offered) else { continue };
            cursor = span.end;
            citations.push(Citation { ids, span });
            continue;
        }
        let Some(ids) = ids(inner, offered) else { continue };
        let chained = citations.last().is_some_and(|last| last.span.end == open);
        if (chained || may_follow(&text[..open], &ids)) && !is_link(text, &span) {
            cursor = span.end;
            citations.push(Citation { ids, span });
        }
    }
    citations
}

const OPEN: [char; 3] = ['[', '【', '［'];
const CLOSE: [char; 3] = [']', '】', '］'];
/// Where the search for the end of a marker stops.
const END: [char; 7] = ['[', '【', '［', ']', '】', '］', '\n'];

/// The content of a marker of another system: with ASCII digits and separators, and without the name
/// of a source after `†`.
fn plain_digits(inner: &str) -> String {
    let inner = inner.split('†').next().unwrap_or_default();
    let plain = |c: char| match c {
        '０'..='９' => char::from(b'0' + (c as u32 - '０' as u32) as u8),
        '，' | '、' => ',',
        '；' => ';',
        c => c,
    };
    inner.chars().map(plain).collect()
}

/// Returns the ids between two brackets, or `None` if anything there is not an id.
fn ids(inner: &str, offered: &[&str]) -> Option<Vec<CitedId>> {
    let mut ids: Vec<CitedId> = Vec::new();
    let inner = inner.trim();
    let parts: Vec<&str> = if offered.contains(&inner) {
        vec![inner]
    } else {
        inner.split([';', ',']).map(str::trim).collect()
    };
    for id in parts {
        let known = offered.contains(&id);
        if !known && !looks_like_id(id) {
            return None;
        }
        if !ids.iter().any(|other| other.id == id) {
            ids.push(CitedId { id: id.to_owned(), known });
        }
    }
    Some(ids)
}

fn looks_like_id(id: &str) -> bool {
    match ChunkId::parse(id) {
        Some((document, _)) => !document.contains(|c: char| c.is_whitespace() || c == '^'),
        None => {
            let is_number = |part: &str| {
                (1..=3).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_digit())
            };
            // `4:0` is the number of a message and of a source in it.
            is_number(id) || id.split_once(':').is_some_and(|(a, b)| is_number(a) && is_number(b))
        }
    }
}

/// Whether a marker with these ids may follow this text.
fn may_follow(before: &str, ids: &[CitedId]) -> bool {
    match before.chars().next_back() {
        // The second half of a reference link, an index of an index, or an escaped bracket.
        Some(']' | '\\') => false,
        Some(c) if (is_word_char(c) || c == '_') && !is_spaceless(c) => {
            ids.iter().all(|id| id.id.contains('#'))
        }
        _ => true,
    }
}

fn is_link(text: &str, span: &Range<usize>) -> bool {
    let after = &text[span.end..];
    if after.starts_with('(') || after.starts_with("](") {
        return true;
    }
    // "[1]: https://example.org" at the start of a line defines a link.
    let line = &text[text[..span.start].rfind('\n').map_or(0, |at| at + 1)..span.start];
    let Some(target) = after.strip_prefix(':') else {
        return false;
    };
    let target = target.split_whitespace().next().unwrap_or_default();
    line.trim().is_empty() && (target.contains("://") || target.starts_with(['<', '/', '#', '.']))
}

/// Returns the text without its citation markers. Ids are recognized by their shape.
pub fn strip_citations(text: &str) -> String {
    if !text.contains(OPEN) {
        return text.to_owned();
    }
    remove_citations(text, &parse_citations(text, &[]))
}

/// Returns the text without the given markers and the blanks before them.
pub fn remove_citations(text: &str, citations: &[Citation]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut cursor = 0;
    for citation in citations {
        out.push_str(text[cursor..citation.span.start].trim_end_matches([' ', '\t']));
        cursor = citation.span.end;
        if out.is_empty() || out.ends_with('\n') {
            cursor += text[cursor..].len() - text[cursor..].trim_start_matches([' ', '\t']).len();
        }
    }
    out.push_str(&text[cursor..]);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cited(text: &str, offered: &[&str]) -> Vec<String> {
        parse_citations(text, offered)
            .into_iter()
            .flat_map(|citation| citation.ids)
            .map(|id| format!("{}{}", id.id, if id.known { "" } else { "?" }))
            .collect()
    }

    #[test]
    fn several_ids() {
        for text in ["[1, 2]", "[1][2]", "[1; 2]", "[1] [2]", "x [ 1 ,2 ].", "[1, 2, 1]"] {
            assert_eq!(cited(text, &["1", "2"])[..2], ["1", "2"], "{text}");
        }
        let offered = ["doc-a#2", "doc-b#1"];
        assert_eq!(cited("So it is. [doc-a#2; doc-b#1]", &offered), offered);
        assert_eq!(cited("eaten[doc-a#2]", &offered), ["doc-a#2"]);
        assert_eq!(cited("a [b, c] d", &["b, c"]), ["b, c"]);
    }

    #[test]
    fn unknown_ids_are_recognized_by_their_shape() {
        assert_eq!(cited("x [7] [doc-z#9]", &["1"]), ["7?", "doc-z#9?"]);
        assert_eq!(cited("x [1, see below] [2019] [x] [] [1-3]", &["1"]), [""; 0]);
    }

    #[test]
    fn brackets_that_are_not_citations() {
        for text in [
            "[guide](x.md)",
            "[1](x.md)",
            "[^1]",
            "a[0]",
            "`a [0]`",
            "``x ` [1]``",
            "```\n[1]\n```",
            "~~~ text\n[1]\n",
            "![1](x.png)",
            "[guide][1]",
            "\\[1]",
            "[1]: https://example.org",
            "m[0][1]",
            "[1",
            "[1\n]",
        ] {
            assert_eq!(cited(text, &["0", "1"]), [""; 0], "{text}");
        }
    }

    #[test]
    fn citations_next_to_other_brackets() {
        for text in [
            "`a[0]` is first [1].",
            "```\n[2]\n```\nthen [1]",
            "see [guide](x.md) [1]",
            "really![1]",
            "天气[1]",
            "a ` alone [1]",
            "[1]: so it is",
            "[[1]]",
        ] {
            assert_eq!(cited(text, &["1"]), ["1"], "{text}");
        }
    }

    #[test]
    fn stripping_keeps_the_sentence() {
        for (text, expected) in [
            ("Eaten [1].", "Eaten."),
            ("Eaten. [a#1; b#2]", "Eaten."),
            ("Eaten [1][2] is it", "Eaten is it"),
            ("[1] Eaten", "Eaten"),
            ("a\n[1] b", "a\nb"),
            ("a[0] stays", "a[0] stays"),
        ] {
            assert_eq!(strip_citations(text), expected);
        }
    }

    #[test]
    fn markers_of_other_systems() {
        for (text, ids) in [
            ("1998【1】.", &["1"][..]),
            ("1998［２，1］", &["2?", "1"]),
            ("so【1†source】【4:0†file.pdf】", &["1", "4:0?"]),
            ("【注】 and 【】 and 【1", &[]),
        ] {
            assert_eq!(cited(text, &["1"]), ids, "{text}");
        }
        assert_eq!(strip_citations("1998【4:0†source】 it was [1]"), "1998 it was");
        assert_eq!(strip_citations("at 【12:30】"), "at");
    }

    #[test]
    fn a_span_covers_the_marker() {
        let text = "é [1].";
        let citations = parse_citations(text, &["1"]);
        assert_eq!(&text[citations[0].span.clone()], "[1]");
    }
}
