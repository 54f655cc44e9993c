//! Every finding of the linter, each from a question with this fault only.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use fiel_corpus::KnowledgeBase;
use fiel_gold::{Author, Gold, lint};
use fiel_record::{LintFinding, LintLevel, LintResult};
use serde_json::{Value, json};
use tempfile::TempDir;

const BOILING: &str = "# Boiling\n\nWater boils at 100 degrees at sea level. Tea wants boiling water.\n\n\
    ## Height\n\nOn a high mountain water boils at a lower temperature, about 93 degrees at two \
    thousand metres.\n";
const METALS: &str = "# Metals\n\nAfter silver, copper is the best conductor of electric current. Wires are \
    made of it.\n\n## Roofs\n\nA roof of lead lasts for centuries.\n";
const WIRES: &str = "# Wires\n\nAn electric conductor in a house is usually made of copper, which carries \
    the current well.\n";

struct World {
    dir: TempDir,
}

impl World {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let world = Self { dir };
        std::fs::create_dir(world.path("kb")).unwrap();
        for (name, text) in [
            ("boiling.md", BOILING),
            ("metals.md", METALS),
            ("wires.md", WIRES),
            ("kb.toml", "lang = \"en\"\n"),
        ] {
            std::fs::write(world.path("kb").join(name), text).unwrap();
        }
        world
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    fn kb(&self) -> KnowledgeBase {
        KnowledgeBase::load(&self.path("kb")).unwrap()
    }

    fn lint(&self, lines: &[String], companion: &str) -> LintResult {
        let path = self.path("set.jsonl");
        std::fs::write(&path, lines.join("\n")).unwrap();
        std::fs::write(self.path("set.toml"), companion).unwrap();
        lint(&path, &self.kb(), fiel_eval::index_passages).unwrap()
    }
}

/// A question about boiling water, altered.
fn question(changes: Value) -> String {
    let mut question = json!({
        "id": changes["question"],
        "question": "When does a kettle on the beach start bubbling?",
        "evidence": [{"doc": "boiling", "quote": "Water boils at 100 degrees at sea level"}],
        "answers": ["100 degrees"],
    });
    for (name, value) in changes.as_object().unwrap() {
        question[name] = value.clone();
    }
    question.to_string()
}

fn is_of_set(code: &str) -> bool {
    ["G203", "G501", "G502", "G602"].contains(&code)
}

/// Codes by line, without those about the set as a whole.
fn by_line(findings: &[LintFinding]) -> BTreeMap<usize, Vec<&str>> {
    let mut out: BTreeMap<usize, Vec<&str>> = BTreeMap::new();
    for finding in findings.iter().filter(|f| !is_of_set(&f.code)) {
        out.entry(finding.line.unwrap()).or_default().push(&finding.code);
    }
    out
}

#[test]
fn each_fault_is_found_where_it_is_and_nothing_else() {
    let world = World::new();
    let cases: Vec<(String, &[&str])> = vec![
        (question(json!({"id": "good"})), &[]),
        ("{broken".into(), &["G001"]),
        (
            question(json!({"id": "doc", "question": "Where do fish live?",
                "evidence": [{"doc": "fish", "quote": "x"}]})),
            &["G002", "G301"],
        ),
        (
            question(json!({"id": "missing", "question": "How warm is a bath?",
                "evidence": [{"doc": "boiling", "quote": "A bath has 100 degrees"}]})),
            &["G003"],
        ),
        (
            question(json!({"id": "twice", "question": "How much for brewing?",
                "evidence": [{"doc": "boiling", "quote": "degrees at"}]})),
            &["G004", "G301"],
        ),
        (
            question(json!({"id": "again", "question": "when does the kettle on a beach start bubbling"})),
            &["G101"],
        ),
        (
            question(json!({"id": "nearly", "question": "When does my kettle start bubbling on a sunny beach?"})),
            &["G102"],
        ),
        (
            question(json!({"id": "run", "question": "Is it true that water boils at 100 degrees at sea level?", "answers": ["sea level"]})),
            &["G201"],
        ),
        (
            question(json!({"id": "words", "question": "At sea level, water boils at what degrees?"})),
            &["G202"],
        ),
        (
            question(json!({"id": "fahrenheit", "question": "What does a thermometer in soup show?",
                "answers": ["212 fahrenheit"]})),
            &["G301"],
        ),
        (
            question(json!({"id": "celsius", "question": "How hot is steam by the ocean?",
                "answer_contains": ["celsius"]})),
            &["G302"],
        ),
        (
            question(json!({"id": "copper", "question": "Which conductor carries electric current?",
                "evidence": [{"doc": "metals", "quote": "After silver, copper is the best conductor"}],
                "answers": ["copper"]})),
            &["G303"],
        ),
        (
            json!({"id": "height", "question": "At what temperature does water boil on a high mountain?",
                "unanswerable": true}).to_string(),
            &["G401"],
        ),
        (
            json!({"id": "moon", "question": "At what temperature does milk boil on the moon?",
                "unanswerable": true}).to_string(),
            &[],
        ),
        (
            json!({"id": "spanish", "question": "¿Por qué no hay peces en la luna?",
                "unanswerable": true}).to_string(),
            &["G601"],
        ),
        (
            json!({"id": "quoted", "question": "How do I say \"¿Por qué no hay peces en la luna?\" politely?",
                "unanswerable": true}).to_string(),
            &[],
        ),
    ];
    let lines: Vec<String> = cases.iter().map(|(line, _)| line.clone()).collect();
    let report = world.lint(&lines, "");
    let found = by_line(&report.findings);
    for (at, (line, codes)) in cases.iter().enumerate() {
        let found = found.get(&(at + 1)).map_or(&[][..], Vec::as_slice);
        assert_eq!(found, *codes, "{line}\n{:#?}", report.findings);
    }
    assert_eq!(report.questions, 15);
    assert_eq!(report.count(LintLevel::Error), 4);
    assert!(!report.is_clean());
    let copied = report.findings.iter().find(|f| f.code == "G201").unwrap();
    assert_eq!(copied.figures["run"], 8.0);
    assert!(copied.message.contains("\"water boils at 100 degrees at sea level\""));
    assert!(report.findings.is_sorted_by_key(|f| f.line.unwrap_or(usize::MAX)));
}

#[test]
fn an_alternative_of_the_same_group_settles_an_answer_that_stands_elsewhere() {
    let world = World::new();
    let asked = "Which conductor carries electric current?";
    let line = question(json!({"id": "copper", "question": asked, "answers": ["copper"],
    "evidence": [
        {"doc": "metals", "quote": "After silver, copper is the best conductor", "group": "a"},
        {"doc": "wires", "quote": "usually made of copper", "group": "a"},
    ]}));
    assert!(world.lint(&[line], "").is_clean());
}

#[test]
fn a_duplicate_with_another_answer_says_so_and_a_pattern_is_no_duplicate() {
    let world = World::new();
    let asked = |id: &str, question: &str, answer: &str| {
        self::question(json!({"id": id, "question": question, "answers": [answer]}))
    };
    let lines = [
        asked("a", "Which past simple form has the verb eat?", "100"),
        asked("b", "Which past simple form has the verb drink?", "degrees"),
        asked("c", "Which past simple form has the verb eat?", "degrees"),
    ];
    let report = world.lint(&lines, "");
    assert_eq!(by_line(&report.findings), BTreeMap::from([(3, vec!["G101"])]));
    assert!(report.findings[0].message.contains("their answers differ"));
}

#[test]
fn accepted_findings_do_not_count_and_stale_acceptance_is_noted() {
    let world = World::new();
    let run = question(
        json!({"id": "run", "question": "Is it true that water boils at 100 degrees at sea?"}),
    );
    let missing = question(json!({"id": "missing", "question": "How warm is a bath?",
        "evidence": [{"doc": "boiling", "quote": "A bath has 100 degrees"}]}));
    let accept = "[lint.accept]\nG201 = [\"run\", \"gone\"]\nG003 = [\"missing\"]\n";
    let report = world.lint(&[run, missing], accept);
    assert_eq!(report.accepted.len(), 1);
    assert_eq!(report.accepted[0].code, "G201");
    // What makes a question unusable cannot be accepted.
    let codes: Vec<&str> = report.findings.iter().map(|f| f.code.as_str()).collect();
    assert_eq!(codes, ["G003", "G701", "G701"]);
    assert!(!report.is_clean());
}

#[test]
fn questions_in_another_language_are_noted_once() {
    let world = World::new();
    let line = |id: &str, asked: &str| {
        json!({"id": id, "question": asked, "lang": "es", "unanswerable": true}).to_string()
    };
    let lines = [line("a", "¿Dónde viven los peces?"), line("b", "¿Por qué llueve?")];
    let report = world.lint(&lines, "");
    let notes: Vec<&str> = report.findings.iter().map(|f| f.code.as_str()).collect();
    assert_eq!(notes, ["G602"]);
    assert!(report.findings[0].message.contains("2 of 2 questions"));
    assert!(report.is_clean());
}

#[test]
fn the_shipped_gold_set_passes() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let kb = KnowledgeBase::load(&root.join("kb/verbs")).unwrap();
    let report = lint(&root.join("gold/verbs.jsonl"), &kb, fiel_eval::index_passages).unwrap();
    assert!(report.is_clean(), "{:#?}", report.findings);
}

#[test]
fn a_written_question_is_checked_beside_the_others_and_reads_back() {
    let world = World::new();
    let (kb, path) = (world.kb(), world.path("new.jsonl"));
    let mut author = Author::open(&path, &kb, fiel_eval::index_passages).unwrap();
    assert!(author.is_empty());
    let order = author.passages(Some("boiling"), 7);
    assert_eq!(order.len(), 2);
    assert_eq!(order, author.passages(Some("boiling"), 7));
    assert_ne!(author.passages(None, 1), author.passages(None, 2));

    let passage = *order.iter().find(|&&at| author.shown(at).1.contains("Tea")).unwrap();
    let quote = author.sentence(passage, "100 degrees").unwrap();
    assert_eq!(quote, "Water boils at 100 degrees at sea level.");
    let answers = vec!["100 degrees".to_owned()];
    let asked = "When does a kettle on the beach start bubbling?";
    let draft = author.draft(passage, asked, answers.clone(), &quote);
    assert_eq!(draft.id, "kettle-beach-start-bubbling");
    assert_eq!(author.check(&draft).unwrap(), []);
    author.add(draft).unwrap();

    let again = author.draft(passage, asked, answers, "Nowhere");
    assert_eq!(again.id, "kettle-beach-start-bubbling-2");
    let findings = author.check(&again).unwrap();
    let codes: Vec<&str> = findings.iter().map(|f| f.code.as_str()).collect();
    assert_eq!(codes, ["G003", "G101", "G301"]);

    let absent = author.draft(passage, "Who cooks on the moon?", Vec::new(), "");
    assert!(absent.unanswerable && absent.evidence.is_empty());
    author.add(absent).unwrap();
    let gold = Gold::load(&path).unwrap().resolve(&kb).unwrap();
    assert_eq!(gold.questions.len(), 2);
}
