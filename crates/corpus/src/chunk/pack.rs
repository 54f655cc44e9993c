//! Packing of units into chunks.

use std::ops::Range;

use super::{
    ChunkSource,
    units::{Unit, text_of, tokens_of},
};

/// Returns index ranges of consecutive units, each with as many units as fit into `room` tokens. Each
/// range repeats up to `overlap` tokens of the one before.
pub(super) fn pack(
    source: &ChunkSource<'_>,
    units: &[Unit<'_>],
    room: usize,
    overlap: usize,
) -> Vec<Range<usize>> {
    let mut out = Vec::new();
    let mut start = 0;
    while start < units.len() {
        let mut end = start + 1;
        while end < units.len() && tokens_of(&units[start..=end]) <= room {
            end += 1;
        }
        // Separators between units, such as the bar between two cells, may count as tokens.
        while end > start + 1 && (source.count)(&text_of(source, &units[start..end]).1) > room {
            end -= 1;
        }
        out.push(start..end);
        if end == units.len() {
            break;
        }
        // Repeat whole units while they fit into the overlap and leave room for the next unit.
        let mut next = end;
        while next > start + 1
            && units[next - 1..end].iter().map(|unit| unit.tokens).sum::<usize>() <= overlap
            && tokens_of(&units[next - 1..=end]) <= room
        {
            next -= 1;
        }
        start = next;
    }
    out
}
