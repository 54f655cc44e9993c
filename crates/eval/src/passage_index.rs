//! BM25 over passages, for the linter and the author of gold sets.

use fiel_gold::{BoxError, PassageIndex};
use fiel_retrieval::{Analysis, Bm25};
use fiel_text::Lang;

struct Bm25Passages(Bm25);

impl PassageIndex for Bm25Passages {
    fn nearest(&self, text: &str, k: usize) -> Result<Vec<usize>, BoxError> {
        let hits = self.0.search(&self.0.query(text), k)?;
        Ok(hits.into_iter().map(|hit| hit.item).collect())
    }
}

/// Builds a BM25 index of passages; a [`BuildIndex`](fiel_gold::BuildIndex).
///
/// # Errors
/// If the index cannot be built.
pub fn index_passages(passages: &[String], lang: Lang) -> Result<Box<dyn PassageIndex>, BoxError> {
    let analysis = Analysis { language: lang, ..Analysis::default() };
    let bm25 = Bm25::build(passages.iter().map(|text| ("", text.as_str())), analysis)?;
    Ok(Box::new(Bm25Passages(bm25)))
}
