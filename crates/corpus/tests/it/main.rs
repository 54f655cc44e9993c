//! Snapshots of one file per loader: its text, spans and chunks.

mod mangled;

use std::{
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
};

use fiel_corpus::{ChunkKind, Chunker, KnowledgeBase};

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}

fn words(text: &str) -> usize {
    text.split_whitespace().count()
}

/// The documents of a file and their chunks, with the text of each span.
fn snapshot(id: &str) -> String {
    let kb = KnowledgeBase::load(&data("kb")).expect("loads");
    let chunker = Chunker::new(ChunkKind::Structure, 16, 0).expect("valid");
    let mut out = String::new();
    let is_of_file = |doc: &str| doc == id || doc.starts_with(&format!("{id}/"));
    for doc in kb.documents.iter().filter(|d| is_of_file(&d.id)) {
        let _ = writeln!(out, "document {:?} title {:?}", doc.id.as_str(), doc.title);
        let _ = writeln!(out, "lang {:?} body {:?}", doc.lang, doc.body);
        let _ = writeln!(out, "<<<\n{}\n>>>", doc.text.replace('\r', "␍"));
        for chunk in chunker.chunks(doc, &words) {
            let _ = writeln!(out, "{} {:?} {:?}", chunk.id, chunk.span, chunk.passage());
            let _ = writeln!(out, "  = {:?}", &doc.text[chunk.span.clone()]);
        }
    }
    out
}

#[test]
fn markdown() {
    insta::assert_snapshot!(snapshot("notes"));
}

#[test]
fn plain_text() {
    insta::assert_snapshot!(snapshot("plain"));
}

#[test]
fn html() {
    insta::assert_snapshot!(snapshot("page"));
}

#[test]
fn pdf() {
    insta::assert_snapshot!(snapshot("guide"));
}

#[test]
fn jsonl() {
    insta::assert_snapshot!(snapshot("rows"));
}

#[test]
fn documents_of_all_loaders_are_ordered_by_id() {
    let kb = KnowledgeBase::load(&data("kb")).expect("loads");
    let ids: Vec<&str> = kb.documents.iter().map(|d| d.id.as_str()).collect();
    assert_eq!(
        ids,
        ["guide", "notes", "page", "plain", "rows/12", "rows/beam", "rows/sub/steelyard"]
    );
}

/// The error of loading a folder with these files.
fn error(files: &[(&str, &[u8])]) -> String {
    let dir = tempfile::tempdir().expect("temporary folder");
    for (name, bytes) in files {
        fs::write(dir.path().join(name), bytes).expect("written");
    }
    let error = KnowledgeBase::load(dir.path()).expect_err("an error").to_string();
    error.replace(&format!("{}/", dir.path().display()), "")
}

fn file(name: &str) -> Vec<u8> {
    fs::read(data(name)).expect("readable")
}

#[test]
fn the_same_id_from_two_loaders_is_an_error() {
    let message = error(&[("a.html", b"x"), ("a.pdf", &file("kb/guide.pdf"))]);
    let expected = "a.html and a.pdf: both have the document id `a`. Rename one of them";
    assert!(message.starts_with(expected), "{message}");
    let rows = b"{\"_id\": \"b\", \"text\": \"x\"}";
    let dir = tempfile::tempdir().expect("temporary folder");
    fs::create_dir(dir.path().join("a")).expect("made");
    fs::write(dir.path().join("a.jsonl"), rows).expect("written");
    fs::write(dir.path().join("a/b.txt"), "x").expect("written");
    let message = KnowledgeBase::load(dir.path()).expect_err("an error").to_string();
    assert!(message.contains("both have the document id `a/b`. Rename one of them"), "{message}");
}

#[test]
fn a_bad_line_is_named_by_file_and_number() {
    let message = error(&[(
        "r.jsonl",
        b"{\"_id\": \"1\", \"text\": \"x\"}\n\n{\"_id\": \" \", \"text\": \"x\"}",
    )]);
    assert!(message.starts_with("r.jsonl:3: the id is empty"), "{message}");
    let message = error(&[("r.jsonl", b"\xe9")]);
    assert!(message.starts_with("r.jsonl:1: not valid UTF-8"), "{message}");
}

#[test]
fn a_pdf_without_text_is_an_error() {
    let message = error(&[("a.pdf", &file("other/locked.pdf"))]);
    assert!(
        message.starts_with("a.pdf: the PDF needs a password. Save a copy without"),
        "{message}"
    );
    let message = error(&[("a.pdf", &file("other/drawn.pdf"))]);
    assert!(message.starts_with("a.pdf: the PDF has no text layer"), "{message}");
}

#[test]
fn an_encrypted_pdf_without_a_password_is_read() {
    let dir = tempfile::tempdir().expect("temporary folder");
    fs::copy(data("other/open.pdf"), dir.path().join("a.pdf")).expect("copied");
    let kb = KnowledgeBase::load(dir.path()).expect("loads");
    assert_eq!(kb.documents[0].text, "Whoever opens it can read it.");
}

/// Loads cut and altered files: each gives a document or an error that names the file.
#[test]
fn a_damaged_pdf_does_not_panic() {
    let whole = file("kb/guide.pdf");
    let dir = tempfile::tempdir().expect("temporary folder");
    let path = dir.path().join("a.pdf");
    let mut refused = 0;
    let cuts = (0..whole.len()).step_by(97).map(|end| whole[..end].to_vec());
    let altered = (0..whole.len()).step_by(41).map(|at| {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x15;
        bytes
    });
    for bytes in cuts.chain(altered) {
        fs::write(&path, bytes).expect("written");
        if let Err(error) = KnowledgeBase::load(dir.path()) {
            assert!(error.to_string().contains("a.pdf: "), "{error}");
            refused += 1;
        }
    }
    assert!(refused > 10, "{refused}");
}
