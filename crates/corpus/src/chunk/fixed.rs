//! Chunks that know nothing of structure.

use std::ops::Range;

use super::{
    Chunk, Source,
    pack::pack,
    units::{Unit, text_of},
};
use crate::hard_split::hard_split;

/// Windows of words. A word longer than a window is cut.
pub(super) fn chunks(source: &Source<'_>, size: usize, overlap: usize) -> Vec<Chunk> {
    let heading = title(source);
    let room = source.room(size, &heading);
    let tokens = |range: Range<usize>| source.tokens(range);
    let mut units = Vec::new();
    for word in source.parsed.word_ranges(source.doc) {
        for range in hard_split(&source.doc.text, word, room, &tokens) {
            units.push(Unit {
                header: None,
                head: 0,
                tokens: tokens(range.clone()),
                range,
            });
        }
    }
    let mut out = Vec::new();
    for run in pack(source, &units, room, overlap) {
        let (mut span, text) = text_of(source, &units[run]);
        if out.is_empty() {
            span.start = begin(source, span.start);
        }
        source.push(&mut out, &heading, span, text, Vec::new());
    }
    out
}

/// The document as one chunk.
pub(super) fn whole(source: &Source<'_>) -> Vec<Chunk> {
    let words = source.parsed.word_ranges(source.doc);
    let (Some(first), Some(last)) = (words.first(), words.last()) else {
        return Vec::new();
    };
    let span = begin(source, first.start)..last.end;
    let text = source.words(span.clone());
    let mut out = Vec::new();
    source.push(&mut out, &title(source), span, text, Vec::new());
    out
}

fn title(source: &Source<'_>) -> Vec<String> {
    let title = &source.doc.title;
    if title.is_empty() {
        Vec::new()
    } else {
        vec![title.clone()]
    }
}

/// The first chunk begins with the heading that gave the title.
fn begin(source: &Source<'_>, first_word: usize) -> usize {
    let first = source.parsed.blocks.first();
    first.map_or(first_word, |block| block.range.start.min(first_word))
}
