//! The scorer `grounded` against the figures of an independent implementation of its features.

use std::collections::BTreeMap;

use fiel_eval::{GroundedScorer, Scorer, self_test};
use fiel_models::DeviceChoice;
use fiel_text::Lang;
use serde::Deserialize;

use crate::world::World;

#[derive(Deserialize)]
struct Case {
    lang: Lang,
    what: String,
    claim: String,
    passages: Vec<String>,
    supported: bool,
    #[serde(default)]
    features: Option<BTreeMap<String, f64>>,
    score: f64,
}

fn scorer() -> GroundedScorer {
    let mut builder = World::new().builder();
    let models = builder.models();
    let embedder = models.embedder("all-MiniLM-L6-v2", DeviceChoice::Cpu);
    GroundedScorer::new(embedder.unwrap())
}

/// The features of `tests/data` were computed with NumPy from the same weights.
#[test]
fn features_and_scores_of_the_reference_cases() {
    let cases: Vec<Case> =
        serde_json::from_str(include_str!("../data/grounded_cases.json")).unwrap();
    assert_eq!(cases.len(), 20);
    let mut scorer = scorer();
    for case in cases {
        let passages: Vec<&str> = case.passages.iter().map(String::as_str).collect();
        let found = scorer.features(&case.claim, &passages, case.lang).unwrap();
        let own: Option<BTreeMap<String, f64>> =
            found.map(|f| serde_json::from_value(serde_json::to_value(f).unwrap()).unwrap());
        assert_eq!(own.is_some(), case.features.is_some(), "{}", case.what);
        for (name, expected) in case.features.iter().flatten() {
            let value = own.as_ref().unwrap()[name];
            assert!(
                (value - expected).abs() < 1e-3,
                "{}, {name}: {value}, not {expected}",
                case.what
            );
        }
        let score = scorer.score_of(found.as_ref());
        assert!((score - case.score).abs() < 1e-3, "{}: {score}, not {}", case.what, case.score);
        assert_eq!(score >= 0.5, case.supported, "{}: {score}", case.what);
    }
}

#[test]
fn the_pairs_of_the_self_test_are_told_apart() {
    assert_eq!(self_test(&mut Scorer::Grounded(scorer())).unwrap(), []);
}
