//! Files and `--json` outputs match the schemas of `fiel schema`.

use serde_json::{Value, json};

use crate::world::World;

/// Collects the places where a value violates a schema, for the keywords that our schemas use.
fn faults(value: &Value, schema: &Value, root: &Value, at: &str, out: &mut Vec<String>) {
    if let Some(place) = schema["$ref"].as_str() {
        let target = root.pointer(place.trim_start_matches('#'));
        faults(value, target.unwrap_or(&json!(false)), root, at, out);
    }
    if *schema == json!(false) {
        out.push(format!("{at}: nothing may be here"));
    }
    let is = |name: &str| match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        "integer" => value.is_i64() || value.is_u64(),
        _ => value.is_number(),
    };
    let fits = match &schema["type"] {
        Value::String(name) => is(name),
        Value::Array(names) => names.iter().filter_map(Value::as_str).any(is),
        _ => true,
    };
    if !fits {
        out.push(format!("{at}: {value} is no {}", schema["type"]));
    }
    let one_of = schema["enum"].as_array();
    if one_of.is_some_and(|values| !values.contains(value)) {
        out.push(format!("{at}: {value} is none of {}", schema["enum"]));
    }
    if !schema["const"].is_null() && schema["const"] != *value {
        out.push(format!("{at}: {value} is not {}", schema["const"]));
    }
    for name in ["anyOf", "oneOf"] {
        let fits = |other: &Value| {
            let mut inner = Vec::new();
            faults(value, other, root, at, &mut inner);
            inner.is_empty()
        };
        if let Some(others) = schema[name].as_array()
            && !others.iter().any(fits)
        {
            out.push(format!("{at}: {value} fits none of {name}"));
        }
    }
    if let Some(fields) = value.as_object() {
        for name in schema["required"].as_array().into_iter().flatten() {
            if !fields.contains_key(name.as_str().unwrap()) {
                out.push(format!("{at}: {name} is missing"));
            }
        }
        for (name, field) in fields {
            // An unknown field is a fault if the schema lists its fields.
            let unknown = json!(!schema["properties"].is_object());
            let listed = schema["properties"].get(name);
            let schema = listed.or(schema.get("additionalProperties")).unwrap_or(&unknown);
            faults(field, schema, root, &format!("{at}.{name}"), out);
        }
    }
    for item in value.as_array().into_iter().flatten() {
        faults(item, &schema["items"], root, &format!("{at}[]"), out);
    }
}

fn assert_fits(world: &World, name: &str, text: &str) -> (Value, Value) {
    let schema: Value = serde_json::from_str(&world.stdout(&["schema", name])).unwrap();
    let value: Value = serde_json::from_str(text).unwrap();
    let mut found = Vec::new();
    faults(&value, &schema, &schema, name, &mut found);
    assert_eq!(found, [""; 0], "{text}");
    (value, schema)
}

#[test]
fn outputs_match_their_schemas() {
    let world = World::new();
    world.write("gold/small.toml", "[targets]\n\"retrieval.hit@5\" = 0.0\n");
    let summary = world.stdout(&["eval", "--split", "all", "--json", "--quiet"]);
    assert_fits(&world, "summary", &summary);
    let run = world.runs().pop().unwrap();
    for (name, file) in [("record", "records.jsonl"), ("timing", "timings.jsonl")] {
        let text = std::fs::read_to_string(run.path.join(file)).unwrap();
        for line in text.lines() {
            assert_fits(&world, name, line);
        }
    }
    let args = ["--split", "all", "--mode", "bm25", "--quiet"];
    world.stdout(&[&["eval"], &args[..]].concat());
    world.write("gold/other.jsonl", "{}");
    let commands: [(&str, &[&str]); 15] = [
        ("comparison", &["compare", &run.id, "last"]),
        ("diagnosis", &["diagnose", "--quiet"]),
        ("runs", &["runs"]),
        ("ablation", &["ablate", "--quiet", "--arm", "bm25", "--arm", "hybrid"]),
        ("gate", &["gate"]),
        ("bless", &["bless"]),
        ("export", &["export", "last", "--csv", "out.csv"]),
        ("report", &["report", "last"]),
        ("ask", &["ask", "past of eat?"]),
        ("search", &["search", "past of eat"]),
        ("explain", &["explain", "past of eat"]),
        ("index", &["index"]),
        ("lint", &["gold", "lint", "other"]),
        ("models", &["models", "list"]),
        ("doctor", &["doctor"]),
    ];
    for (name, args) in commands {
        let text = world.stdout(&[args, &["--json"]].concat());
        assert_fits(&world, name, &text);
    }
}

#[test]
fn a_mismatch_is_detected() {
    let world = World::new();
    world.stdout(&["eval", "--quiet"]);
    let run = world.runs().pop().unwrap();
    let text = std::fs::read_to_string(run.path.join("records.jsonl")).unwrap();
    let (record, schema) = assert_fits(&world, "record", text.lines().next().unwrap());
    for (place, bad) in [
        ("/retrieval/measures/hit@5", json!("many")),
        ("/retrieval/hits/0/rank", json!(1.5)),
        ("/unanswerable", json!(null)),
        ("/class", json!("bad luck")),
        ("/e2e/claims", json!({})),
    ] {
        let mut record = record.clone();
        match record.pointer_mut(place) {
            Some(value) => *value = bad,
            None => record["class"] = bad,
        }
        let mut found = Vec::new();
        faults(&record, &schema, &schema, "record", &mut found);
        assert!(!found.is_empty(), "{place}");
    }
    let mut record = record;
    record.as_object_mut().unwrap().remove("retrieval");
    let mut found = Vec::new();
    faults(&record, &schema, &schema, "record", &mut found);
    assert_eq!(found, ["record: \"retrieval\" is missing"]);
}
