//! The vectors of single pieces: norm, determinism, and agreement with the sentence vector.

use crate::{embed, embedder};

#[test]
fn every_piece_but_the_markers_has_its_id_and_a_unit_vector() {
    let tokens = embedder().tokens("a cup of tea").unwrap();
    let ids: Vec<u32> = tokens.text_pieces().map(|(id, _)| id).collect();
    // Without [CLS] and [SEP], in the vocabulary of bert-base-uncased.
    assert_eq!(ids, [1037, 2452, 1997, 5572]);
    for (_, row) in tokens.text_pieces() {
        let squares: f64 = row.iter().map(|x| f64::from(*x).powi(2)).sum();
        assert!((squares.sqrt() - 1.0).abs() <= 1e-6, "{squares}");
    }
}

#[test]
fn vectors_do_not_depend_on_earlier_texts() {
    let first = embedder().tokens("tea").unwrap();
    embedder().tokens(&vec!["verb"; 90].join(" ")).unwrap();
    assert_eq!(embedder().tokens("tea").unwrap(), first);
}

#[test]
fn a_long_text_is_cut_as_its_sentence_vector_is() {
    let fits = vec!["tea"; 254].join(" ");
    let longer = format!("{fits} and more");
    let tokens = embedder().tokens(&longer).unwrap();
    assert_eq!(tokens.vectors().len(), 254);
    assert_eq!(tokens, embedder().tokens(&fits).unwrap());
}

#[test]
fn the_mean_of_the_vectors_is_close_to_the_sentence_vector() {
    // Only close: the sentence vector averages before it normalises, and includes the markers. The
    // cosine is 0.99055.
    let tokens = embedder().tokens("What's the past participle of eat?").unwrap();
    let sentence = embed(&["What's the past participle of eat?"]);
    let mut mean = vec![0.0f32; 384];
    for row in tokens.vectors().rows() {
        mean.iter_mut().zip(row).for_each(|(m, x)| *m += x);
    }
    let cosine =
        fiel_embedding::dot(&mean, sentence.row(0)) / fiel_embedding::dot(&mean, &mean).sqrt();
    assert!(cosine > 0.9905, "{cosine}");
}

#[test]
fn a_blank_text_is_rejected() {
    assert!(embedder().tokens(" \n").is_err());
}
