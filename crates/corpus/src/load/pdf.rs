use std::{
    cell::Cell,
    panic::{self, AssertUnwindSafe},
    path::Path,
    sync::Once,
};

use crate::{Document, Error};

mod lines;
mod paragraphs;

use lines::{Line, Lines};

/// `.pdf`: the text layer of its pages as plain text.
pub(super) fn document(path: &Path, id: &str, bytes: &[u8]) -> Result<Document, Error> {
    let bad = |problem: String| Error::Unreadable {
        path: path.to_owned(),
        problem,
    };
    let lines = quietly(|| read(bytes)).map_err(bad)?;
    let text = paragraphs::text(&lines);
    if text.is_empty() {
        return Err(bad(
            "a PDF without a text layer, as a scan is. Run a text recognition over it, \
             for example `ocrmypdf`"
                .to_owned(),
        ));
    }
    Ok(Document::plain(id, &text))
}

/// The lines of all pages, or what is wrong with the file.
fn read(bytes: &[u8]) -> Result<Vec<Line>, String> {
    let damaged = |said: String| format!("no PDF, or a damaged one: {said}. Save it again");
    let mut pdf = pdf_extract::Document::load_mem(bytes).map_err(|e| damaged(e.to_string()))?;
    if pdf.is_encrypted() {
        // Without a password of its own the empty one opens it, as a viewer does.
        pdf.decrypt("")
            .map_err(|_| "protected by a password. Save a copy without one".to_owned())?;
    }
    let mut lines = Lines::default();
    let pages = pdf.get_pages();
    if pages.is_empty() {
        return Err(damaged("it has no pages".to_owned()));
    }
    for page in pages.into_keys() {
        pdf_extract::output_doc_page(&pdf, &mut lines, page)
            .map_err(|e| damaged(format!("page {page}: {e}")))?;
    }
    Ok(lines.into_lines())
}

thread_local! {
    static IS_QUIET: Cell<bool> = const { Cell::new(false) };
}

/// Runs a parser that panics on files it does not understand. Such a panic is an error of the
/// file, and is not printed.
fn quietly<T>(parse: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let print = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            if !IS_QUIET.get() {
                print(panic);
            }
        }));
    });
    IS_QUIET.set(true);
    let result = panic::catch_unwind(AssertUnwindSafe(parse));
    IS_QUIET.set(false);
    result.unwrap_or_else(|_| {
        Err("a damaged PDF, or one of a kind that is not understood. Save it again".to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(bytes: &[u8]) -> String {
        let error = document(Path::new("p.pdf"), "p", bytes).expect_err("bad");
        error.to_string()
    }

    #[test]
    fn what_is_no_pdf_is_an_error() {
        for bytes in [&b""[..], b"text", b"%PDF-1.4\n%%EOF\n"] {
            let said = problem(bytes);
            assert!(
                said.starts_with("p.pdf: no PDF, or a damaged one: "),
                "{said}"
            );
        }
    }

    #[test]
    fn a_panic_is_an_error_of_the_file() {
        let result: Result<(), String> = quietly(|| panic!("no MediaBox"));
        assert!(result.expect_err("caught").starts_with("a damaged PDF"));
        assert!(!IS_QUIET.get());
    }
}
