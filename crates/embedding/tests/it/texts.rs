//! Long, blank and unusual texts, alone and in batches.

use fiel_embedding::Error;

use crate::{distance, embed, embedder};

/// Ninety distinct words.
fn ninety_words() -> String {
    let words: Vec<String> = (0..90).map(|n| format!("word{n}")).collect();
    words.join(" ")
}

#[test]
fn pieces_after_150_count() {
    // One piece per word; `tokenizer.json` asks to cut at 128.
    let start = vec!["tea"; 150].join(" ");
    assert_eq!(embedder().piece_count(&start), 150);
    let (a, b) = (format!("{start} grows in China"), format!("{start} rusts in the rain"));
    let vectors = embed(&[&a, &b]);
    assert!(distance(vectors.row(0), vectors.row(1)) > 1e-3);
}

#[test]
fn pieces_after_the_maximum_length_are_ignored_and_reported() {
    // 254 pieces and two markers make 256.
    let fits = vec!["tea"; 254].join(" ");
    let longer = format!("{fits} tea");
    assert!(!embedder().is_cut(&fits));
    assert!(embedder().is_cut(&longer));
    let vectors = embed(&[&fits, &longer]);
    assert!(distance(vectors.row(0), vectors.row(1)) <= 1e-4);
}

#[test]
fn a_text_of_5000_words_is_embedded() {
    let long = vec!["verb"; 5_000].join(" ");
    assert!(embedder().is_cut(&long));
    let vectors = embed(&[&long]);
    assert!(vectors.row(0).iter().all(|x| x.is_finite()));
}

#[test]
fn a_text_is_the_same_alone_and_with_a_longer_one() {
    let short = "What's the past participle of eat?";
    let alone = embed(&[short]);
    let padded = embed(&[short, &ninety_words()]);
    let distance = distance(alone.row(0), padded.row(0));
    assert!(distance <= 1e-4, "{distance}");
}

#[test]
fn vectors_come_in_the_order_of_their_texts() {
    let long = ninety_words();
    let (many, last) = (embed(&[&long, "tea", "verb", "tea"]), embed(&["verb"]));
    assert!(distance(many.row(1), many.row(3)) <= 1e-6);
    assert!(distance(many.row(2), last.row(0)) <= 1e-4);
}

#[test]
fn blank_texts_are_rejected_with_their_count() {
    let error = embedder().embed(&["tea", "", " \n\t", "verb"], &mut |_| {}).unwrap_err();
    assert!(matches!(error, Error::Blank { count: 2, total: 4, first: 1 }));
    let message = error.to_string();
    assert!(message.contains("2 of 4 texts because they are empty or blank"), "{message}");
    assert!(embed(&[]).is_empty());
}

#[test]
fn every_vector_has_norm_1() {
    let long = ninety_words();
    let texts = ["tea", "🦀", "\u{301}", "…", "1", &long, "天气很好", "\u{0}x", "\u{200b}"];
    for (text, row) in texts.iter().zip(embed(&texts).rows()) {
        let squares: f64 = row.iter().map(|x| f64::from(*x).powi(2)).sum();
        assert!((squares.sqrt() - 1.0).abs() <= 1e-5, "{text:?}: {squares}");
    }
}

#[test]
fn progress_ends_with_the_number_of_texts() {
    let texts = vec![ninety_words(); 30];
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let mut reported = Vec::new();
    embedder().embed(&texts, &mut |done| reported.push(done)).unwrap();
    assert!(reported.len() > 1 && reported.is_sorted());
    assert_eq!(reported.last(), Some(&30));
}
