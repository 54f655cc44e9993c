//! Bad input: one message on standard error, status 2, and no work done.

use crate::world::{GOLD, World, refusal};

/// The only message of a command that must fail before it does any work.
fn message(world: &World, args: &[&str]) -> String {
    let stderr = world.refusal(args);
    untouched(world, &stderr)
}

fn untouched(world: &World, stderr: &str) -> String {
    assert_eq!(stderr.matches("error:").count(), 1, "{stderr}");
    assert!(stderr.starts_with("error: "), "{stderr}");
    assert!(!stderr.contains("panicked"), "{stderr}");
    assert!(!world.path(".fiel").exists(), "work was done: {stderr}");
    stderr.to_owned()
}

fn assert_holds(message: &str, parts: &[&str]) {
    for part in parts {
        assert!(message.contains(part), "`{part}` in: {message}");
    }
}

#[test]
fn an_unknown_key_is_named_with_its_file_and_line() {
    for (text, key) in [
        ("kb = \"small\"\ncolour = 1\n", "colour"),
        ("[read]\nheat = 0.7\n", "heat"),
        ("[retrieve]\nmode = \"hybird\"\n", "hybird"),
    ] {
        let world = World::new();
        world.write("fiel.toml", text);
        assert_holds(&message(&world, &["eval"]), &["fiel.toml", key, "line 2"]);
    }
    let world = World::new();
    assert_holds(&message(&world, &["eval", "--config", "none.toml"]), &["none.toml"]);
}

#[test]
fn a_missing_embedder_is_named_with_what_was_tried_and_what_to_do() {
    for args in [&["eval", "--modes", "retrieval"][..], &["search", "eat"], &["index"]] {
        let world = World::new();
        let stderr = refusal(&mut world.without_models(args));
        let message = untouched(&world, &stderr);
        assert_holds(&message, &["all-MiniLM-L6-v2", "skipped: offline", "fiel models fetch"]);
    }
}

#[test]
fn a_missing_reader_is_named_before_anything_is_embedded() {
    for args in [&["eval"][..], &["ask", "past of eat?"]] {
        let world = World::new();
        let models = crate::commands::embedder_folder();
        let mut command = world.without_models(args);
        command.env("FIEL_MODELS", models);
        command.args(["--reader", "qwen2.5-coder-1.5b-instruct-q4_k_m"]);
        let stderr = refusal(&mut command);
        assert_holds(&untouched(&world, &stderr), &["qwen2.5-coder-1.5b-instruct-q4_k_m"]);
    }
}

#[test]
fn invalid_readers_are_refused() {
    let world = World::new();
    let reader = |name: &str| message(&world, &["eval", "--reader", name]);
    assert_holds(&reader("no-such-model"), &["no-such-model", "all-MiniLM-L6-v2"]);
    assert_holds(&reader("all-MiniLM-L6-v2"), &["read.model", "embedding"]);
    assert_holds(&reader("no/such.gguf"), &["no/such.gguf"]);
    world.write("notes.gguf", "not a model");
    assert_holds(&reader("notes.gguf"), &["notes.gguf", "not a GGUF file"]);
}

#[test]
fn an_empty_knowledge_base_is_refused() {
    let world = World::new();
    world.write("kb/empty/a.md", " \n");
    world.write("kb/empty/picture.png", "");
    for command in ["index", "eval"] {
        let message = message(&world, &[command, "--kb", "empty"]);
        assert_holds(&message, &["kb/empty", "the knowledge base is empty"]);
    }
    let message = message(&world, &["eval", "--kb", "none"]);
    assert_holds(&message, &["kb/none: no such knowledge base"]);
}

#[test]
fn every_faulty_quote_is_listed() {
    let world = World::new();
    let question = |id: &str, doc: &str, quote: &str| {
        format!(
            "{{\"id\": \"{id}\", \"question\": \"Q?\", \"answers\": [\"x\"], \
             \"evidence\": [{{\"doc\": \"{doc}\", \"quote\": \"{quote}\"}}]}}\n"
        )
    };
    let faulty = [
        question("missing", "eat", "eat becomes eated"),
        question("twice", "eat", "*eat*"),
        question("nowhere", "swim", "swum"),
    ];
    world.write("kb/small/eat.md", "*eat*, *eat*\n");
    world.write("kb/small/drink.md", "Its past simple is *drank*\n");
    let good = question("good", "drink", "Its past simple is *drank*");
    world.write("gold/small.jsonl", &format!("{good}{}", faulty.concat()));
    let message = message(&world, &["eval"]);
    assert_holds(
        &message,
        &[
            "gold/small.jsonl: 3 faults",
            "line 2, missing: eat: the quote does not occur",
            "line 3, twice: eat: the quote occurs 2 times",
            "line 4, nowhere: there is no document `swim`",
        ],
    );
    assert!(!message.contains("good"), "{message}");
}

#[test]
fn missing_and_invalid_gold_sets_are_refused() {
    let world = World::new();
    let missing = message(&world, &["eval", "--gold", "nuons"]);
    assert_holds(&missing, &["gold/nuons.jsonl: no such gold set", "There are: small"]);
    world.write("gold/small.toml", "[targets]\n\"hits@5\" = 0.8\n");
    assert_holds(&message(&world, &["eval"]), &["gold/small.toml", "hits@5"]);
    world.write("gold/small.toml", "");
    world.write("gold/small.jsonl", "{\"id\": 1}\nnot json\n");
    assert_holds(&message(&world, &["eval"]), &["line 1", "line 2"]);
}

#[test]
fn an_unknown_question_or_tag_is_refused_with_the_known_tags() {
    let world = World::new();
    let message = message(&world, &["eval", "--only", "style:nonsense"]);
    assert_holds(&message, &["only style:nonsense", "style:colloquial, style:docs"]);
    // A tag that only the other split has.
    let world = World::new();
    let dev = crate::refusals::message(&world, &["eval", "--only", "spelling"]);
    assert_holds(&dev, &["--split"]);
}

#[test]
fn values_out_of_range_are_refused() {
    let world = World::new();
    for (args, parts) in [
        (&["search", "eat", "-k", "0"][..], &["retrieve.top_k is 0"][..]),
        (&["eval", "--context-k", "0"], &["read.context_k is 0"]),
        (&["eval", "--context-k", "11"], &["read.context_k is 11", "retrieve.top_k"]),
        (&["index", "--threads", "0"], &["--threads"]),
    ] {
        assert_holds(&message(&world, args), parts);
    }
    world.write("fiel.toml", "kb = \"small\"\n[chunk]\nsize = 16\noverlap = 16\n");
    assert_holds(&message(&world, &["index"]), &["chunk.overlap is 16"]);
    // Clap refuses the rest.
    for args in [
        &["eval", "--limit", "0"][..],
        &["eval", "--modes", "oracel"],
        &["eval", "--split", "train"],
        &["serach", "eat"],
        &[],
    ] {
        assert!(!world.refusal(args).is_empty());
    }
}

#[test]
fn an_empty_question_is_refused() {
    let world = World::new();
    assert_holds(&message(&world, &["ask", " "]), &["the question is empty"]);
    assert_holds(&message(&world, &["search", ""]), &["the question is empty"]);
}

#[test]
fn a_damaged_cache_is_built_again() {
    let world = World::new();
    world.stdout(&["index"]);
    let cache = std::fs::read_dir(world.path(".fiel/embeddings")).unwrap();
    for entry in cache {
        std::fs::write(entry.unwrap().path(), "damaged").unwrap();
    }
    let built = world.stdout(&["index"]);
    assert!(built.contains("and 0 from the cache"), "{built}");
    assert!(!world.stdout(&["index"]).contains("and 0 from the cache"));
}

#[test]
fn a_repeated_id_is_named_with_its_line() {
    let world = World::new();
    world.write(
        "gold/small.jsonl",
        &GOLD.replace("\"drank\", \"question\"", "\"participle\", \"question\""),
    );
    assert_holds(&message(&world, &["eval"]), &["line 2, participle: the id occurs twice"]);
}
