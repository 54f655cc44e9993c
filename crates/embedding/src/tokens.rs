use crate::Vectors;

/// The pieces of one text, each with the direction that the model gave it in its context.
///
/// Two sets of them are what late interaction compares (Khattab and Zaharia, ColBERT, 2020).
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

    /// Whether there is no piece. Those of [`Embedder::tokens`](crate::Embedder::tokens) have
    /// some.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// Ids of the pieces in the tokenizer's vocabulary, in the text's order.
    pub fn ids(&self) -> &[u32] {
        &self.ids
    }

    /// Whether a piece is one of the tokenizer's own markers at the text's ends, such as
    /// `[CLS]` and `[SEP]`, and not of the text.
    ///
    /// # Panics
    /// When there is no such piece.
    pub fn is_marker(&self, index: usize) -> bool {
        self.markers[index]
    }

    /// A unit vector for each piece.
    pub fn vectors(&self) -> &Vectors {
        &self.vectors
    }

    /// Id and unit vector of the text's own pieces, the markers left out.
    pub fn of_text(&self) -> impl Iterator<Item = (u32, &[f32])> {
        let all = self.ids.iter().zip(&self.markers).zip(self.vectors.rows());
        all.filter(|((_, marker), _)| !**marker)
            .map(|((id, _), row)| (*id, row))
    }
}
