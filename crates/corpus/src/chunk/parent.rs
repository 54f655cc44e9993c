//! Parent chunks: small chunks are indexed and their section is read.

use std::ops::Range;

use super::{
    Chunk, ChunkSource,
    pack::pack,
    passage,
    section::Section,
    structure::{chunks_with_entries, longest_whole},
    units::{text_of, units},
};
use crate::blocks::Block;

/// Maximum size of a parent chunk, in multiples of the chunk size.
const PARENT_SIZES: usize = 4;

/// Returns one chunk per section, or several for a long section, with small chunks as entries.
pub(super) fn chunks(source: &ChunkSource<'_>, size: usize, overlap: usize) -> Vec<Chunk> {
    chunks_with_entries(source, size * PARENT_SIZES, 0, |section, part| {
        small_passages(source, section, part, size, overlap)
    })
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
