//! The HTML page of runs: its content, its size, and that text cannot become markup.

use std::{fs, path::Path};

use fiel_report::{PageLang, html_page};
use serde_json::Value as Json;

use crate::synthetic::{Size, diagnosis, page};

/// The JSON of a page.
fn data(html: &str) -> Json {
    let (_, rest) =
        html.split_once("<script type=\"application/json\" id=\"data\">").expect("a block of data");
    let (json, _) = rest.split_once("</script>").expect("its end");
    serde_json::from_str(json).expect("JSON that parses")
}

#[test]
fn markup_in_a_question_stays_text() {
    let mut input = page(&Size::small());
    let evil = "</script><script>alert(1)</script><img src=x onerror=alert(2)> {{data}} &amp;";
    for run in &mut input.runs {
        let record = &mut run.records.to_mut()[0];
        record.question = evil.to_owned();
        record.references = vec![evil.to_owned()];
    }
    input.title = Some(evil.to_owned());
    let html = html_page(&input, PageLang::En);
    assert!(!html.contains("<script>alert") && !html.contains("<img"));
    assert_eq!(html.matches("</script>").count(), 2);
    let data = data(&html);
    assert_eq!(data["questions"][0]["q"], evil);
    assert_eq!(data["title"], evil);
}

#[test]
fn the_page_loads_nothing_and_parses_no_markup() {
    let html = html_page(&page(&Size::small()), PageLang::Es);
    assert!(html.starts_with("<!DOCTYPE html>\n<html lang=\"es\">"));
    assert!(html.contains("default-src 'none'") && html.contains("require-trusted-types-for"));
    for forbidden in ["innerHTML", "insertAdjacent", "document.write", "fetch(", "import(", "src="]
    {
        assert!(!html.contains(forbidden), "{forbidden}");
    }
    let addresses: Vec<&str> =
        html.match_indices("http").map(|(at, _)| &html[at..at + 26]).collect();
    let namespace = |address: &&str| {
        address.starts_with("http://www.w3.org/2000/svg") || address.starts_with("http-equiv")
    };
    assert!(addresses.iter().all(namespace), "{addresses:?}");
}

#[test]
fn pages_are_deterministic_and_store_each_text_once() {
    let input = page(&Size::small());
    let html = html_page(&input, PageLang::En);
    assert_eq!(html, html_page(&input, PageLang::En));
    let text = &input.chunks[0].texts["doc-1#1"];
    assert_eq!(html.matches(text.as_str()).count(), 1);
    let data = data(&html);
    // The pieces of a prompt join to it.
    let pieces = data["readings"][0]["s"].as_array().expect("pieces");
    let strings = data["strings"].as_array().expect("strings");
    let word =
        |at: &Json| strings[at.as_u64().expect("a place") as usize].as_str().expect("a text");
    let prompt: String = pieces.iter().map(word).collect();
    let read = input.runs[0].records[0].oracle.as_ref().expect("an answer");
    assert_eq!(prompt, read.prompt);
}

#[test]
fn evidence_is_marked_in_the_passages_that_contain_it() {
    let data = data(&html_page(&page(&Size::small()), PageLang::En));
    let question = &data["questions"][0];
    let marks = question["marks"].as_object().expect("marks");
    let (chunk, place) = marks.iter().next().expect("a marked chunk");
    let chunk = &data["chunks"][chunk.parse::<usize>().expect("a place")];
    let text = &data["strings"][chunk[1].as_u64().expect("a text") as usize];
    let (from, to) = (place[0].as_u64(), place[1].as_u64());
    let (from, to) = (from.expect("a start") as usize, to.expect("an end") as usize);
    let quote = question["evidence"][0]["quote"].as_str().expect("a quote");
    let units: Vec<u16> = text.as_str().expect("words").encode_utf16().collect();
    let marked = String::from_utf16(&units[from..to]).expect("whole characters");
    assert_eq!(marked, quote.replace('*', ""));
}

#[test]
fn the_page_contains_the_diagnosis_with_its_reruns() {
    let mut input = page(&Size::small());
    let run = &mut input.runs[0];
    run.diagnosis = Some(diagnosis(run));
    let expected = run.diagnosis.clone().expect("just given");
    let data = data(&html_page(&input, PageLang::En));
    let shown = &data["runs"][0]["diagnosis"];
    let wrong = shown["wrong"].as_object().expect("by question");
    assert_eq!(wrong.len(), expected.wrong.len());
    let (place, question) = wrong.iter().next().expect("one");
    let at = place.parse::<usize>().expect("a place");
    let id = data["questions"][at]["id"].as_str().expect("an id");
    let rerun = expected.wrong.iter().find(|q| q.id == id).expect("the question");
    let rerun = &rerun.reruns[0];
    assert_eq!(question["proof"], "evidence");
    assert_eq!(question["reruns"][0][2], rerun.answer.as_str());
    let chunk = question["reruns"][0][1][0].as_u64().expect("a chunk");
    assert_eq!(data["chunks"][chunk as usize][0], rerun.chunks[0].as_str());
    // A cluster that is not significant is counted, but not listed.
    assert_eq!(shown["tested"], serde_json::json!([2, 0]));
    assert_eq!(shown["clusters"].as_array().map(Vec::len), Some(1));
    assert!(data["runs"][1]["diagnosis"].is_null());
}

#[test]
fn pages_without_runs_texts_or_answers_are_valid() {
    let mut input = page(&Size::small());
    input.chunks.clear();
    input.evidence.clear();
    for run in &mut input.runs {
        for record in run.records.to_mut() {
            (record.oracle, record.e2e, record.class) = (None, None, None);
        }
    }
    assert!(data(&html_page(&input, PageLang::En))["chunks"][0][1].is_null());
    input.runs.clear();
    assert_eq!(data(&html_page(&input, PageLang::En))["runs"], Json::Array(vec![]));
}

/// The browser test opens the file that this test writes.
#[test]
fn five_hundred_questions_of_ten_runs_stay_below_five_megabytes() {
    let html = html_page(&page(&Size::large()), PageLang::En);
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    fs::write(folder.join("large.html"), &html).expect("a file");
    assert!(html.len() < 5_000_000, "{} bytes", html.len());
}
