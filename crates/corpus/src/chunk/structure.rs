use super::{
    Chunk, Source,
    pack::pack,
    section::sections,
    units::{text_of, units},
};

pub(super) fn chunks(source: &Source<'_>, size: usize, overlap: usize) -> Vec<Chunk> {
    let mut out = Vec::new();
    for section in sections(source) {
        let room = source.room(size, &section.heading);
        let mut begin = Some(section.begin);
        let units = units(source, section.blocks, room, longest_whole(room, overlap));
        for run in pack(source, &units, room, overlap) {
            let (mut span, text) = text_of(source, &units[run]);
            if !text.is_empty() {
                span.start = begin.take().unwrap_or(span.start);
            }
            source.push(&mut out, &section.heading, span, text, Vec::new());
        }
    }
    out
}

/// Tokens of a block that stays whole: one that is longer than the overlap could not be repeated.
pub(super) fn longest_whole(room: usize, overlap: usize) -> usize {
    if overlap == 0 { room } else { overlap }
}
