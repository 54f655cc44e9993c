//! The vectors of a text's pieces.

use crate::Vectors;

/// The pieces of a text with their vectors in context, as late interaction compares them
/// (Khattab and Zaharia, ColBERT, 2020).
#[derive(Clone, Debug, PartialEq)]
pub struct TokenVectors {
    pub(crate) ids: Vec<u32>,
    pub(crate) markers: Vec<bool>,
    pub(crate) vectors: Vectors,
}

impl TokenVectors {
    /// Number of pieces, markers included.
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Whether there are no pieces. The result of [`Embedder::tokens`](crate::Embedder::tokens)
    /// is never empty.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// Vocabulary ids of the pieces, in the order of the text.
    pub fn ids(&self) -> &[u32] {
        &self.ids
    }

    /// Whether a piece is a marker that the tokenizer added, such as `[CLS]` or `[SEP]`.
    ///
    /// # Panics
    /// If `index` is out of range.
    pub fn is_marker(&self, index: usize) -> bool {
        self.markers[index]
    }

    /// A unit vector per piece.
    pub fn vectors(&self) -> &Vectors {
        &self.vectors
    }

    /// Id and unit vector of each piece that is not a marker.
    pub fn of_text(&self) -> impl Iterator<Item = (u32, &[f32])> {
        let all = self.ids.iter().zip(&self.markers).zip(self.vectors.rows());
        all.filter(|((_, marker), _)| !**marker).map(|((id, _), row)| (*id, row))
    }
}
