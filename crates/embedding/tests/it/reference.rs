//! MiniLM against `data/minilm_reference.json`: vectors of the same weights by ONNX Runtime in
//! single precision, rounded to six digits.

use serde_json::Value;

use crate::{distance, embedder, files};

struct Row {
    text: String,
    pieces: usize,
    embedding: Vec<f32>,
}

fn reference() -> (String, Vec<Row>) {
    let json: Value = serde_json::from_str(include_str!("../data/minilm_reference.json")).unwrap();
    let row = |row: &Value| Row {
        text: row["text"].as_str().unwrap().to_owned(),
        pieces: row["pieces"].as_u64().unwrap() as usize,
        embedding: serde_json::from_value(row["embedding"].clone()).unwrap(),
    };
    let rows: Vec<Row> = json["rows"].as_array().unwrap().iter().map(row).collect();
    assert!(rows.len() >= 10);
    (json["weights_sha256"].as_str().unwrap().to_owned(), rows)
}

#[test]
fn every_vector_is_within_1e_4_of_the_reference() {
    let (weights, rows) = reference();
    assert_eq!(files().sha256("model.safetensors").unwrap(), weights);
    let texts: Vec<&str> = rows.iter().map(|row| row.text.as_str()).collect();
    let vectors = embedder().embed(&texts, &mut |_| {}).unwrap();
    assert_eq!((vectors.len(), vectors.dim()), (rows.len(), 384));
    for (row, vector) in rows.iter().zip(vectors.rows()) {
        let distance = distance(vector, &row.embedding);
        assert!(distance <= 1e-4, "{distance} for {:.60}", row.text);
    }
}

#[test]
fn word_pieces_are_counted_as_in_the_reference() {
    for row in reference().1 {
        // The reference counts two markers and stops at 256.
        let pieces = (embedder().piece_count(&row.text) + 2).min(256);
        assert_eq!(pieces, row.pieces, "{:.60}", row.text);
    }
    assert_eq!(embedder().piece_count("tea") + 2, 3);
}
