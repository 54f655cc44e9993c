//! The HTML page of `fiel eval`, `ablate` and `report`.

use serde_json::Value;

use crate::world::World;

fn page(world: &World, path: &str) -> (String, Value) {
    let html = std::fs::read_to_string(world.path(path.trim())).unwrap();
    let (_, rest) = html.split_once("id=\"data\">").unwrap();
    let (json, _) = rest.split_once("</script>").unwrap();
    let data = serde_json::from_str(json).unwrap();
    (html, data)
}

fn path(screen: &str) -> &str {
    screen.lines().last().unwrap()
}

#[test]
fn every_evaluation_ends_with_a_page() {
    let world = World::new();
    let screen = world.stdout(&["eval", "--quiet"]);
    let (_, data) = page(&world, path(&screen));
    assert!(path(&screen).ends_with("report.html"));
    assert_eq!(data["runs"].as_array().unwrap().len(), 1);
    assert_eq!(data["questions"].as_array().unwrap().len(), 4);
    // Passages have their texts, and evidence is marked in them.
    let texts = data["chunks"].as_array().unwrap();
    assert!(texts.iter().all(|chunk| chunk[1].is_number()));
    assert!(data["questions"][0]["marks"].as_object().unwrap().len() == 1);
    assert!(data["runs"][0]["comparison"].is_null());

    // With a baseline the next run is compared with it.
    world.stdout(&["bless"]);
    let screen = world.stdout(&["eval", "--quiet", "--mode", "bm25", "--context-k", "1"]);
    let (_, data) = page(&world, path(&screen));
    let first = &world.runs()[0].id;
    assert_eq!(data["runs"][0]["comparison"]["run"], first.as_str());
    assert_eq!(data["runs"][0]["comparison"]["questions"], 4);
    assert_eq!(data["runs"][0]["gate"]["baseline"], first.as_str());
}

#[test]
fn several_runs_are_reported_in_both_languages() {
    let world = World::new();
    world.stdout(&["eval", "--quiet"]);
    world.stdout(&["eval", "--quiet", "--mode", "bm25"]);
    let runs: Vec<String> = world.runs().into_iter().map(|run| run.id).collect();
    let args = ["report", &runs[0], &runs[1], "--lang", "es", "-o", "out/two.html"];
    assert_eq!(world.stdout(&args), "out/two.html\n");
    let (html, data) = page(&world, "out/two.html");
    assert!(html.contains("<html lang=\"es\">"));
    assert_eq!(data["runs"].as_array().unwrap().len(), 2);
    assert_eq!(data["runs"][1]["comparison"]["run"], runs[0].as_str());
    assert_eq!(data["shown"], 1);
    // The same runs, the same page.
    world.stdout(&["report", &runs[0], &runs[1], "--lang", "es", "-o", "again.html"]);
    assert_eq!(page(&world, "again.html").0, html);

    world.write("kb/small/eat.md", "# Eat\n\nAnother text.\n");
    let screen = world.stdout(&["report", "last", "--quiet"]);
    let (_, data) = page(&world, path(&screen));
    let note = data["notes"][0].as_str().unwrap();
    assert!(note.contains("was changed since the run"), "{note}");
    assert!(world.refusal(&["report"]).contains("<RUN>"));
    assert!(world.refusal(&["report", "last", "--lang", "fr"]).contains("expected `en` or `es`"));
}

#[test]
fn an_ablation_has_a_page_of_its_arms() {
    let world = World::new();
    let screen = world.stdout(&["ablate", "--quiet", "--arm", "bm25", "--arm", "hybrid"]);
    let (_, data) = page(&world, path(&screen));
    assert!(path(&screen).ends_with("ablation.html"));
    let labels = ["bm25", "hybrid"].map(Value::from);
    assert_eq!(data["runs"][0]["label"], labels[0]);
    assert_eq!(data["runs"][1]["label"], labels[1]);
    assert!(data["runs"][1]["comparison"].is_object());
}
