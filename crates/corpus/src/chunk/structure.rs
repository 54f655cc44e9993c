//! Chunks by structure: as many blocks under the same heading as fit.

use super::{
    Chunk, ChunkSource,
    pack::pack,
    section::sections,
    units::{text_of, units},
};

/// Returns the chunks of each section.
pub(super) fn chunks(source: &ChunkSource<'_>, size: usize, overlap: usize) -> Vec<Chunk> {
    let mut out = Vec::new();
    for section in sections(source) {
        let room = source.room(size, &section.heading);
        let mut section_start = Some(section.start);
        let units = units(source, section.blocks, room, longest_whole(room, overlap));
        for run in pack(source, &units, room, overlap) {
            let (mut span, text) = text_of(source, &units[run]);
            if !text.is_empty() {
                span.start = section_start.take().unwrap_or(span.start);
            }
            source.push_chunk(&mut out, &section.heading, span, text, Vec::new());
        }
    }
    out
}

/// Maximum number of tokens of a block that stays whole. With an overlap, a longer block must be
/// split, because it could not be repeated.
pub(super) fn longest_whole(room: usize, overlap: usize) -> usize {
    if overlap == 0 { room } else { overlap }
}
