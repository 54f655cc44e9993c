//! `fiel gold lint`, `import` and `new`: exit status, output and files.

use serde_json::Value;

use crate::world::World;

fn copied(world: &World) {
    let gold = world.path("gold/copied.jsonl");
    let line = r#"{"id": "run", "question": "Why is it that the past participle of eat is eaten?", "evidence": [{"doc": "eat", "quote": "The past participle of *eat* is *eaten*"}], "answers": ["eaten"]}"#;
    std::fs::write(gold, format!("{line}\n")).unwrap();
}

#[test]
fn lint_ends_with_status_1_only_with_strict_and_findings() {
    let world = World::new();
    let clean = world.stdout(&["gold", "lint", "--strict"]);
    assert!(clean.contains("5 questions, 1 of them unanswerable;"), "{clean}");
    assert!(clean.contains("0 errors, 0 warnings"), "{clean}");
    copied(&world);
    let text = world.stdout(&["gold", "lint", "copied"]);
    assert!(text.contains("copied.jsonl:1 run: warning G201: 7 words in a row"), "{text}");
    assert!(text.contains("    -> ask in the words of"), "{text}");
    world.fiel(&["gold", "lint", "copied", "--strict"]).assert().code(1);

    let json: Value =
        serde_json::from_str(&world.stdout(&["gold", "lint", "copied", "--json"])).unwrap();
    assert_eq!(json["schema"], "fiel.lint/1");
    assert_eq!(json["findings"][0]["code"], "G201");
    assert_eq!(json["findings"][0]["level"], "warning");
    assert_eq!(json["findings"][0]["figures"]["run"], 7.0);
}

#[test]
fn lint_names_a_missing_set_and_needs_no_model() {
    let world = World::new();
    let message = world.refusal(&["gold", "lint", "nothing"]);
    assert!(message.contains("nothing.jsonl: no such gold set. There are: small"));
    world.without_models(&["gold", "lint", "--strict"]).assert().success();
}

#[test]
fn import_writes_both_folders_and_refuses_to_overwrite() {
    let world = World::new();
    world.write(
        "beir/corpus.jsonl",
        "{\"_id\": \"d\", \"title\": \"T\", \"text\": \"Cats purr.\"}\n",
    );
    world.write(
        "beir/queries.jsonl",
        "{\"_id\": \"q\", \"text\": \"Who purrs?\"}\n{\"_id\": \"r\", \"text\": \"Who?\"}\n",
    );
    world.write("beir/qrels/test.tsv", "query-id\tcorpus-id\tscore\nq\td\t1\n");
    let args = ["gold", "import", "beir", "cats", "beir"];
    let output = world.fiel(&args).assert().success();
    let output = output.get_output();
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    assert!(text(&output.stdout).contains("questions: 2 read, 1 written, 1 left out"));
    assert!(text(&output.stderr).contains("queries.jsonl:2: question r left out: no document"));
    assert!(world.path("kb/cats/d.md").exists());
    let companion = std::fs::read_to_string(world.path("gold/cats.toml")).unwrap();
    assert_eq!(companion, "kb = \"cats\"\nlang = \"en\"\n");

    let message = world.refusal(&args);
    assert!(message.contains("it exists already; --force replaces it"), "{message}");
    let forced = [&args[..], &["--force", "--json"]].concat();
    let json: Value = serde_json::from_str(&world.stdout(&forced)).unwrap();
    assert_eq!(json["counts"]["questions"]["refused"], 1);
    assert_eq!(json["refused"][0]["line"], 2);

    // Judged documents have no answers: retrieval is measured, and nothing is read.
    let summary = world.stdout(&["eval", "--gold", "cats", "--json"]);
    let summary: Value = serde_json::from_str(&summary).unwrap();
    assert_eq!(summary["measures"]["retrieval"]["hit@1"]["mean"], 1.0);
    assert_eq!(summary["measures"]["e2e"], serde_json::json!({}));
}

#[test]
fn an_empty_import_writes_nothing() {
    let world = World::new();
    world.write("rows.csv", "question,doc_id,answer\nWho?,nobody,x\n");
    let message = world.refusal(&["gold", "import", "rows", "mine", "rows.csv", "--kb", "small"]);
    assert!(message.contains("no question could be used, so nothing was written"), "{message}");
    assert!(message.contains("`nobody` is not a document of small"), "{message}");
    assert!(!world.path("gold/mine.jsonl").exists());
}

#[test]
fn chunks_of_fiel_are_found_by_id() {
    let world = World::new();
    world.write("rows.csv", "question,chunk_id,answer\nWhich form follows have?,eat#2,eaten\n");
    world.stdout(&["gold", "import", "rows", "mine", "rows.csv", "--kb", "small"]);
    let gold = std::fs::read_to_string(world.path("gold/mine.jsonl")).unwrap();
    let gold: Value = serde_json::from_str(&gold).unwrap();
    assert_eq!(
        gold["evidence"][0]["quote"],
        "The past participle of *eat* is *eaten* (Spanish: *comido*)."
    );
}

/// Standard output and error of `fiel gold new` with this input.
fn new(world: &World, args: &[&str], typed: &str) -> (String, String) {
    let all = [&["gold", "new"], args].concat();
    let output = world.fiel(&all).write_stdin(typed).assert().success();
    let output = output.get_output();
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (text(&output.stdout), text(&output.stderr))
}

#[test]
fn a_question_is_written_checked_and_added() {
    let world = World::new();
    let before = std::fs::read_to_string(world.path("gold/small.jsonl")).unwrap();
    let typed = "Which letter goes before -ing?\nmake becomes making|making\n*make* becomes *making*\nstyle:docs kind:form\nq\n";
    let (out, err) = new(&world, &["small", "--doc", "make"], typed);
    assert!(err.contains("--- make ---\n# Spelling of -ing"), "{err}");
    assert!(err.contains("added 1 question to gold/small.jsonl, which has 6 now"), "{err}");
    let question: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(question["id"], "letter-goes-ing");
    assert_eq!(question["tags"][1], "kind:form");
    let after = std::fs::read_to_string(world.path("gold/small.jsonl")).unwrap();
    assert_eq!(after, before + &out);
}

#[test]
fn quitting_midway_or_declining_a_warning_writes_nothing() {
    let world = World::new();
    let run = "Why is it that the past participle of eat is eaten?\neaten\n\n\n";
    let partial = "Who?\n";
    for typed in ["", "q\n", partial, &format!("{partial}me\nq\n"), &format!("{run}n\nq\n"), run] {
        let (out, err) = new(&world, &["fresh", "--kb", "small", "--doc", "eat"], typed);
        assert_eq!(out, "", "{typed}");
        assert!(err.contains("added 0 questions to gold/fresh.jsonl, which has 0 now"), "{err}");
        assert!(!world.path("gold/fresh.jsonl").exists());
    }
    let (_, err) = new(&world, &["fresh", "--kb", "small", "--doc", "eat", "--seed", "3"], "\n\n");
    assert!(err.contains("Its past simple is *ate*") && err.contains("## Participle"), "{err}");
    let message = world.refusal(&["gold", "new", "fresh", "--kb", "small", "--doc", "no"]);
    assert!(message.contains("no document `no` in small"));
}

#[test]
fn a_quote_that_is_not_in_the_passage_must_be_entered_again() {
    let world = World::new();
    let typed = "How is it spelt?\nmaking\nnot there\n\nHow is it spelt?\nmaking\n\n\n";
    let (out, err) = new(&world, &["fresh", "--kb", "small", "--doc", "make"], typed);
    assert!(err.contains("error G003") && err.contains("enter it again"), "{err}");
    assert!(out.contains("A silent *e* is dropped: *make* becomes *making*."), "{out}");
    assert!(world.path("gold/fresh.jsonl").exists());
}
