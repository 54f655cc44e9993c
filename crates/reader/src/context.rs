//! Assembly of the passages to read.

use std::ops::Range;

use fiel_corpus::Chunk;
use fiel_text::id::{ChunkId, DocId};
use serde::{Deserialize, Serialize};

/// A passage as the reader sees it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Passage {
    /// Id to cite it by: `1`, `2`, … by rank.
    pub id: String,
    /// Id of its chunk; of merged chunks, the best one.
    pub chunk: ChunkId,
    /// Ids of the other chunks merged into it, by rank.
    pub merged: Vec<ChunkId>,
    /// Headings and text.
    pub text: String,
    /// Id of its document.
    pub doc: DocId,
    /// Bytes of the document that it covers.
    pub span: Range<usize>,
}

/// The passages to read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Context {
    /// Passages that fit the budget, best first.
    pub passages: Vec<Passage>,
    /// Ids of the chunks that do not fit, best first.
    pub dropped: Vec<ChunkId>,
}

/// Order of the passages in the prompt: `read.order`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PassageOrder {
    /// The best passage last, next to the question. On the development split of the verb base the default
    /// reader's F1 was 0.47 with the best first and 0.63 with the best last.
    #[default]
    BestLast,
    /// The best passage first.
    BestFirst,
    /// By document and position in it.
    Document,
}

impl Context {
    /// Drops the last passage. Returns `false` if there is none.
    pub(crate) fn drop_last(&mut self) -> bool {
        let Some(last) = self.passages.pop() else {
            return false;
        };
        let chunks = std::iter::once(last.chunk).chain(last.merged);
        self.dropped.splice(0..0, chunks);
        true
    }
}

/// The passages, given best first, in the order of the prompt.
pub(crate) fn in_order(passages: &[Passage], order: PassageOrder) -> Vec<&Passage> {
    let mut passages: Vec<&Passage> = passages.iter().collect();
    match order {
        PassageOrder::BestFirst => {}
        PassageOrder::BestLast => passages.reverse(),
        PassageOrder::Document => {
            passages.sort_by_key(|p| (p.doc.as_str(), p.span.start, p.span.end));
        }
    }
    passages
}

/// Turns chunks, best first, into passages that fit a budget of tokens, counted by `count`.
/// Overlapping or equal chunks of a document become one passage at the better rank. The first chunk
/// that does not fit is dropped with all that follow: a passage is never cut, and none skips ahead.
pub(crate) fn assemble<'a>(
    chunks: impl IntoIterator<Item = &'a Chunk>,
    budget: usize,
    count: &dyn Fn(&str) -> usize,
) -> Context {
    let mut context = Context::default();
    let mut used = 0;
    let mut is_full = false;
    for chunk in chunks {
        let text = chunk.passage();
        let joined = context
            .passages
            .iter()
            .enumerate()
            .find_map(|(index, passage)| Some((index, union(passage, chunk, &text)?)));
        let cost = joined.as_ref().map_or_else(
            || count(&text),
            |(index, union)| count(union).saturating_sub(count(&context.passages[*index].text)),
        );
        is_full |= used + cost > budget;
        if is_full {
            context.dropped.push(chunk.id.clone());
            continue;
        }
        used += cost;
        match joined {
            Some((index, union)) => {
                let passage = &mut context.passages[index];
                passage.text = union;
                let (a, b) = (&passage.span, &chunk.span);
                passage.span = a.start.min(b.start)..a.end.max(b.end);
                passage.merged.push(chunk.id.clone());
            }
            None => context.passages.push(Passage {
                id: (context.passages.len() + 1).to_string(),
                chunk: chunk.id.clone(),
                merged: Vec::new(),
                text,
                doc: chunk.doc.clone(),
                span: chunk.span.clone(),
            }),
        }
    }
    context
}

/// The joint text of a passage and a chunk that overlap in their document. `None` if they do not, or
/// if their texts do not show it, for example because a table repeats its head.
fn union(passage: &Passage, chunk: &Chunk, text: &str) -> Option<String> {
    let (a, b) = (&passage.span, &chunk.span);
    if passage.doc != chunk.doc || a.end <= b.start || b.end <= a.start {
        return None;
    }
    let body = chunk.text.trim();
    if passage.text.contains(body) {
        return Some(passage.text.clone());
    }
    let head = &text[..text.len() - chunk.text.len()];
    let passage_body = passage.text.strip_prefix(head)?.trim();
    let (first, second) =
        if a.start <= b.start { (passage_body, body) } else { (body, passage_body) };
    Some(format!("{head}{}", joined(first, second)?))
}

/// Joins two texts; the end of the first that is the beginning of the second appears once. `None` if
/// they share nothing.
fn joined(first: &str, second: &str) -> Option<String> {
    if first.contains(second) || second.contains(first) {
        let longer = if first.len() < second.len() { second } else { first };
        return Some(longer.to_owned());
    }
    let ends = second.char_indices().map(|(start, c)| start + c.len_utf8());
    let shared = ends.rev().find(|&end| first.ends_with(&second[..end]))?;
    Some(format!("{first}{}", &second[shared..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chunk(ordinal: usize, span: Range<usize>, text: &str) -> Chunk {
        Chunk {
            id: ChunkId::new("d", ordinal),
            doc: "d".into(),
            ordinal,
            span,
            heading: Vec::new(),
            text: text.into(),
            entries: Vec::new(),
        }
    }

    fn words(text: &str) -> usize {
        text.split_whitespace().count()
    }

    #[test]
    fn whole_passages_are_dropped_from_the_last() {
        let chunks = [chunk(1, 0..3, "a b"), chunk(2, 3..8, "c d e"), chunk(3, 8..9, "f")];
        let mut context = assemble(&chunks, 4, &words);
        assert_eq!(context.passages.len(), 1);
        assert_eq!(
            (context.passages[0].id.as_str(), context.passages[0].chunk.as_str()),
            ("1", "d#1")
        );
        assert_eq!(context.dropped, ["d#2", "d#3"]);
        assert!(context.drop_last() && !context.drop_last());
        assert_eq!(context.dropped, ["d#1", "d#2", "d#3"]);
    }

    #[test]
    fn chunks_that_overlap_become_one_passage_with_the_union() {
        let first = chunk(1, 0..7, "a b c d");
        let second = chunk(2, 4..11, "c d e f");
        for (pair, best) in [([&first, &second], "d#1"), ([&second, &first], "d#2")] {
            let context = assemble(pair, 6, &words);
            let [passage] = &context.passages[..] else {
                panic!("{context:?}");
            };
            assert_eq!((passage.text.as_str(), &passage.span), ("a b c d e f", &(0..11)));
            assert_eq!((passage.chunk.as_str(), passage.merged.len()), (best, 1));
        }
        // What is added counts, and what does not fit is dropped alone.
        let context = assemble([&first, &second], 5, &words);
        assert_eq!(context.passages[0].text, "a b c d");
        assert_eq!(context.dropped, ["d#2"]);
    }

    #[test]
    fn the_same_twice_is_read_once_and_neighbours_stay_apart() {
        let first = chunk(1, 0..3, "a b");
        assert_eq!(assemble([&first, &first], 9, &words).passages.len(), 1);
        let next = chunk(2, 3..6, "b c");
        assert_eq!(assemble([&first, &next], 9, &words).passages.len(), 2);
        // Spans that overlap while the texts do not say where.
        let table = chunk(2, 2..6, "x y");
        assert_eq!(assemble([&first, &table], 9, &words).passages.len(), 2);
    }

    #[test]
    fn headings_are_not_repeated() {
        let mut first = chunk(1, 0..7, "a b c d");
        let mut second = chunk(2, 4..11, "c d e f");
        (first.heading, second.heading) = (vec!["H".into()], vec!["H".into()]);
        let context = assemble([&second, &first], 9, &words);
        assert_eq!(context.passages[0].text, "H: a b c d e f");
    }

    #[test]
    fn passages_are_put_in_the_requested_order() {
        let chunks = [chunk(3, 8..9, "x"), chunk(1, 0..1, "y"), chunk(2, 2..3, "z")];
        let context = assemble(&chunks, 9, &words);
        let ids = |order| -> Vec<&str> {
            let ordered = in_order(&context.passages, order).into_iter();
            ordered.map(|p| p.id.as_str()).collect()
        };
        assert_eq!(ids(PassageOrder::BestFirst), ["1", "2", "3"]);
        assert_eq!(ids(PassageOrder::BestLast), ["3", "2", "1"]);
        assert_eq!(ids(PassageOrder::Document), ["2", "3", "1"]);
    }
}
