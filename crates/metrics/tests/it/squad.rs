//! Answer measures against the SQuAD v1.1 script (`data/make_expected.py`) on plain English
//! without decimals and hyphens.

use fiel_metrics::{normalize_answer, score_answer};
use fiel_text::Lang;
use serde::Deserialize;

#[derive(Deserialize)]
struct Case {
    answer: String,
    references: Vec<String>,
    normalized: String,
    #[serde(rename = "EM")]
    em: f64,
    #[serde(rename = "F1")]
    f1: f64,
}

#[test]
fn answer_measures_equal_squad() {
    let cases: Vec<Case> = serde_json::from_str(include_str!("../data/squad.json")).unwrap();
    // The script drops the letter of `Plan A` as an article.
    let has_letter = |text: &String| {
        text.split_whitespace().any(|word| word.trim_matches(|c: char| !c.is_alphanumeric()) == "A")
    };
    let cases: Vec<&Case> = cases
        .iter()
        .filter(|case| !case.references.iter().chain([&case.answer]).any(has_letter))
        .collect();
    assert!(cases.len() >= 200, "{}", cases.len());
    for case in cases {
        let answer = case.answer.as_str();
        assert_eq!(normalize_answer(answer, Lang::En), case.normalized, "{answer}");
        let scores = score_answer(answer, &case.references, &[""; 0], Lang::En, false);
        assert_eq!(scores.em, case.em, "{answer}");
        let f1 = scores.f1;
        assert!((f1 - case.f1).abs() < 1e-7, "{answer}: got {f1}, expected {}", case.f1);
    }
}
