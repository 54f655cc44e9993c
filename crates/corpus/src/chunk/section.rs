//! Sections: what stands between one heading and the next.

use super::Source;
use crate::blocks::{Block, Kind};

pub(super) struct Section<'a> {
    /// The title, then the headings above; one that repeats the title is written once.
    pub heading: Vec<String>,
    /// Where the headings directly above it begin, else its first block.
    pub begin: usize,
    /// Never empty.
    pub blocks: Vec<&'a Block>,
}

/// The sections that have any block. A heading without one goes with the next section.
pub(super) fn sections<'a>(source: &Source<'a>) -> Vec<Section<'a>> {
    let mut out: Vec<Section<'_>> = Vec::new();
    let mut path: Vec<(u8, &str)> = Vec::new();
    let mut begin = None;
    let mut is_open = false;
    for block in &source.parsed.blocks {
        if let Kind::Heading { level, title } = &block.kind {
            is_open = false;
            path.retain(|(above, _)| above < level);
            path.push((*level, title));
            begin.get_or_insert(block.range.start);
        } else if let (true, Some(section)) = (is_open, out.last_mut()) {
            section.blocks.push(block);
        } else {
            is_open = true;
            out.push(Section {
                heading: heading_path(&source.doc.title, &path),
                begin: begin.take().unwrap_or(block.range.start),
                blocks: vec![block],
            });
        }
    }
    out
}

fn heading_path(title: &str, path: &[(u8, &str)]) -> Vec<String> {
    let mut heading = vec![title.to_owned()];
    heading.extend(path.iter().map(|(_, text)| (*text).to_owned()));
    heading.retain(|part| !part.is_empty());
    heading.dedup();
    heading
}
