//! Chunks by structure: as many blocks under the same heading as fit.

use std::ops::Range;

use super::{
    Chunk, ChunkSource,
    pack::pack,
    section::{Section, sections},
    units::{text_of, units},
};

/// Returns the chunks of each section.
pub(super) fn chunks(source: &ChunkSource<'_>, size: usize, overlap: usize) -> Vec<Chunk> {
    chunks_with_entries(source, size, overlap, |_, _| Vec::new())
}

/// Returns the chunks of each section, with the entries that `entries` returns for a part of it.
pub(super) fn chunks_with_entries(
    source: &ChunkSource<'_>,
    size: usize,
    overlap: usize,
    entries: impl Fn(&Section<'_>, &Range<usize>) -> Vec<String>,
) -> Vec<Chunk> {
    let mut out = Vec::new();
    for section in sections(source) {
        let room = source.room(size, &section.heading);
        let mut section_start = Some(section.start);
        let whole = longest_whole(room, overlap);
        let units = units(source, section.blocks.iter().copied(), room, whole);
        for run in pack(source, &units, room, overlap) {
            let (mut span, text) = text_of(source, &units[run]);
            let entries = entries(&section, &span);
            if !text.is_empty() {
                span.start = section_start.take().unwrap_or(span.start);
            }
            source.push_chunk(&mut out, &section.heading, span, text, entries);
        }
    }
    out
}

/// Maximum number of tokens of a block that stays whole. With an overlap, a longer block must be
/// split, because it could not be repeated.
pub(super) fn longest_whole(room: usize, overlap: usize) -> usize {
    if overlap == 0 { room } else { overlap }
}
