//! PDF: the text layer of the pages.

use std::{
    cell::Cell,
    panic::{self, AssertUnwindSafe},
    path::Path,
    sync::Once,
};

use super::Faults;
use crate::{Document, Error};

mod columns;
mod lines;
mod paragraphs;

use lines::LineCollector;

/// Loads a `.pdf` file: the text layer of its pages as plain text. A page that cannot be read is left
/// out.
pub(super) fn document(
    path: &Path,
    id: &str,
    bytes: &[u8],
    faults: &mut Faults,
) -> Result<Document, Error> {
    let bad = |problem: String| Error::Unreadable { path: path.to_owned(), problem };
    let pdf = quietly(|| open(bytes)).map_err(bad)?;
    let mut lines = LineCollector::default();
    let mut unreadable = Vec::new();
    for page in pdf.get_pages().into_keys() {
        let before = lines.len();
        let read =
            || pdf_extract::output_doc_page(&pdf, &mut lines, page).map_err(|e| e.to_string());
        if let Err(problem) = quietly(read) {
            lines.truncate(before);
            unreadable.push((page, problem));
        }
    }
    let text = paragraphs::text(&lines.into_lines());
    if text.is_empty() {
        return Err(bad(match unreadable.pop() {
            Some((page, problem)) => format!("no page can be read; page {page}: {problem}"),
            None => "the PDF has no text layer, like a scan. Add one by text recognition, for \
                     example with `ocrmypdf`"
                .to_owned(),
        }));
    }
    for (page, problem) in unreadable {
        faults.leave_out(path, &format!("page {page} is left out: {problem}"));
    }
    Ok(Document::plain(id, &text))
}

/// Opens a PDF with pages that needs no password.
fn open(bytes: &[u8]) -> Result<pdf_extract::Document, String> {
    let damaged = |cause: String| format!("not a PDF, or damaged: {cause}. Save it again");
    let mut pdf = pdf_extract::Document::load_mem(bytes).map_err(|e| damaged(e.to_string()))?;
    if pdf.is_encrypted() {
        // An encrypted PDF that anyone may open has the empty password.
        pdf.decrypt("")
            .map_err(|_| "the PDF needs a password. Save a copy without one".to_owned())?;
    }
    if pdf.get_pages().is_empty() {
        return Err(damaged("it has no pages".to_owned()));
    }
    Ok(pdf)
}

thread_local! {
    static IS_QUIET: Cell<bool> = const { Cell::new(false) };
}

/// Runs a parser that panics on unsupported files. Turns such a panic into an error and does not
/// print it.
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
        Err("damaged, or with a font or feature that is not supported. Save it again".to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(bytes: &[u8]) -> String {
        let error = document(Path::new("p.pdf"), "p", bytes, &mut Faults::default());
        error.expect_err("bad").to_string()
    }

    #[test]
    fn a_file_that_is_not_a_pdf_is_an_error() {
        for bytes in [&b""[..], b"text", b"%PDF-1.4\n%%EOF\n"] {
            let message = problem(bytes);
            assert!(message.starts_with("p.pdf: not a PDF, or damaged: "), "{message}");
        }
    }

    #[test]
    fn a_panic_of_the_parser_is_an_error() {
        let result: Result<(), String> = quietly(|| panic!("no MediaBox"));
        assert!(result.expect_err("caught").starts_with("damaged, or with a font"));
        assert!(!IS_QUIET.get());
    }
}
