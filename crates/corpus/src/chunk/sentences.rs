use super::{
    Chunk, Source, passage,
    section::sections,
    units::{Unit, text_of, units},
};

/// One chunk a sentence: the sentence is indexed, its window read. The window grows by one
/// sentence after it, one before, and so on, while it fits.
pub(super) fn chunks(source: &Source<'_>, size: usize) -> Vec<Chunk> {
    let mut out = Vec::new();
    for section in sections(source) {
        let room = source.room(size, &section.heading);
        let mut units = units(source, section.blocks, room, 0);
        // A fence or a comment has no words.
        units.retain(|unit| unit.tokens > 0);
        for at in 0..units.len() {
            let (from, to) = window(source, &units, at, room);
            let (mut span, text) = text_of(source, &units[from..to]);
            if from == 0 {
                span.start = section.begin;
            }
            let (_, sentence) = text_of(source, &units[at..=at]);
            let entry = passage(&section.heading, &sentence);
            source.push(&mut out, &section.heading, span, text, vec![entry]);
        }
    }
    out
}

fn window(source: &Source<'_>, units: &[Unit<'_>], at: usize, room: usize) -> (usize, usize) {
    let (mut from, mut to) = (at, at + 1);
    let mut tokens = units[at].tokens;
    let (mut grows_after, mut grows_before) = (true, true);
    while grows_after || grows_before {
        grows_after =
            grows_after && to < units.len() && units[from].head + tokens + units[to].tokens <= room;
        if grows_after {
            tokens += units[to].tokens;
            to += 1;
        }
        grows_before = grows_before
            && from > 0
            && units[from - 1].head + units[from - 1].tokens + tokens <= room;
        if grows_before {
            from -= 1;
            tokens += units[from].tokens;
        }
    }
    // What joins the units, as the bar between two cells, may count as well.
    while to > from + 1 && (source.count)(&text_of(source, &units[from..to]).1) > room {
        if to - at - 1 > at - from {
            to -= 1;
        } else {
            from += 1;
        }
    }
    (from, to)
}
