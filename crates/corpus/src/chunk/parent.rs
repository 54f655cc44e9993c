use std::ops::Range;

use super::{
    Chunk, Source,
    pack::pack,
    passage,
    section::{Section, sections},
    structure::longest_whole,
    units::{text_of, units},
};
use crate::blocks::Block;

/// Sizes that a section may have and be read whole.
const PARENT_SIZES: usize = 4;

/// One chunk a section, or part of a long one: its small chunks are indexed.
pub(super) fn chunks(source: &Source<'_>, size: usize, overlap: usize) -> Vec<Chunk> {
    let mut out = Vec::new();
    for section in sections(source) {
        let room = source.room(size * PARENT_SIZES, &section.heading);
        let mut begin = Some(section.begin);
        let parts = units(source, section.blocks.iter().copied(), room, room);
        for run in pack(source, &parts, room, 0) {
            let (mut span, text) = text_of(source, &parts[run]);
            let entries = small(source, &section, &span, size, overlap);
            if !text.is_empty() {
                span.start = begin.take().unwrap_or(span.start);
            }
            source.push(&mut out, &section.heading, span, text, entries);
        }
    }
    out
}

/// The passages by structure of a part of a section.
fn small(
    source: &Source<'_>,
    section: &Section<'_>,
    part: &Range<usize>,
    size: usize,
    overlap: usize,
) -> Vec<String> {
    let blocks: Vec<Block> = section
        .blocks
        .iter()
        .filter_map(|block| clip(block, part))
        .collect();
    let room = source.room(size, &section.heading);
    let units = units(source, &blocks, room, longest_whole(room, overlap));
    pack(source, &units, room, overlap)
        .into_iter()
        .map(|run| text_of(source, &units[run]).1)
        .filter(|text| !text.is_empty())
        .map(|text| passage(&section.heading, &text))
        .collect()
}

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
