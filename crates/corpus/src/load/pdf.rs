//! PDF: the text layer of the pages.

use std::{
    cell::Cell,
    panic::{self, AssertUnwindSafe},
    path::Path,
    sync::Once,
};

use crate::{Document, Error};

mod lines;
mod paragraphs;

use lines::{LineCollector, PdfLine};

/// Loads a `.pdf` file: the text layer of its pages as plain text.
pub(super) fn document(path: &Path, id: &str, bytes: &[u8]) -> Result<Document, Error> {
    let bad = |problem: String| Error::Unreadable { path: path.to_owned(), problem };
    let lines = quietly(|| read(bytes)).map_err(bad)?;
    let text = paragraphs::text(&lines);
    if text.is_empty() {
        return Err(bad(
            "the PDF has no text layer, like a scan. Add one by text recognition, for example with \
             `ocrmypdf`"
                .to_owned(),
        ));
    }
    Ok(Document::plain(id, &text))
}

/// Returns the lines of all pages, or what is wrong with the file.
fn read(bytes: &[u8]) -> Result<Vec<PdfLine>, String> {
    let damaged = |cause: String| format!("not a PDF, or damaged: {cause}. Save it again");
    let mut pdf = pdf_extract::Document::load_mem(bytes).map_err(|e| damaged(e.to_string()))?;
    if pdf.is_encrypted() {
        // An encrypted PDF that anyone may open has the empty password.
        pdf.decrypt("")
            .map_err(|_| "the PDF needs a password. Save a copy without one".to_owned())?;
    }
    let mut lines = LineCollector::default();
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
        Err("the PDF is damaged or uses unsupported features. Save it again".to_owned())
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
    fn a_file_that_is_not_a_pdf_is_an_error() {
        for bytes in [&b""[..], b"text", b"%PDF-1.4\n%%EOF\n"] {
            let message = problem(bytes);
            assert!(message.starts_with("p.pdf: not a PDF, or damaged: "), "{message}");
        }
    }

    #[test]
    fn a_panic_of_the_parser_is_an_error() {
        let result: Result<(), String> = quietly(|| panic!("no MediaBox"));
        assert!(result.expect_err("caught").starts_with("the PDF is damaged"));
        assert!(!IS_QUIET.get());
    }
}
