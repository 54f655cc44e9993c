//! `fiel index`

use fiel_record::IndexResult;

/// One line.
pub fn index_screen(result: &IndexResult) -> String {
    let embedded = if result.dense == "none" {
        "none embedded, because BM25 needs no vectors".to_owned()
    } else {
        format!(
            "{} embedded now and {} from the cache; dense search: {}",
            result.embedded_now,
            result.chunks.saturating_sub(result.embedded_now),
            result.dense
        )
    };
    format!("{}: {} documents, {} chunks, {embedded}\n", result.kb, result.documents, result.chunks)
}
