//! One file for each loader, and what becomes of it: a change of text, span or chunk shows.

use std::{
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
};

use fiel_corpus::{ChunkKind, Chunker, KnowledgeBase};

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data")
        .join(name)
}

fn words(text: &str) -> usize {
    text.split_whitespace().count()
}

/// The documents of a file as they are read, and their chunks with what their spans hold.
fn shown(id: &str) -> String {
    let kb = KnowledgeBase::load(&data("kb")).expect("loads");
    let chunker = Chunker::new(ChunkKind::Structure, 16, 0).expect("valid");
    let mut out = String::new();
    let is_of_file = |doc: &str| doc == id || doc.starts_with(&format!("{id}/"));
    for doc in kb.documents.iter().filter(|d| is_of_file(&d.id)) {
        let _ = writeln!(out, "document {:?} title {:?}", doc.id, doc.title);
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
    insta::assert_snapshot!(shown("notes"));
}

#[test]
fn plain_text() {
    insta::assert_snapshot!(shown("plain"));
}

#[test]
fn html() {
    insta::assert_snapshot!(shown("page"));
}

#[test]
fn pdf() {
    insta::assert_snapshot!(shown("guide"));
}

#[test]
fn jsonl() {
    insta::assert_snapshot!(shown("rows"));
}

#[test]
fn documents_of_all_loaders_are_ordered_by_id() {
    let kb = KnowledgeBase::load(&data("kb")).expect("loads");
    let ids: Vec<&str> = kb.documents.iter().map(|d| d.id.as_str()).collect();
    assert_eq!(
        ids,
        [
            "guide",
            "notes",
            "page",
            "plain",
            "rows/12",
            "rows/beam",
            "rows/sub/steelyard"
        ]
    );
}

/// What loading a folder with these files says.
fn error(files: &[(&str, &[u8])]) -> String {
    let dir = tempfile::tempdir().expect("temporary folder");
    for (name, bytes) in files {
        fs::write(dir.path().join(name), bytes).expect("written");
    }
    let error = KnowledgeBase::load(dir.path())
        .expect_err("refused")
        .to_string();
    error.replace(&format!("{}/", dir.path().display()), "")
}

fn file(name: &str) -> Vec<u8> {
    fs::read(data(name)).expect("readable")
}

#[test]
fn one_id_from_two_loaders_is_refused() {
    let said = error(&[("a.html", b"x"), ("a.pdf", &file("kb/guide.pdf"))]);
    assert_eq!(
        said,
        "a.html and a.pdf: both are the document `a`. Rename one"
    );
    let rows = b"{\"_id\": \"b\", \"text\": \"x\"}";
    let dir = tempfile::tempdir().expect("temporary folder");
    fs::create_dir(dir.path().join("a")).expect("made");
    fs::write(dir.path().join("a.jsonl"), rows).expect("written");
    fs::write(dir.path().join("a/b.txt"), "x").expect("written");
    let said = KnowledgeBase::load(dir.path())
        .expect_err("refused")
        .to_string();
    assert!(
        said.ends_with("both are the document `a/b`. Rename one"),
        "{said}"
    );
}

#[test]
fn a_bad_row_is_named_by_file_and_line() {
    let said = error(&[(
        "r.jsonl",
        b"{\"_id\": \"1\", \"text\": \"x\"}\n\n{\"_id\": \"a;b\", \"text\": \"x\"}",
    )]);
    assert!(
        said.starts_with("r.jsonl:3: the id `a;b` may not contain"),
        "{said}"
    );
    let said = error(&[("r.jsonl", b"\xe9")]);
    assert!(said.starts_with("r.jsonl: byte 0 is not UTF-8"), "{said}");
}

#[test]
fn a_pdf_that_cannot_be_read_is_named() {
    let said = error(&[("a.pdf", &file("other/locked.pdf"))]);
    assert_eq!(
        said,
        "a.pdf: protected by a password. Save a copy without one"
    );
    let said = error(&[("a.pdf", &file("other/drawn.pdf"))]);
    assert!(
        said.starts_with("a.pdf: a PDF without a text layer"),
        "{said}"
    );
}

#[test]
fn a_pdf_that_anybody_may_open_is_read() {
    let dir = tempfile::tempdir().expect("temporary folder");
    fs::copy(data("other/open.pdf"), dir.path().join("a.pdf")).expect("copied");
    let kb = KnowledgeBase::load(dir.path()).expect("loads");
    assert_eq!(kb.documents[0].text, "Whoever opens it can read it.");
}

/// Every cut and many altered bytes: an error that names the file or some document, never a
/// panic.
#[test]
fn a_damaged_pdf_ends_nothing() {
    let whole = file("kb/guide.pdf");
    let dir = tempfile::tempdir().expect("temporary folder");
    let path = dir.path().join("a.pdf");
    let mut refused = 0;
    let cuts = (0..whole.len())
        .step_by(97)
        .map(|end| whole[..end].to_vec());
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
