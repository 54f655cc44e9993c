//! `gold/verbs.jsonl` over `kb/verbs`: what the README states about them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use fiel_corpus::KnowledgeBase;
use fiel_gold::{Gold, Question, ResolvedGold, Split};
use fiel_metrics::answer_tokens;
use fiel_store::sha256_hex;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn kb() -> KnowledgeBase {
    KnowledgeBase::load(&root().join("kb/verbs")).unwrap()
}

/// Fails unless every quote occurs exactly once.
fn gold() -> ResolvedGold {
    let gold = Gold::load(&root().join("gold/verbs.jsonl")).unwrap();
    gold.resolve(&kb()).unwrap()
}

fn questions() -> Vec<Question> {
    let resolved = gold().questions;
    resolved.into_iter().map(|resolved| resolved.question).collect()
}

fn answerable() -> Vec<Question> {
    questions().into_iter().filter(|q| !q.unanswerable).collect()
}

/// The quotes of a question.
fn evidence(question: &Question) -> Vec<&str> {
    let quotes: Vec<&str> = question.evidence.iter().filter_map(|e| e.quote.as_deref()).collect();
    assert_eq!(quotes.len(), question.evidence.len(), "{}", question.id);
    quotes
}

/// Lower-case words with apostrophes, articles included.
fn words(text: &str) -> Vec<String> {
    let lower = text.to_lowercase().replace('’', "'");
    let words = lower.split(|c: char| !c.is_alphanumeric() && c != '\'');
    let words = words.map(|word| word.trim_matches('\'').to_owned());
    words.filter(|word| !word.is_empty()).collect()
}

#[test]
fn fifty_documents_and_every_quote_once() {
    assert_eq!(kb().documents.len(), 50);
    let gold = gold();
    let groups: usize = gold.questions.iter().map(|q| q.groups()).sum();
    assert!(groups >= answerable().len());
    // Most documents are evidence.
    let answerable = answerable();
    let documents: BTreeSet<&str> =
        answerable.iter().flat_map(|q| &q.evidence).map(|e| e.doc.as_str()).collect();
    assert!(documents.len() >= 40, "{}", documents.len());
}

#[test]
fn there_are_enough_questions_of_every_style() {
    let questions = questions();
    let unanswerable = questions.iter().filter(|q| q.unanswerable).count();
    assert!(questions.len() - unanswerable >= 75 && unanswerable >= 15);
    let mut styles: BTreeMap<&str, usize> = BTreeMap::new();
    for question in &questions {
        for prefix in ["style:", "tense:", "person:", "kind:"] {
            let tags: Vec<&str> =
                question.tags.iter().filter_map(|tag| tag.strip_prefix(prefix)).collect();
            assert_eq!(tags.len(), 1, "{}: one tag {prefix}", question.id);
            if prefix == "style:" {
                *styles.entry(tags[0]).or_default() += 1;
            }
        }
    }
    let names: Vec<&str> = styles.keys().copied().collect();
    assert_eq!(names, ["colloquial", "docs", "exact", "split", "typos", "vocab"]);
    assert!(styles.values().all(|&n| n >= 5), "{styles:?}");
}

#[test]
fn answers_are_one_to_four_and_score_as_correct() {
    for question in answerable() {
        let id = &question.id;
        assert!((1..=4).contains(&question.answers.len()), "{id}");
        for answer in &question.answers {
            let scores = fiel_metrics::score_answer(
                answer,
                &question.answers,
                &question.answer_contains,
                question.lang,
                false,
            );
            assert!(scores.right && scores.em == 1.0, "{id}: {answer}");
        }
    }
}

#[test]
fn the_split_is_by_hash_of_the_id() {
    let questions = questions();
    for question in &questions {
        let hash = &sha256_hex(question.id.as_bytes())[..8];
        let dev = u32::from_str_radix(hash, 16).unwrap().is_multiple_of(3);
        let expected = if dev { Split::Dev } else { Split::Test };
        assert_eq!(question.split, expected, "{}", question.id);
    }
    let dev = questions.iter().filter(|q| q.split == Split::Dev).count();
    let share = dev as f64 / questions.len() as f64;
    assert!((0.2..0.45).contains(&share), "{share}");
}

#[test]
fn no_question_shares_six_words_in_a_row_with_its_evidence() {
    for question in answerable() {
        let asked = words(&question.question);
        for quote in evidence(&question) {
            let quote = words(quote);
            let shared = asked.windows(6).find(|run| quote.windows(6).any(|other| other == *run));
            assert_eq!(shared, None, "{}", question.id);
        }
    }
}

#[test]
fn half_of_the_questions_share_less_than_half_of_their_content_words() {
    let content = |text: &str, question: &Question| -> BTreeSet<String> {
        let lang = question.lang;
        answer_tokens(text, lang).into_iter().filter(|token| !lang.is_stop_word(token)).collect()
    };
    let answerable = answerable();
    let low = |question: &&Question| {
        let asked = content(&question.question, question);
        let proof = content(&evidence(question).join(" "), question);
        asked.intersection(&proof).count() * 2 < asked.len()
    };
    let low = answerable.iter().filter(low).count();
    assert!(low * 2 >= answerable.len(), "{low} of {}", answerable.len());
}

#[test]
fn the_targets_are_those_of_the_teaching_phase() {
    let gold = gold().gold;
    assert_eq!(gold.kb.as_deref(), Some("verbs"));
    let targets: Vec<(String, f64)> =
        gold.targets.iter().map(|t| (format!("{}.{}", t.mode, t.measure), t.bound)).collect();
    let expected = [
        ("e2e.faithfulness_strict", 0.70),
        ("oracle.F1", 0.80),
        ("retrieval.RR@10", 0.60),
        ("retrieval.hit@5", 0.80),
    ];
    assert_eq!(targets, expected.map(|(name, bound)| (name.to_owned(), bound)));
}
