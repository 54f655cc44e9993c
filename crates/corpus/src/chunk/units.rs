//! The pieces that chunks are packed from.

use std::ops::Range;

use super::Source;
use crate::{
    blocks::{Block, Kind},
    hard_split::hard_split,
};

/// A piece that is never cut again, and the table header it needs.
pub(super) struct Unit<'a> {
    pub range: Range<usize>,
    pub header: Option<&'a str>,
    /// Tokens of the header, which the first unit of a chunk brings with it.
    pub head: usize,
    pub tokens: usize,
}

/// The units of blocks, none longer than `room` tokens: a block of at most `whole` tokens, else
/// its sentences, items, rows or lines, and pieces of those that are too long.
pub(super) fn units<'a>(
    source: &Source<'_>,
    blocks: impl IntoIterator<Item = &'a Block>,
    room: usize,
    whole: usize,
) -> Vec<Unit<'a>> {
    let mut out = Vec::new();
    for block in blocks {
        let table = Table::of(source, block, room);
        let unit = |range: Range<usize>| {
            let is_row = table.header.is_some() && range.start >= table.rows;
            Unit {
                header: table.header.filter(|_| is_row),
                head: if is_row { table.head } else { 0 },
                tokens: source.tokens(range.clone()),
                range,
            }
        };
        let fits = |unit: &Unit<'_>| unit.head + unit.tokens <= room;
        let all = unit(block.range.clone());
        if fits(&all) && (all.tokens <= whole || block.units.len() == 1) {
            out.push(all);
            continue;
        }
        let mut ranges = block.units.clone();
        // A header row alone says nothing: it goes with the first row, if it can.
        if ranges.len() > 1 && ranges[0].end == table.rows {
            let both = ranges[0].start..ranges[1].end;
            if fits(&unit(both.clone())) {
                ranges.splice(..2, [both]);
            }
        }
        for range in ranges {
            let one = unit(range);
            if fits(&one) {
                out.push(one);
                continue;
            }
            let left = room - one.head;
            let tokens = |range| source.tokens(range);
            let pieces = hard_split(&source.doc.text, one.range, left, &tokens);
            out.extend(pieces.into_iter().map(unit));
        }
    }
    out
}

/// The header of a table, as far as it is repeated, and where its rows begin.
struct Table<'a> {
    header: Option<&'a str>,
    head: usize,
    rows: usize,
}

impl<'a> Table<'a> {
    fn of(source: &Source<'_>, block: &'a Block, room: usize) -> Self {
        let none = Self {
            header: None,
            head: 0,
            rows: 0,
        };
        let Kind::Table { header, rows } = &block.kind else {
            return none;
        };
        let head = (source.count)(header);
        // A header of more than half of the room would leave too little to the rows.
        let header = (head > 0 && head <= room / 2).then_some(header.as_str());
        Self {
            header,
            head,
            rows: *rows,
        }
    }
}

/// Bytes and words of a run of units, the header that they need before them.
pub(super) fn text_of(source: &Source<'_>, units: &[Unit<'_>]) -> (Range<usize>, String) {
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
