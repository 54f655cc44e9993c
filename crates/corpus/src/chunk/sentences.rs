//! Sentence chunks: each sentence is indexed and read with its neighbours.

use super::{
    Chunk, ChunkSource, passage,
    section::sections,
    units::{Unit, text_of, tokens_of, units},
};

/// Returns one chunk per sentence. The sentence is the entry, and the text is the window around it.
pub(super) fn chunks(source: &ChunkSource<'_>, size: usize) -> Vec<Chunk> {
    let mut out = Vec::new();
    for section in sections(source) {
        let room = source.room(size, &section.heading);
        let mut units = units(source, section.blocks, room, 0);
        // Fences and comments have no words.
        units.retain(|unit| unit.tokens > 0);
        for sentence in 0..units.len() {
            let (start, end) = window(source, &units, sentence, room);
            let (mut span, text) = text_of(source, &units[start..end]);
            if start == 0 {
                span.start = section.start;
            }
            let (_, entry) = text_of(source, &units[sentence..=sentence]);
            let entry = passage(&section.heading, &entry);
            source.push_chunk(&mut out, &section.heading, span, text, vec![entry]);
        }
    }
    out
}

/// Returns the window around a sentence as a range of units. It grows alternately by one unit after
/// and one before, while it fits into `room` tokens.
fn window(
    source: &ChunkSource<'_>,
    units: &[Unit<'_>],
    sentence: usize,
    room: usize,
) -> (usize, usize) {
    let (mut start, mut end) = (sentence, sentence + 1);
    let fits = |start: usize, end: usize| tokens_of(&units[start..end]) <= room;
    let (mut grows_after, mut grows_before) = (true, true);
    while grows_after || grows_before {
        grows_after = grows_after && end < units.len() && fits(start, end + 1);
        end += usize::from(grows_after);
        grows_before = grows_before && start > 0 && fits(start - 1, end);
        start -= usize::from(grows_before);
    }
    // Separators between units, such as the bar between two cells, may count as tokens.
    while end > start + 1 && (source.count)(&text_of(source, &units[start..end]).1) > room {
        if end - sentence - 1 > sentence - start {
            end -= 1;
        } else {
            start += 1;
        }
    }
    (start, end)
}
