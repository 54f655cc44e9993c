//! Properties of the answer, citation and claim measures on any text.

use fiel_metrics::{
    ClaimUnit, LexicalContext, claims, ground_claims, is_refusal, listed_items, normalize_answer,
    parse_citations, score_answer, strip_citations,
};
use fiel_text::Lang;
use proptest::prelude::*;

fn lang() -> impl Strategy<Value = Lang> {
    prop::sample::select(vec![Lang::En, Lang::Es, Lang::Other])
}

/// Texts in which markup, numbers, negations and several scripts meet.
fn text() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "the", "a", "la", "eaten", "eat", "not", "no,", "No.", "isn't", "sin", "3.5", "1,000",
        "2.500", "-5", "thirty", "[1]", "[2; 3]", "[doc#1]", "[x](y)", "`", "```", "\n", "\n- ",
        "\n1. ", "\n# ", ".", ". ", "?", "。", "天气", "很好", "é", "e\u{301}", "İ", "ﬁ", "-", "—",
        "/", "(", ")", "[", "]", "|", "Dr.", "etc.", ":", ";", ", and", "\t", "\u{a0}", "¿", "👍",
    ]);
    let glued = prop::collection::vec((piece, any::<bool>()), 0..25).prop_map(|pieces| {
        pieces
            .into_iter()
            .flat_map(|(piece, space)| [piece, if space { " " } else { "" }])
            .collect::<String>()
    });
    prop_oneof![3 => glued, 1 => "\\PC{0,30}"]
}

/// The share of the clauses that the texts support.
fn ground(answer: &str, texts: &[String], lang: Lang) -> Option<f64> {
    let context: Vec<(&str, &str)> = texts.iter().map(|text| ("", text.as_str())).collect();
    ground_claims(claims(answer, &[], ClaimUnit::Clause, lang), &context, lang).loose
}

/// Number of inputs, or that of the environment: `PROPTEST_CASES=1000000` for a long run.
fn cases() -> u32 {
    let set = std::env::var("PROPTEST_CASES").ok();
    set.and_then(|cases| cases.parse().ok()).unwrap_or(512)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases()))]

    #[test]
    fn em_is_below_f1_and_contains(answer in text(), other in text(), lang in lang()) {
        for reference in [&answer, &other] {
            let scores = score_answer(&answer, &[reference], &[reference], lang, false);
            prop_assert!(scores.em <= scores.f1 && scores.em <= scores.contains);
            prop_assert!((0.0..=1.0).contains(&scores.f1));
            prop_assert_eq!(scores.answer_contains, Some(scores.contains));
            prop_assert!(!scores.right || scores.contains == 1.0);
        }
        // References keep what looks like a citation.
        let reference = strip_citations(&answer);
        if !reference.trim().is_empty() {
            let same = score_answer(&answer, &[&reference], &[""; 0], lang, false);
            prop_assert_eq!((same.em, same.f1, same.contains), (1.0, 1.0, 1.0));
        }
    }

    #[test]
    fn the_order_of_references_and_contexts_changes_nothing(
        answer in text(), mut others in prop::collection::vec(text(), 0..4), lang in lang(),
    ) {
        let scores = score_answer(&answer, &others, &others, lang, false);
        let grounded = ground(&answer, &others, lang);
        others.reverse();
        prop_assert_eq!(score_answer(&answer, &others, &others, lang, false), scores);
        prop_assert_eq!(ground(&answer, &others, lang), grounded);
    }

    #[test]
    fn normalized_text_is_folded(text in text(), lang in lang()) {
        let normalized = normalize_answer(&text, lang);
        prop_assert_eq!(normalized.split_whitespace().collect::<Vec<_>>().join(" "), normalized.as_str());
        prop_assert!(!normalized.contains(['!', '?', '[', ']', '(', ')', '"']));
    }

    #[test]
    fn citations_are_markers_in_order(text in text()) {
        let mut end = 0;
        for citation in parse_citations(&text, &["1", "doc#1"]) {
            let marker = &text[citation.span.clone()];
            prop_assert!(citation.span.start >= end);
            prop_assert!(marker.starts_with(['[', '【', '［']) && marker.ends_with([']', '】', '］']));
            prop_assert!(!citation.ids.is_empty());
            end = citation.span.end;
        }
        prop_assert!(strip_citations(&text).len() <= text.len());
    }

    #[test]
    fn claims_lie_in_the_answer_in_order(text in text(), lang in lang(), clause: bool) {
        let unit = if clause { ClaimUnit::Clause } else { ClaimUnit::Sentence };
        let mut end = 0;
        for claim in claims(&text, &["1", "doc#1"], unit, lang) {
            prop_assert!(claim.span.start >= end && text.get(claim.span.clone()).is_some());
            prop_assert!(claim.text.contains(char::is_alphanumeric));
            end = claim.span.end;
        }
    }

    #[test]
    fn phrases_only_add_refusals(text in text(), phrase in text()) {
        let with_phrase = is_refusal(&text, std::slice::from_ref(&phrase));
        prop_assert!(with_phrase || !is_refusal(&text, &[]));
        prop_assert!(listed_items(&text).is_none_or(|items| items.len() >= 4));
    }

    #[test]
    fn an_answer_is_grounded_in_itself(text in text(), lang in lang()) {
        let context = LexicalContext::new(&[&text], lang);
        for claim in claims(&text, &[], ClaimUnit::Sentence, lang) {
            let support = context.support(&claim.text);
            prop_assert!((0.0..=1.0).contains(&support.share));
        }
        let claims = claims(&text, &["1", "doc#1"], ClaimUnit::Sentence, lang);
        let grounded = ground_claims(claims, &[("1", &text), ("doc#1", "")], lang);
        for value in [grounded.strict, grounded.loose, grounded.citation.precision, grounded.citation.coverage] {
            prop_assert!(value.is_none_or(|value| (0.0..=1.0).contains(&value)));
        }
        prop_assert_eq!(grounded.loose.is_none(), grounded.claims.is_empty());
    }
}

/// Sentences of prose with negations and numbers.
fn prose() -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec![
        "the", "limit", "map", "is", "not", "never", "without", "no", "eaten", "eat", "verb", "30",
        "two", "safe,", "and", "but", "which", "form;", "isn't", "only", "fee", "(late)",
        "because",
    ]);
    prop::collection::vec(word, 1..12).prop_map(|words| words.join(" "))
}

proptest! {
    #[test]
    fn a_sentence_supports_itself(sentence in prose()) {
        let support = LexicalContext::new(&[&sentence], Lang::En).support(&sentence);
        prop_assert!(support.supported(), "{:?}", support);
        prop_assert_eq!(support.share, 1.0);
    }
}
