//! Worked values of lexical support and of faithfulness.

use super::*;
use fiel_text::Lang;

#[track_caller]
fn check(claim: &str, context: &str, lang: Lang, verdict: SupportVerdict) {
    let support = LexicalContext::new(&[context], lang).support(claim);
    assert_eq!(support.verdict, verdict, "{claim} / {context}: {support:?}");
}

#[test]
fn worked_value() {
    let context = "the past participle of the irregular verb eat is eaten (Spanish: comido)";
    let support =
        LexicalContext::new(&[context], Lang::En).support("the past participle of eat is eaten");
    assert_eq!((support.share, support.verdict), (1.0, SupportVerdict::Supported));
    assert_eq!(support.best_sentence.as_deref(), Some(context));
}

#[test]
fn a_changed_number_and_an_added_or_dropped_not() {
    use SupportVerdict::*;
    for (claim, context, verdict) in [
        ("The refund limit is 30 days", "The refund limit is 90 days.", NumberMismatch),
        ("The refund limit is 90 days", "The refund limit is 90 days.", Supported),
        (
            "The refund limit is 30 days",
            "The refund limit is 90 days. Delivery takes 30 days.",
            NumberMismatch,
        ),
        (
            "Paterson died in 2018 at the age of 78",
            "Paterson died in hospital. It was 2018, and he was of the age of 78.",
            Supported,
        ),
        ("The map is not thread-safe", "The map is thread-safe.", NegationMismatch),
        ("The map is thread-safe", "The map is not thread-safe.", NegationMismatch),
        ("It is thread-safe", "It isn't thread-safe.", NegationMismatch),
        ("The map is not thread-safe", "The map isn\u{2019}t thread-safe.", Supported),
        ("The refund limit exists", "The refund limit is 90 days, and it exists.", Supported),
        ("The refund limit is thirty days", "The refund limit is 30 days.", Supported),
    ] {
        check(claim, context, Lang::En, verdict);
    }
    for (claim, context, verdict) in [
        (
            "El límite de reembolso es de 30 días",
            "El límite de reembolso es de 90 días.",
            NumberMismatch,
        ),
        ("Hay 2.500.000 habitantes", "Hay 2500000 habitantes.", Supported),
        ("El verbo no cambia", "El verbo cambia.", NegationMismatch),
        ("El verbo cambia", "El verbo nunca cambia.", NegationMismatch),
        ("El verbo nunca cambia", "El verbo no cambia.", Supported),
    ] {
        check(claim, context, Lang::Es, verdict);
    }
}

#[test]
fn share_of_the_content_tokens() {
    let support =
        |claim| LexicalContext::new(&["alpha beta gamma delta. epsilon"], Lang::En).support(claim);
    assert_eq!(support("alpha beta gamma zeta").share, 0.75);
    assert!(support("alpha beta gamma zeta").supported());
    assert_eq!(support("alpha beta zeta").verdict, SupportVerdict::LowShare);
    assert_eq!(support("zeta").best_sentence, None);
}

#[test]
fn each_clause_is_compared_with_its_best_sentence() {
    let context = "The refund limit is 30 days. The delivery fee is 5 euros.";
    let claim = "The refund limit is 30 days, and the delivery fee is 5 euros.";
    check(claim, context, Lang::En, SupportVerdict::Supported);
    let claim = "The refund limit is 5 days, and the delivery fee is 30 euros.";
    check(claim, context, Lang::En, SupportVerdict::NumberMismatch);
}

#[test]
fn a_claim_of_stop_words_is_compared_by_all_its_words() {
    check("had", "The auxiliary is had.", Lang::En, SupportVerdict::Supported);
    check("did", "The auxiliary is had.", Lang::En, SupportVerdict::LowShare);
    check("30", "It takes 30 days.", Lang::En, SupportVerdict::Supported);
    check("not", "Put not after the verb.", Lang::En, SupportVerdict::Supported);
}

#[test]
fn no_context_supports_nothing() {
    let none: [&str; 0] = [];
    let support = LexicalContext::new(&none, Lang::En).support("A claim.");
    assert_eq!((support.share, support.verdict), (0.0, SupportVerdict::NoContext));
    check("A claim.", "  ", Lang::En, SupportVerdict::NoContext);
}

const CONTEXT: [(&str, &str); 3] = [
    ("eat#1", "The past participle of eat is eaten."),
    ("eat#2", "The past simple of eat is ate."),
    ("go#1", "The past simple of go is went."),
];

fn grounded(answer: &str) -> Grounded {
    ground(answer, &CONTEXT)
}

fn ground(answer: &str, context: &[(&str, &str)]) -> Grounded {
    let offered: Vec<&str> = context.iter().map(|&(id, _)| id).collect();
    ground_claims(claims(answer, &offered, ClaimUnit::Sentence, Lang::En), context, Lang::En)
}

#[test]
fn strict_counts_the_cited_chunks_and_loose_all() {
    let answer = "The past simple of eat is ate. The past participle is eaten [eat#1].";
    let grounded = grounded(answer);
    // "past simple ... ate" needs eat#2, which is not cited.
    assert_eq!((grounded.strict, grounded.loose), (Some(0.5), Some(1.0)));
    assert_eq!(grounded.citation.precision, Some(1.0));
    assert_eq!(grounded.citation.coverage, Some(0.5));
}

#[test]
fn without_a_citation_strict_is_zero() {
    let grounded = grounded("The past participle of eat is eaten.");
    assert_eq!((grounded.strict, grounded.loose), (Some(0.0), Some(1.0)));
    assert_eq!(grounded.citation.precision, None);
}

#[test]
fn unknown_and_wrong_citations_lower_the_precision() {
    let grounded = grounded("The past participle of eat is eaten [eat#1; go#1; be#9].");
    assert_eq!(grounded.citation.precision, Some(1.0 / 3.0));
    assert_eq!(grounded.citation.unknown, 1);
    assert_eq!(grounded.strict, Some(1.0));
}

#[test]
fn an_answer_without_claims_is_undefined_and_without_a_context_zero() {
    assert_eq!(grounded("").strict, None);
    assert_eq!(ground("", &[]).loose, None);
    assert_eq!(ground("The limit is 30 days", &[]).loose, Some(0.0));
}

#[test]
fn faithfulness_is_the_share_of_supported_claims() {
    let context = [("1", "The limit is 90 days. Returns are free.")];
    let grounded = ground("The limit is 30 days. Returns are free.", &context);
    assert_eq!(grounded.loose, Some(0.5));
    assert_eq!(grounded.claims.len(), 2);
    assert!(!grounded.claims[0].loose.supported());
}
