//! Drafts from a scripted model: what is kept, what is dropped, and in which order.

use std::collections::BTreeMap;

use fiel_corpus::KnowledgeBase;
use fiel_gold::{
    Author, Draft, DraftCheck, DraftStyle, DraftTask, DropReason, Question, Split, Suggester,
};
use fiel_text::Lang;
use tempfile::TempDir;

const DOCUMENTS: [(&str, &str); 3] = [
    (
        "coffee",
        "# Coffee\n\nWhole beans keep their fine aroma for a month. Ground coffee loses it within nine days.\n",
    ),
    (
        "tea",
        "# Tea\n\nBlack tea is brewed with boiling water, green tea at 80 degrees.\n\n## Taste\n\n\
         Hard water dulls the taste of tea; a filter helps against that.\n\n## Short\n\nNo more.\n",
    ),
    ("cocoa", "# Cocoa\n\nPowder is stirred into warm milk, never into boiling milk.\n"),
];

const OLD: &str = r#"{"id": "d-tea", "question": "How hot should the water for *green* infusions be?", "evidence": [{"doc": "tea", "quote": "green tea at 80 degrees"}], "answers": ["80 degrees"], "tags": ["style:docs", "kind:number"], "split": "dev"}
{"id": "d-test", "question": "What takes away bad flavours?", "evidence": [{"doc": "tea", "quote": "a filter helps"}], "answers": ["a filter"], "tags": ["style:docs"], "split": "test"}
{"id": "d-beans", "question": "whats good for a month?", "evidence": [{"doc": "coffee", "quote": "Whole beans keep their fine aroma for a month."}], "answers": ["beans"], "tags": ["style:colloquial"], "split": "dev"}
"#;

struct World {
    dir: TempDir,
    kb: KnowledgeBase,
}

impl World {
    fn new(gold: &str) -> Self {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir(dir.path().join("kb")).unwrap();
        for (id, text) in DOCUMENTS {
            std::fs::write(dir.path().join(format!("kb/{id}.md")), text).unwrap();
        }
        if !gold.is_empty() {
            std::fs::write(dir.path().join("set.jsonl"), gold).unwrap();
        }
        let kb = KnowledgeBase::load(&dir.path().join("kb")).unwrap();
        Self { dir, kb }
    }

    fn author(&self) -> Author<'_> {
        Author::open(&self.dir.path().join("set.jsonl"), &self.kb, fiel_eval::index_passages)
            .unwrap()
    }
}

/// Drafts of one style until there are no more, from a model that says the same of a document.
fn all(
    author: &Author<'_>,
    style: DraftStyle,
    seed: u64,
    said: &BTreeMap<&str, &str>,
) -> (Vec<Draft>, BTreeMap<DropReason, usize>) {
    let mut write =
        |task: DraftTask, text: &str, lang: Lang| -> Result<String, fiel_gold::BoxError> {
            assert_eq!(lang, Lang::En);
            // The longest beginning that fits, which stands last.
            let found = said.iter().rev().find(|(doc, _)| text.starts_with(**doc));
            let said = found.map_or_else(String::new, |(_, said)| (*said).to_owned());
            Ok(match task {
                DraftTask::Colloquial => said.replace("Question: ", "Question: hey, "),
                _ => said,
            })
        };
    let mut read = |_: &Question| {
        Ok(DraftCheck { answer: "so".to_owned(), abstained: false, f1: None, agrees: false })
    };
    let mut suggester = Suggester::new(author, seed, &mut write, &mut read);
    let mut drafts = Vec::new();
    while let Some(draft) = suggester.draft(author, style).unwrap() {
        drafts.push(draft);
    }
    (drafts, suggester.dropped().clone())
}

fn good() -> BTreeMap<&'static str, &'static str> {
    BTreeMap::from([
        ("Coffee", "Question: When is powder stale?\nAnswer: nine days."),
        ("Tea > Taste", "Question: What mends hardness?\nAnswer: a filter"),
        ("Tea", "Question: How hot for the other one?\nAnswer: boiling water"),
        ("Cocoa", "Question: Which liquid goes in?\nAnswer: warm milk"),
    ])
}

#[test]
fn plain_drafts_quote_the_sentence_of_their_answer() {
    let world = World::new(OLD);
    let (drafts, dropped) = all(&world.author(), DraftStyle::Plain, 42, &good());
    assert!(dropped.is_empty(), "{dropped:?}");
    // Four passages are long enough; the document without a question comes first, and the one with
    // two last.
    let sources: Vec<&str> = drafts.iter().map(|d| d.source.as_str()).collect();
    assert_eq!(sources, ["cocoa", "coffee", "tea", "tea"]);
    let coffee = &drafts[1];
    assert!(coffee.passage.starts_with("# Coffee\n\nWhole"), "{}", coffee.passage);
    let question = &coffee.question;
    assert_eq!(question.id, "d-powder-stale");
    assert_eq!(question.answers, ["nine days"]);
    assert_eq!(
        question.evidence[0].quote.as_deref(),
        Some("Ground coffee loses it within nine days.")
    );
    assert_eq!(question.tags, ["style:docs", "drafted"]);
    assert!(drafts.iter().all(|d| d.question.split == Split::Dev));
}

#[test]
fn the_seed_decides_among_equals_only() {
    let world = World::new("");
    let author = world.author();
    let order = |seed| -> Vec<String> {
        let (drafts, _) = all(&author, DraftStyle::Plain, seed, &good());
        drafts.into_iter().map(|d| d.source).collect()
    };
    assert_eq!(order(1), order(1));
    assert!((2..20).any(|seed| order(seed) != order(1)));
    // One passage of each document before a second of any.
    assert!((1..20).all(|seed| order(seed)[3] == "tea"));
}

#[test]
fn what_is_not_worth_showing_is_counted() {
    let world = World::new(OLD);
    let said = BTreeMap::from([
        ("Coffee", "Question: When is powder stale?\nAnswer: a year"),
        ("Tea > Taste", "Question: What takes away bad flavours?\nAnswer: a filter"),
        ("Tea", "It is tea."),
        ("Cocoa", "Question: Is it warm milk that goes in?\nAnswer: warm milk"),
    ]);
    let (drafts, dropped) = all(&world.author(), DraftStyle::Plain, 42, &said);
    assert!(drafts.is_empty(), "{drafts:?}");
    let expected = [
        (DropReason::NoQuestion, 1),
        (DropReason::NotInPassage, 1),
        (DropReason::GivesAway, 1),
        (DropReason::Repeated, 1),
    ];
    assert_eq!(dropped, BTreeMap::from(expected));
}

#[test]
fn colloquial_and_unanswerable_drafts_carry_their_style() {
    let world = World::new(OLD);
    let (drafts, _) = all(&world.author(), DraftStyle::Colloquial, 42, &good());
    let question = &drafts[0].question;
    assert_eq!(question.question, "hey, Which liquid goes in?");
    assert_eq!(question.answers, ["warm milk"]);
    assert_eq!(question.tags, ["style:colloquial", "drafted"]);

    let said = BTreeMap::from([("Cocoa", "Who sold the first cocoa powder?\nNobody knows.")]);
    let (drafts, dropped) = all(&world.author(), DraftStyle::Unanswerable, 42, &said);
    assert_eq!((drafts.len(), dropped[&DropReason::NoQuestion]), (1, 3));
    let question = &drafts[0].question;
    assert!(question.unanswerable && question.evidence.is_empty() && question.answers.is_empty());
    assert_eq!(question.question, "Who sold the first cocoa powder?");
}

#[test]
fn an_unanswerable_draft_that_its_passage_answers_is_dropped() {
    let world = World::new(OLD);
    let author = world.author();
    let mut write =
        |_: DraftTask, _: &str, _: Lang| Ok("Which milk is it stirred into?".to_owned());
    // The reader reads "warm milk" off the passage about cocoa, and no other passage holds it.
    let mut read = |_: &Question| {
        Ok(DraftCheck {
            answer: "warm milk [1]".to_owned(),
            abstained: false,
            f1: None,
            agrees: false,
        })
    };
    let mut suggester = Suggester::new(&author, 42, &mut write, &mut read);
    assert_eq!(suggester.draft(&author, DraftStyle::Unanswerable).unwrap(), None);
    let dropped = suggester.dropped();
    assert_eq!(dropped[&DropReason::Answered], 1);
    // The same question of the other three passages.
    assert_eq!(dropped[&DropReason::Repeated], 3);
}

#[test]
fn a_misspelled_twin_is_of_a_plain_question_of_dev_and_of_each_once() {
    let world = World::new(OLD);
    let mut author = world.author();
    let nothing = BTreeMap::new();
    let (drafts, _) = all(&author, DraftStyle::Typo, 42, &nothing);
    // Not of the test split, and not of a colloquial question.
    assert_eq!(drafts.len(), 1);
    let twin = &drafts[0].question;
    assert_eq!((drafts[0].source.as_str(), twin.id.as_str()), ("d-tea", "d-tea-typo"));
    assert_eq!(twin.tags, ["style:typos", "kind:number", "drafted"]);
    assert_eq!(
        (twin.split, twin.answers.as_slice()),
        (Split::Dev, ["80 degrees".to_owned()].as_slice())
    );
    assert!(twin.question.contains("*green*"), "{}", twin.question);
    assert_ne!(twin.question, "How hot should the water for *green* infusions be?");
    author.add(twin.clone()).unwrap();
    assert!(all(&author, DraftStyle::Typo, 42, &nothing).0.is_empty());
}

#[test]
fn drafts_come_back_from_a_file_and_a_faulty_line_is_named() {
    let world = World::new(OLD);
    let (drafts, _) = all(&world.author(), DraftStyle::Plain, 42, &good());
    let path = world.dir.path().join("drafts.jsonl");
    for draft in &drafts {
        fiel_gold::append_draft(&path, draft).unwrap();
    }
    assert_eq!(fiel_gold::load_drafts(&path).unwrap(), drafts);
    fiel_gold::write_drafts(&path, &drafts[1..]).unwrap();
    assert_eq!(fiel_gold::load_drafts(&path).unwrap(), drafts[1..]);
    std::fs::write(&path, format!("\n{OLD}")).unwrap();
    let message = fiel_gold::load_drafts(&path).unwrap_err().to_string();
    assert!(message.contains("drafts.jsonl: line 2 is not a draft"), "{message}");
}
