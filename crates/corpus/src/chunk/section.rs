//! Sections: the blocks between two headings.

use super::ChunkSource;
use crate::blocks::{Block, BlockKind};

pub(super) struct Section<'a> {
    /// The title, then the headings above, without repetitions of the one before.
    pub heading: Vec<String>,
    /// Start of the headings directly above, else of the first block.
    pub start: usize,
    /// At least one block.
    pub blocks: Vec<&'a Block>,
}

/// Returns the sections with at least one block. A heading without blocks belongs to the next
/// section.
pub(super) fn sections<'a>(source: &ChunkSource<'a>) -> Vec<Section<'a>> {
    let mut out: Vec<Section<'_>> = Vec::new();
    let mut path: Vec<(u8, &str)> = Vec::new();
    let mut headings_start = None;
    let mut is_open = false;
    for block in &source.parsed.blocks {
        if let BlockKind::Heading { level, title } = &block.kind {
            is_open = false;
            path.retain(|(above, _)| above < level);
            path.push((*level, title));
            headings_start.get_or_insert(block.range.start);
        } else if is_open && let Some(section) = out.last_mut() {
            section.blocks.push(block);
        } else {
            is_open = true;
            out.push(Section {
                heading: heading_path(&source.doc.title, &path),
                start: headings_start.take().unwrap_or(block.range.start),
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
