//! Texts and chunks of a page, each stored once and named by its position.

use std::collections::BTreeMap;

use fiel_text::id::ChunkId;

use super::ChunkTexts;

/// The position of a chunk in the list of chunks, and that of its text in the list of strings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ChunkPlace {
    pub(super) chunk: usize,
    /// Absent if the page does not have the text.
    pub(super) text: Option<usize>,
}

/// Strings and chunks in the order in which the runs mention them.
#[derive(Debug, Default)]
pub(super) struct TextPool<'a> {
    strings: Vec<String>,
    string_places: BTreeMap<String, usize>,
    chunks: Vec<(String, Option<usize>)>,
    /// By digest of the chunk set and id of the chunk.
    chunk_places: BTreeMap<(&'a str, String), usize>,
    /// Digest of the chunk set of the current run.
    digest: &'a str,
    texts: Option<&'a BTreeMap<String, String>>,
}

impl<'a> TextPool<'a> {
    /// Selects the chunk set that the ids of the following chunks belong to.
    pub(super) fn select(&mut self, digest: &'a str, sets: &'a [ChunkTexts]) {
        let set = sets.iter().find(|set| set.chunks_sha256 == digest);
        self.digest = digest;
        self.texts = set.map(|set| &set.texts);
    }

    pub(super) fn string(&mut self, text: &str) -> usize {
        if let Some(&place) = self.string_places.get(text) {
            return place;
        }
        let place = self.strings.len();
        self.string_places.insert(text.to_owned(), place);
        self.strings.push(text.to_owned());
        place
    }

    /// The position of a chunk of the selected set.
    pub(super) fn chunk(&mut self, id: &str) -> ChunkPlace {
        let key = (self.digest, id.to_owned());
        let place = match self.chunk_places.get(&key) {
            Some(&place) => place,
            None => {
                let text = self.texts.and_then(|texts| texts.get(id));
                let text = text.map(|text| self.string(text));
                self.chunks.push((id.to_owned(), text));
                self.chunk_places.insert(key, self.chunks.len() - 1);
                self.chunks.len() - 1
            }
        };
        ChunkPlace { chunk: place, text: self.chunks[place].1 }
    }

    /// The positions of chunks of the selected set.
    pub(super) fn chunks<'b>(&mut self, ids: impl IntoIterator<Item = &'b ChunkId>) -> Vec<usize> {
        ids.into_iter().map(|id| self.chunk(id).chunk).collect()
    }

    pub(super) fn get(&self, place: usize) -> &str {
        &self.strings[place]
    }

    /// All strings, and all chunks with the position of their text.
    pub(super) fn into_lists(self) -> (Vec<String>, Vec<(String, Option<usize>)>) {
        (self.strings, self.chunks)
    }
}
