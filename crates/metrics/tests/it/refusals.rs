//! Refusals and answers that look like one, in English and Spanish.

use fiel_metrics::is_refusal;
use serde::Deserialize;

#[derive(Deserialize)]
struct Labelled {
    text: String,
    lang: String,
    refusal: bool,
    split: String,
}

/// The sentences were written before the patterns, which were chosen on the half `dev`.
fn labelled(split: &str) -> Vec<Labelled> {
    let rows = include_str!("../data/refusals.jsonl").lines();
    let rows = rows.map(|line| serde_json::from_str(line).expect("a row"));
    rows.filter(|row: &Labelled| row.split == split).collect()
}

#[test]
fn precision_and_recall_of_refusals() {
    for split in ["dev", "test"] {
        for lang in ["en", "es"] {
            let rows: Vec<Labelled> =
                labelled(split).into_iter().filter(|row| row.lang == lang).collect();
            let count = |found: bool, refusal: bool| {
                let is_it =
                    |row: &&Labelled| row.refusal == refusal && is_refusal(&row.text, &[]) == found;
                rows.iter().filter(is_it).map(|row| row.text.as_str()).collect::<Vec<_>>()
            };
            let (hits, wrong, missed) = (count(true, true), count(true, false), count(false, true));
            let precision = hits.len() as f64 / (hits.len() + wrong.len()) as f64;
            let recall = hits.len() as f64 / (hits.len() + missed.len()) as f64;
            println!("{split} {lang}: precision {precision:.3}, recall {recall:.3}");
            assert!(precision >= 0.95 && recall >= 0.95, "wrong {wrong:#?}, missed {missed:#?}");
        }
    }
}
