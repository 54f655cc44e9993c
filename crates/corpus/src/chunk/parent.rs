//! Parent chunks: small chunks are indexed and their section is read.

use std::ops::Range;

use super::{
    Chunk, ChunkSource,
    pack::pack,
    passage,
    section::{Section, sections},
    structure::longest_whole,
    units::{text_of, units},
};
use crate::blocks::Block;

/// Maximum size of a parent chunk, in multiples of the chunk size.
const PARENT_SIZES: usize = 4;

/// Returns one chunk per section, or several for a long section, with small chunks as entries.
pub(super) fn chunks(source: &ChunkSource<'_>, size: usize, overlap: usize) -> Vec<Chunk> {
    let mut out = Vec::new();
    for section in sections(source) {
        let room = source.room(size * PARENT_SIZES, &section.heading);
        let mut section_start = Some(section.start);
        let all_units = units(source, section.blocks.iter().copied(), room, room);
        for run in pack(source, &all_units, room, 0) {
            let (mut span, text) = text_of(source, &all_units[run]);
            let entries = small_passages(source, &section, &span, size, overlap);
            if !text.is_empty() {
                span.start = section_start.take().unwrap_or(span.start);
            }
            source.push_chunk(&mut out, &section.heading, span, text, entries);
        }
    }
    out
}

/// Returns the passages of the small chunks by structure in a part of a section.
fn small_passages(
    source: &ChunkSource<'_>,
    section: &Section<'_>,
    part: &Range<usize>,
    size: usize,
    overlap: usize,
) -> Vec<String> {
    let blocks: Vec<Block> = section.blocks.iter().filter_map(|block| clip(block, part)).collect();
    let room = source.room(size, &section.heading);
    let units = units(source, &blocks, room, longest_whole(room, overlap));
    pack(source, &units, room, overlap)
        .into_iter()
        .map(|run| text_of(source, &units[run]).1)
        .filter(|text| !text.is_empty())
        .map(|text| passage(&section.heading, &text))
        .collect()
}

/// Returns the part of a block inside a range, if any.
fn clip(block: &Block, part: &Range<usize>) -> Option<Block> {
    let inside = |range: &Range<usize>| {
        let range = range.start.max(part.start)..range.end.min(part.end);
        (!range.is_empty()).then_some(range)
    };
    Some(Block {
        kind: block.kind.clone(),
        range: inside(&block.range)?,
        units: block.units.iter().filter_map(inside).collect(),
    })
}
