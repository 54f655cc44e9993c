//! Imports of random and of mangled tables: no panic, and every row is counted.

use fiel_corpus::KnowledgeBase;
use fiel_gold::{ChunkPlaces, Imported, Rows, import_beir, import_squad};
use fiel_text::Lang;
use proptest::prelude::*;

const TABLES: [(&str, &str); 4] = [
    (
        "a.csv",
        "id,question,relevant_docs,answer\n1,\"What is \"\"ate\"\"?\",eat,ate\n2,Who?,\"eat; see\",\n",
    ),
    (
        "a.tsv",
        "question\trelevant_ids\tanswers\n\"Go\" is?\teat\t['ate', \"it's\"]\n\"Open\teat\tate\n",
    ),
    (
        "a.json",
        "[{\"question\": \"Past?\", \"docs\": [\"eat\"], \"answer\": \"ate\"},\n{\"question\": NaN}]",
    ),
    (
        "a.jsonl",
        "{\"question\": \"Past?\", \"doc\": \"eat\", \"answer\": \"ate\"}\n{\"q\": \"\\ud83d\"}\n",
    ),
];
const SQUAD: &str = r#"{"data": [{"title": "T", "paragraphs": [{"context": "The past is ate.", "qas": [
    {"id": "1", "question": "Past?", "answers": [{"text": "ate", "answer_start": 12}]},
    {"id": "2", "question": "Future?", "is_impossible": true}]}]}]}"#;
const BEIR: [(&str, &str); 3] = [
    (
        "corpus.jsonl",
        "{\"_id\": \"a\", \"title\": \"\", \"text\": \"one\"}\n{\"_id\": \"b\", \"text\": \"two\"}\n",
    ),
    (
        "queries.jsonl",
        "{\"_id\": \"a\", \"text\": \"one?\"}\n{\"_id\": \"q\", \"text\": \"two?\"}\n",
    ),
    ("qrels/test.tsv", "query-id\tcorpus-id\tscore\na\tb\t1\nq\tb\t2\n"),
];

fn check(imported: &Imported) -> Result<(), TestCaseError> {
    for (kind, counts) in &imported.result.counts {
        let sum = counts.written + counts.merged + counts.refused;
        prop_assert_eq!(counts.read, sum, "{}", kind);
    }
    Ok(())
}

/// A text with some characters replaced, at places between 0 and 1.
fn mangled(text: &str, changes: &[(f64, char)]) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    for (place, c) in changes {
        let at = (place * (chars.len() - 1) as f64) as usize;
        chars[at] = *c;
    }
    chars.into_iter().collect()
}

fn changes() -> impl Strategy<Value = Vec<(f64, char)>> {
    let c = prop_oneof![
        prop::sample::select(&[
            '"', '\'', ',', ';', '\t', '\n', '\r', '[', ']', '{', '}', '\\', '\0'
        ]),
        any::<char>()
    ];
    prop::collection::vec((0.0..1.0, c), 0..10)
}

/// Number of inputs, or that of the environment: `PROPTEST_CASES=1000000` for a long run.
fn cases() -> u32 {
    let set = std::env::var("PROPTEST_CASES").ok();
    set.and_then(|cases| cases.parse().ok()).unwrap_or(64)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases()))]

    #[test]
    fn tables(table in prop::sample::select(&TABLES), changes in changes(), random in any::<Option<String>>()) {
        let dir = tempfile::tempdir().expect("temporary folder");
        let kb = dir.path().join("kb");
        std::fs::create_dir(&kb).expect("folder");
        std::fs::write(kb.join("eat.md"), "# Eat\n\nThe past is ate.\n").expect("written");
        let kb = KnowledgeBase::load(&kb).expect("loads");
        let path = dir.path().join(table.0);
        std::fs::write(&path, random.unwrap_or_else(|| mangled(table.1, &changes))).expect("written");
        if let Ok(rows) = Rows::read(&path) {
            check(&rows.import(&kb, &ChunkPlaces::default(), Lang::En))?;
        }
    }

    #[test]
    fn squad(changes in changes()) {
        let dir = tempfile::tempdir().expect("temporary folder");
        let path = dir.path().join("squad.json");
        std::fs::write(&path, mangled(SQUAD, &changes)).expect("written");
        if let Ok(imported) = import_squad(&path, Lang::En) {
            check(&imported)?;
        }
    }

    #[test]
    fn beir(file in 0..BEIR.len(), changes in changes()) {
        let dir = tempfile::tempdir().expect("temporary folder");
        std::fs::create_dir(dir.path().join("qrels")).expect("folder");
        for (at, (name, text)) in BEIR.iter().enumerate() {
            let text = if at == file { mangled(text, &changes) } else { (*text).to_owned() };
            std::fs::write(dir.path().join(name), text).expect("written");
        }
        if let Ok(imported) = import_beir(dir.path(), Lang::En) {
            check(&imported)?;
        }
    }
}
