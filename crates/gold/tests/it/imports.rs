//! Imports of small sources and, if `FIEL_DATA` is set, of public collections.

use std::path::{Path, PathBuf};

use fiel_corpus::KnowledgeBase;
use fiel_gold::{
    ChunkPlaces, Destination, Gold, Imported, Rows, Split, import_beir, import_clapnq,
    import_squad, import_trec, write_import,
};
use fiel_metrics::contains;
use fiel_record::ImportCounts;
use fiel_text::Lang;
use tempfile::TempDir;

struct World {
    dir: TempDir,
}

impl World {
    fn new(files: &[(&str, &str)]) -> Self {
        let world = Self { dir: tempfile::tempdir().unwrap() };
        for (name, text) in files {
            let path = world.path(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        world
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    fn to(&self, force: bool) -> Destination {
        Destination {
            gold: self.path("gold/new.jsonl"),
            kb: self.path("kb/new"),
            lang: "en".into(),
            force,
        }
    }

    /// Writes an import, reads it back and resolves it.
    fn written(&self, imported: &Imported) -> Gold {
        write_import(imported, &self.to(false)).unwrap();
        let gold = Gold::load(&self.path("gold/new.jsonl")).unwrap();
        let kb = KnowledgeBase::load(&self.path("kb/new")).unwrap();
        gold.resolve(&kb).unwrap().gold
    }

    fn rows(&self, name: &str, text: &str, chunks: &ChunkPlaces) -> Imported {
        std::fs::write(self.path(name), text).unwrap();
        let kb = KnowledgeBase::load(&self.path("kb/small")).unwrap();
        let rows = Rows::read(&self.path(name)).unwrap();
        rows.import(&kb, chunks, Lang::En)
    }
}

fn counts(imported: &Imported, kind: &str) -> [usize; 4] {
    let ImportCounts { read, written, merged, refused } = imported.result.counts[kind];
    assert_eq!(read, written + merged + refused, "{kind}");
    [read, written, merged, refused]
}

fn reasons(imported: &Imported) -> Vec<(usize, &str, &str)> {
    let refused = imported.result.refused.iter();
    refused.map(|r| (r.line, r.what.as_str(), r.reason.as_str())).collect()
}

const CORPUS: &str = r#"{"_id": "a/1", "title": "Cats", "text": "Cats purr."}
{"_id": "b", "title": "Only a title", "text": ""}
{"_id": "c", "title": "", "text": " "}
{"_id": "b", "title": "", "text": "again"}
broken
"#;
const QUERIES: &str = r#"{"_id": "q1", "text": "Who purrs?", "metadata": {}}
{"_id": 2, "text": "What is only a title?"}
{"_id": "q3", "text": "Unjudged?"}
{"_id": "q4", "text": "Nothing relevant?"}
"#;
const QRELS: &str = "query-id\tcorpus-id\tscore\nq1\ta/1\t2\nq1\tb\t0\nq1\ta/1\t1\nq1\tz\t1\nq9\tb\t1\n\
    q4\tb\t0\nq1\tb\n";

#[test]
fn a_beir_folder_keeps_its_grades_and_refuses_faulty_entries() {
    let world = World::new(&[
        ("beir/corpus.jsonl", CORPUS),
        ("beir/queries.jsonl", QUERIES),
        ("beir/qrels/test.tsv", QRELS),
        ("beir/qrels/train.tsv", "query-id\tcorpus-id\tscore\n2\tb\t1\n"),
    ]);
    let imported = import_beir(&world.path("beir"), Lang::En).unwrap();
    assert_eq!(counts(&imported, "documents"), [5, 2, 0, 3]);
    assert_eq!(counts(&imported, "questions"), [4, 2, 0, 2]);
    assert_eq!(counts(&imported, "judgements"), [8, 3, 0, 5]);
    let reasons = reasons(&imported);
    for expected in [
        (3, "document c", "it has no text"),
        (4, "document b", "the id occurs twice"),
        (4, "judgement q1 a/1", "this pair is judged before"),
        (5, "judgement q1 z", "there is no such document"),
        (6, "judgement q9 b", "there is no such query"),
        (3, "question q3", "no document is judged for it"),
        (4, "question q4", "none of the 1 documents judged for it is relevant"),
    ] {
        assert!(reasons.contains(&expected), "{expected:?} in {reasons:#?}");
    }
    assert!(reasons.iter().any(|r| r.0 == 5 && r.2.starts_with("not a JSON object")));
    assert!(reasons.iter().any(|r| r.0 == 8 && r.2.starts_with("2 columns")));
    assert_eq!(imported.result.renamed["a/1"], "a-1");

    let gold = world.written(&imported);
    let (first, second) = (&gold.questions[0].1, &gold.questions[1].1);
    assert_eq!((first.split, second.split), (Split::Test, Split::Dev));
    assert_eq!(first.evidence[0].grade, Some(2));
    assert_eq!((first.evidence[1].grade, second.evidence[0].grade), (Some(0), None));
    let kb = KnowledgeBase::load(&world.path("kb/new")).unwrap();
    assert_eq!(kb.document("a-1").unwrap().title, "Cats");
    assert_eq!(kb.document("b").unwrap().title, "Only a title");
    assert_eq!(kb.info.lang.to_string(), "en");

    let refused = write_import(&imported, &world.to(false)).unwrap_err().to_string();
    assert!(refused.contains("--force replaces it"), "{refused}");
    std::fs::write(world.path("kb/new/stale.md"), "Old.").unwrap();
    write_import(&imported, &world.to(true)).unwrap();
    assert!(!world.path("kb/new/stale.md").exists());
}

const SQUAD: &str = r#"{"version": "v2.0", "data": [
 {"title": "Tea_time", "paragraphs": [
  {"context": "Café is open. Tea is drunk at five. Tea is hot.", "qas": [
   {"id": "s1", "question": "When is tea drunk?", "is_impossible": false,
    "answers": [{"text": "five", "answer_start": 30}, {"text": "at five", "answer_start": 27}]},
   {"id": "s2", "question": "Moved?", "answers": [{"text": "hot", "answer_start": 0}]},
   {"id": "s3", "question": "Lost?", "answers": [{"text": "cold", "answer_start": 3}]},
   {"id": "s4", "question": "Impossible?", "is_impossible": true, "answers": [],
    "plausible_answers": [{"text": "five", "answer_start": 30}]},
   {"id": "s1", "question": "Twice?", "answers": []},
   {"id": "s5", "question": "Empty?", "answers": []}
  ]}
 ]}
]}
"#;

#[test]
fn squad_paragraphs_become_documents_and_answers_sentences() {
    let world = World::new(&[("squad.json", SQUAD)]);
    let imported = import_squad(&world.path("squad.json"), Lang::En).unwrap();
    assert_eq!(counts(&imported, "documents"), [1, 1, 0, 0]);
    assert_eq!(counts(&imported, "questions"), [6, 3, 0, 3]);
    assert_eq!(
        reasons(&imported),
        [
            (7, "question s3", "\"cold\" is not in its paragraph"),
            (4, "question s1", "the id occurs twice"),
            (11, "question s5", "it has no answer and is not marked as impossible"),
        ]
    );
    let gold = world.written(&imported);
    let first = &gold.questions[0].1;
    assert_eq!(first.answers, ["five", "at five"]);
    assert_eq!(first.evidence.len(), 1);
    assert_eq!(first.evidence[0].doc, "tea-time-001");
    assert_eq!(first.evidence[0].quote.as_deref(), Some("Tea is drunk at five."));
    let moved = &gold.questions[1].1;
    assert_eq!(moved.evidence[0].quote.as_deref(), Some("Tea is hot."));
    assert!(gold.questions[2].1.unanswerable);
    assert!(imported.result.notes[0].starts_with("1 question marked as impossible"));

    let bad = World::new(&[("squad.json", "{\"data\": 1}")]);
    let error = import_squad(&bad.path("squad.json"), Lang::En).unwrap_err();
    assert!(error.to_string().contains("expected the JSON of SQuAD"));
}

const EAT: &str = "# Eat\n\nThe past of *eat* is *ate*.\n\n## Participle\n\nThe participle is *eaten*. It is irregular.\n";

fn small() -> World {
    World::new(&[
        ("kb/small/eat.md", EAT),
        ("kb/small/drink.md", "# Drink\n\nThe past of *drink* is *drank*. *Drank* it is.\n"),
    ])
}

#[test]
fn trec_topics_are_judged_by_document() {
    let world = small();
    let topics = "<top>\n<num> Number: 1\n<title> eating\n</top>\n<top>\n<num> Number: 2\n<title> x\n</top>\n";
    std::fs::write(world.path("topics"), topics).unwrap();
    std::fs::write(world.path("qrels"), "1 0 eat 1\n1 0 drink -1\n1 0 gone 1\n2 0 eat x\n")
        .unwrap();
    let kb = KnowledgeBase::load(&world.path("kb/small")).unwrap();
    let imported = import_trec(&world.path("topics"), &world.path("qrels"), &kb, Lang::En).unwrap();
    assert_eq!(counts(&imported, "questions"), [2, 1, 0, 1]);
    assert_eq!(counts(&imported, "judgements"), [4, 2, 0, 2]);
    assert_eq!(imported.questions[0].evidence[1].grade, Some(-1));
    assert_eq!(
        reasons(&imported)[..2],
        [
            (4, "judgement 2 eat", "the grade `x` is not a whole number"),
            (3, "judgement 1 gone", "there is no such document"),
        ]
    );
}

#[test]
fn ids_of_any_file_name_and_lists_of_python_are_found() {
    let world = small();
    std::fs::write(world.path("kb/small/go, gone.md"), "# Go\n\nThe past of go is went.\n")
        .unwrap();
    let kb = KnowledgeBase::load(&world.path("kb/small")).unwrap();
    let chunk = "{\"id\": \"go, gone#1\", \"text\": \"The past of go is went.\"}";
    std::fs::write(world.path("chunks.jsonl"), chunk).unwrap();
    let chunks = ChunkPlaces::read(&world.path("chunks.jsonl"), &kb).unwrap();
    let csv = "q;relevant_ids;expected_answer\n\
        Past of go?;\"['go, gone#1']\";went\n\
        The same?;go, gone#1;went\n\
        Which verbs?;eat, go, gone;\n\
        Which file?;\"go, gone\";\n";
    let imported = world.rows("ids.csv", csv, &chunks);
    assert_eq!(counts(&imported, "questions"), [4, 3, 0, 1]);
    let docs = |at: usize| -> Vec<&str> {
        imported.questions[at].evidence.iter().map(|e| e.doc.as_str()).collect()
    };
    assert_eq!([docs(0), docs(1), docs(2)], [["go_ gone"]; 3]);
    assert_eq!(imported.questions[0].evidence[0].quote.as_deref(), Some("The past of go is went."));
}

#[test]
fn triples_become_questions_with_the_sentence_of_the_answer() {
    let world = small();
    let kb = KnowledgeBase::load(&world.path("kb/small")).unwrap();
    let chunk = "{\"id\": \"c7\", \"text\": \"The participle is *eaten*. It is irregular.\"}\n\
                 {\"id\": \"c8\", \"text\": \"Nowhere.\"}";
    std::fs::write(world.path("chunks.jsonl"), chunk).unwrap();
    let chunks = ChunkPlaces::read(&world.path("chunks.jsonl"), &kb).unwrap();
    let csv = "query,chunk_id,answer,colour\n\
        What is the participle of eat?,c7,eaten,red\n\
        What is the past of eat?,eat.md,ate,\n\
        \"What is the past, of drink?\",drink,drank,\n\
        Which verbs are irregular?,c7,eat,\n\
        Which verbs are irregular?,drink,drink,\n\
        Lost?,c8,x,\n\
        Unknown?,c9,x,\n\
        ,c7,x,\n\
        Unanswered?,c7,,\n";
    let imported = world.rows("t.csv", csv, &chunks);
    assert_eq!(counts(&imported, "questions"), [9, 5, 1, 3]);
    let questions = &imported.questions;
    let quote = |at: usize| questions[at].evidence[0].quote.as_deref();
    assert_eq!(quote(0), Some("The participle is *eaten*."));
    assert_eq!(quote(1), Some("The past of *eat* is *ate*."));
    // The answer occurs twice, but only once with this letter case.
    assert_eq!(quote(2), Some("The past of *drink* is *drank*."));
    assert_eq!(questions[3].answers, ["eat", "drink"]);
    assert_eq!(questions[3].evidence.len(), 2);
    assert_eq!(imported.result.notes, ["ignored columns: colour"]);
    let reasons = reasons(&imported);
    for (line, part) in [
        (7, "the chunk `c8`: its text occurs in no document"),
        (8, "`c9` is not a document of small and not a known chunk"),
        (9, "no question"),
    ] {
        assert!(
            reasons.iter().any(|r| r.0 == line && r.2.contains(part)),
            "{part} in {reasons:#?}"
        );
    }
}

#[test]
fn relevant_ids_and_relevant_docs_are_read_liberally() {
    let world = small();
    let none = ChunkPlaces::default();
    let json = r#"{"questions": [
        {"id": "a", "question": "Past?", "relevantDocs": ["eat"], "answerContains": ["ate"]},
        {"id": "b", "Question": "Both?", "relevant_ids": ["eat", {"id": "drink", "grade": 2}]},
        {"id": "c", "question": "Graded?", "relevant_ids": {"eat": 1, "drink": 0}},
        {"id": "d", "question": "Nobody knows?", "unanswerable": true, "tags": "style:docs"},
        {"id": "a", "question": "Other words?", "relevantDocs": ["eat"], "answer": "ate"}
    ]}"#;
    let imported = world.rows("r.json", json, &none);
    assert_eq!(counts(&imported, "questions"), [5, 4, 0, 1]);
    let [a, b, c, d] = &imported.questions[..] else { panic!("{imported:#?}") };
    assert_eq!((&a.answers[0][..], &a.answer_contains[0][..]), ("ate", "ate"));
    assert_eq!(a.evidence[0].quote.as_deref(), Some("The past of *eat* is *ate*."));
    assert!(b.is_judged() && b.evidence[1].grade == Some(2));
    assert!(c.is_judged() && c.evidence.iter().any(|e| e.grade == Some(0)));
    assert!(d.unanswerable && d.tags == ["style:docs"]);
    assert_eq!(reasons(&imported)[0].0, 6);
}

/// A file or folder of `FIEL_DATA`. Prints a line if it does not exist, so that the test is skipped.
fn data(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("FIEL_DATA").map(|dir| Path::new(&dir).join(name));
    let path = path.filter(|path| path.exists());
    if path.is_none() {
        eprintln!("skipped: FIEL_DATA has no {name}");
    }
    path
}

#[test]
fn public_collections_are_complete() {
    for (name, lang, documents, questions, judgements) in [
        ("adi", Lang::En, 82, 35, 170),
        ("scifact", Lang::En, 5183, 1109, 1258),
        ("squad_es", Lang::Es, 1996, 6583, 6583),
    ] {
        let Some(path) = data(name) else { continue };
        let imported = import_beir(&path, lang).unwrap();
        assert_eq!(counts(&imported, "documents"), [documents, documents, 0, 0]);
        assert_eq!(counts(&imported, "questions"), [questions, questions, 0, 0]);
        assert_eq!(counts(&imported, "judgements"), [judgements, judgements, 0, 0]);
        let gold = World::new(&[]).written(&imported);
        let test = gold.questions.iter().filter(|(_, q)| q.split == Split::Test);
        assert!(name != "scifact" || test.count() == 300);
    }
}

#[test]
fn xquad_is_complete_and_every_sentence_contains_its_answer() {
    let Some(path) = data("xquad/xquad.en.json") else {
        return;
    };
    let imported = import_squad(&path, Lang::En).unwrap();
    assert_eq!(counts(&imported, "documents"), [240, 240, 0, 0]);
    assert_eq!(counts(&imported, "questions"), [1190, 1190, 0, 0]);
    for question in &imported.questions {
        let quote = question.evidence[0].quote.as_deref().unwrap();
        let answer = &question.answers[0];
        assert!(
            quote.contains(answer) || contains(quote, &[answer], Lang::En) == 1.0,
            "{question:#?}"
        );
    }
    World::new(&[]).written(&imported);
}

#[test]
fn a_sample_is_taken_in_the_order_of_the_digests() {
    let paragraph = |n: usize| {
        format!(
            r#"{{"context":"Tea number {n} keeps for {n} years.","qas":[{{"id":"q{n}",
            "question":"How long does tea {n} keep?","answers":[{{"text":"{n} years","answer_start":0}}]}}]}}"#
        )
    };
    let paragraphs: Vec<String> = (1..9).map(paragraph).collect();
    let squad =
        format!(r#"{{"data":[{{"title":"Tea","paragraphs":[{}]}}]}}"#, paragraphs.join(","));
    let world = World::new(&[("s.json", &squad)]);
    let mut imported = import_squad(&world.path("s.json"), Lang::En).unwrap();
    imported.sample(2, 3);
    let part = |split| -> Vec<&str> {
        let questions = imported.questions.iter().filter(|q| q.split == split);
        questions.map(|q| q.id.as_str()).collect()
    };
    assert_eq!(part(Split::Dev).len(), 2);
    assert_eq!(part(Split::Test).len(), 3);
    let mut order: Vec<(String, String)> = (1..9)
        .map(|n| format!("q{n}"))
        .map(|id| (fiel_store::sha256_hex(id.as_bytes()), id))
        .collect();
    order.sort();
    let mut first: Vec<&str> = order[..2].iter().map(|(_, id)| id.as_str()).collect();
    first.sort_unstable();
    assert_eq!(part(Split::Dev), first);
    assert_eq!(counts(&imported, "documents"), [8, 8, 0, 0]);
    assert!(imported.result.notes.iter().any(|note| note.contains("3 left out")));
}

#[test]
fn questions_of_clapnq_bring_their_passages_with_them() {
    let rows = concat!(
        r#"{"id":"1","input":"how long does tea keep","passages":[{"title":"Tea","text":"Tea keeps for a year ."}],"output":[{"answer":"Tea keeps for a year."}]}"#,
        "\n",
        r#"{"id":"2","input":"who drinks it","passages":[{"title":"Tea","text":"Tea is a drink ."}],"output":[{"answer":""}]}"#,
        "\n",
        r#"{"id":"2","input":"twice","passages":[{"title":"","text":"x"}]}"#,
        "\n",
        r#"{"id":"3","input":"empty","passages":[]}"#,
        "\nno json\n",
    );
    let world = World::new(&[("c.jsonl", rows)]);
    let imported = import_clapnq(&[world.path("c.jsonl")], Lang::En).unwrap();
    assert_eq!(counts(&imported, "questions"), [5, 2, 0, 3]);
    let gold = world.written(&imported);
    let [(_, answerable), (_, not)] = &gold.questions[..] else {
        panic!("{:?}", gold.questions);
    };
    assert!(!answerable.unanswerable && not.unanswerable);
    assert_eq!(answerable.context, ["1-1"]);
    assert_eq!(answerable.evidence[0].doc, "1-1");
    let kb = KnowledgeBase::load(&world.path("kb/new")).unwrap();
    std::fs::remove_file(world.path("kb/new/2-1.md")).unwrap();
    let without = KnowledgeBase::load(&world.path("kb/new")).unwrap();
    assert!(gold.clone().resolve(&kb).is_ok());
    let error = gold.resolve(&without).unwrap_err().to_string();
    assert!(error.contains("context: there is no document `2-1`"), "{error}");
}

#[test]
fn clapnq_is_complete() {
    let (Some(yes), Some(no)) =
        (data("clapnq/answerable.jsonl"), data("clapnq/unanswerable.jsonl"))
    else {
        return;
    };
    let imported = import_clapnq(&[yes, no], Lang::En).unwrap();
    assert_eq!(counts(&imported, "questions"), [300, 300, 0, 0]);
    let unanswerable = imported.questions.iter().filter(|q| q.unanswerable);
    assert_eq!(unanswerable.count(), 150);
    World::new(&[]).written(&imported);
}
