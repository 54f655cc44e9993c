//! As many units into a chunk as fit.

use std::ops::Range;

use super::{
    Source,
    units::{Unit, text_of},
};

/// Runs of units, each as long as `room` allows; `overlap` tokens of a run begin the next one.
pub(super) fn pack(
    source: &Source<'_>,
    units: &[Unit<'_>],
    room: usize,
    overlap: usize,
) -> Vec<Range<usize>> {
    let mut out = Vec::new();
    let mut from = 0;
    while from < units.len() {
        let mut tokens = units[from].tokens + units[from].head;
        let mut to = from + 1;
        while to < units.len() && tokens + units[to].tokens <= room {
            tokens += units[to].tokens;
            to += 1;
        }
        // What joins the units, as the bar between two cells, may count as well.
        while to > from + 1 && (source.count)(&text_of(source, &units[from..to]).1) > room {
            to -= 1;
        }
        out.push(from..to);
        if to == units.len() {
            break;
        }
        // Step back over whole units while they fit the overlap and leave room to advance.
        let mut next = to;
        let mut repeated = 0;
        while next > from + 1
            && repeated + units[next - 1].tokens <= overlap
            && units[next - 1].head + repeated + units[next - 1].tokens + units[to].tokens <= room
        {
            next -= 1;
            repeated += units[next].tokens;
        }
        from = next;
    }
    out
}
