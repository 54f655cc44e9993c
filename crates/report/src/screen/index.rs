//! `fiel index`

use fiel_record::{IndexResult, counted};

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
    let documents = counted(result.documents, "document");
    format!("{}: {documents}, {}, {embedded}\n", result.kb, counted(result.chunks, "chunk"))
}
