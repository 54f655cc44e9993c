//! The units that chunks are packed from.

use std::ops::Range;

use super::ChunkSource;
use crate::{
    blocks::{Block, BlockKind},
    hard_split::hard_split,
};

/// A part of a document that is not cut further, and the table header that it needs.
pub(super) struct Unit<'a> {
    /// Bytes of the document's text.
    pub range: Range<usize>,
    /// Header of the table, for its other rows.
    pub header: Option<&'a str>,
    /// Number of tokens of the header, which the first unit of a chunk adds.
    pub header_tokens: usize,
    /// Number of tokens without the header.
    pub tokens: usize,
}

/// Returns the units of blocks, each of at most `room` tokens: a block of at most `whole` tokens,
/// else its sentences, items, rows or lines, cut if they are too long.
pub(super) fn units<'a>(
    source: &ChunkSource<'_>,
    blocks: impl IntoIterator<Item = &'a Block>,
    room: usize,
    whole: usize,
) -> Vec<Unit<'a>> {
    let mut out = Vec::new();
    for block in blocks {
        let table = TableHeader::new(source, block, room);
        let unit = |range: Range<usize>| {
            let is_row = table.header.is_some() && range.start >= table.rows;
            Unit {
                header: table.header.filter(|_| is_row),
                header_tokens: if is_row { table.header_tokens } else { 0 },
                tokens: source.tokens(range.clone()),
                range,
            }
        };
        let fits = |unit: &Unit<'_>| unit.header_tokens + unit.tokens <= room;
        let undivided = unit(block.range.clone());
        if fits(&undivided) && (undivided.tokens <= whole || block.units.len() == 1) {
            out.push(undivided);
            continue;
        }
        let mut ranges = block.units.clone();
        // A header row alone is useless: join it with the first row if both fit.
        if ranges.len() > 1 && ranges[0].end == table.rows {
            let both = ranges[0].start..ranges[1].end;
            if fits(&unit(both.clone())) {
                ranges.splice(..2, [both]);
            }
        }
        for range in ranges {
            let part = unit(range);
            if fits(&part) {
                out.push(part);
                continue;
            }
            let left = room - part.header_tokens;
            let tokens = |range| source.tokens(range);
            let pieces = hard_split(&source.doc.text, part.range, left, &tokens);
            out.extend(pieces.into_iter().map(unit));
        }
    }
    out
}

/// The header of a table, if it is repeated.
#[derive(Default)]
struct TableHeader<'a> {
    header: Option<&'a str>,
    /// Number of tokens of the header.
    header_tokens: usize,
    /// Byte at which the other rows begin.
    rows: usize,
}

impl<'a> TableHeader<'a> {
    fn new(source: &ChunkSource<'_>, block: &'a Block, room: usize) -> Self {
        let BlockKind::Table { header, rows } = &block.kind else {
            return Self::default();
        };
        let tokens = (source.count)(header);
        // A header of more than half of the room would leave too little for the rows.
        let header = (tokens > 0 && tokens <= room / 2).then_some(header.as_str());
        Self { header, header_tokens: tokens, rows: *rows }
    }
}

/// Returns the number of tokens of consecutive units, with the table header that they need.
pub(super) fn tokens_of(units: &[Unit<'_>]) -> usize {
    let header = units.first().map_or(0, |unit| unit.header_tokens);
    header + units.iter().map(|unit| unit.tokens).sum::<usize>()
}

/// Returns the bytes and the words of consecutive units, with the table header that they need.
pub(super) fn text_of(source: &ChunkSource<'_>, units: &[Unit<'_>]) -> (Range<usize>, String) {
    let (Some(first), Some(last)) = (units.first(), units.last()) else {
        return (0..0, String::new());
    };
    let span = first.range.start..last.range.end;
    let words = source.words(span.clone());
    let text = match first.header {
        Some(header) if !words.is_empty() => format!("{header}\n{words}"),
        _ => words,
    };
    (span, text)
}
