//! Comma-separated values (RFC 4180), with lines that end in a line feed.

use std::io::Read;

use csv::{ReaderBuilder, StringRecord, Writer};

/// A quoted cell without its closing quotation mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: a quoted cell has no closing quotation mark")]
pub struct UnclosedQuote {
    /// Line of the opening quotation mark, from 1.
    pub line: usize,
}

/// The rows of a text in CSV, each with the line on which it starts, from 1. Skips empty lines and
/// a byte order mark. The rows may have different numbers of cells.
///
/// # Errors
/// [`UnclosedQuote`] if the text ends inside a quoted cell.
pub fn csv_rows(text: &str, delimiter: u8) -> Result<Vec<(usize, Vec<String>)>, UnclosedQuote> {
    rows(text, delimiter, true)
}

/// As [`csv_rows`], but separated by tabs and without quoting: a quotation mark is text, as search
/// collections have it.
pub fn tsv_rows(text: &str) -> Vec<(usize, Vec<String>)> {
    rows(text, b'\t', false).unwrap_or_default()
}

fn rows(
    text: &str,
    delimiter: u8,
    has_quotes: bool,
) -> Result<Vec<(usize, Vec<String>)>, UnclosedQuote> {
    // The parser accepts a text that ends inside a quoted cell. Then it does not find this row.
    const END: &str = "\0end";
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut reader = ReaderBuilder::new()
        .delimiter(delimiter)
        .has_headers(false)
        .flexible(true)
        .quoting(has_quotes)
        .from_reader(text.as_bytes().chain(&b"\n"[..]).chain(END.as_bytes()));
    let mut rows = Vec::new();
    let mut record = StringRecord::new();
    let (mut line, mut counted) = (1, 0);
    while reader.read_record(&mut record).unwrap_or_default() {
        if record.len() == 1 && &record[0] == END {
            return Ok(rows);
        }
        // The position of a record includes the empty lines before it.
        let byte = record.position().map_or(0, |at| at.byte() as usize);
        let blank = text[byte..].len() - text[byte..].trim_start_matches(['\r', '\n']).len();
        let start = byte + blank;
        line += text[counted..start].matches('\n').count();
        counted = start;
        rows.push((line, record.iter().map(str::to_owned).collect()));
    }
    Err(UnclosedQuote { line: opening_line(text, delimiter) })
}

/// The line of the quotation mark that opens the last quoted cell.
fn opening_line(text: &str, delimiter: u8) -> usize {
    let (mut line, mut opened) = (1, 1);
    let (mut is_quoted, mut is_start) = (false, true);
    let mut bytes = text.bytes().peekable();
    while let Some(byte) = bytes.next() {
        if byte == b'\n' {
            line += 1;
        }
        if is_quoted {
            // Two marks within a quoted cell are one of its characters.
            if byte == b'"' && bytes.next_if_eq(&b'"').is_none() {
                is_quoted = false;
            }
        } else if byte == b'"' && is_start {
            (is_quoted, opened) = (true, line);
        }
        is_start = !is_quoted && (byte == delimiter || byte == b'\n' || byte == b'\r');
    }
    opened
}

/// Rows as CSV. Quotes the cells that contain commas, quotation marks or line ends.
pub fn csv_text<R: IntoIterator<Item = String>>(rows: impl IntoIterator<Item = R>) -> String {
    let mut writer = Writer::from_writer(Vec::new());
    for row in rows {
        let cells: Vec<String> = row.into_iter().collect();
        writer.write_record(cells).expect("a vector takes every row");
    }
    let bytes = writer.into_inner().expect("a vector needs no flush");
    String::from_utf8(bytes).expect("the cells are UTF-8")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_with_separators_quotes_and_line_ends_come_back() {
        let cells = ["a,b", "c\"d", "e\nf", "", " g"].map(str::to_owned);
        let text = csv_text([cells.clone(), cells.clone()]);
        assert!(text.starts_with("\"a,b\",\"c\"\"d\",\"e\nf\",, g\n"), "{text}");
        let rows = csv_rows(&text, b',');
        assert_eq!(rows, Ok(vec![(1, cells.to_vec()), (3, cells.to_vec())]));
    }

    #[test]
    fn rows_have_the_line_on_which_they_start() {
        let lines = |text: &str, delimiter| -> Vec<usize> {
            let rows = csv_rows(text, delimiter).expect("rows");
            rows.iter().map(|(line, _)| *line).collect()
        };
        assert_eq!(lines("x,y\r\n\r\n1,\"2\r\n3\"\r\n4,5", b','), [1, 3, 5]);
        assert_eq!(lines("\u{feff}\n\nx\ty\n\n\n1\t2\t3\n", b'\t'), [3, 6]);
        assert_eq!(lines("", b','), [] as [usize; 0]);
        let tsv: Vec<usize> = tsv_rows("a\tb\n\"x\t1\n\"y\" z\t2\n").iter().map(|r| r.0).collect();
        assert_eq!(tsv, [1, 2, 3]);
    }

    #[test]
    fn an_unclosed_quote_is_an_error_with_its_line() {
        for (text, line) in [
            ("\"", 1),
            ("a,b\n\"1,2\n3,4\n", 2),
            ("a\n\nb,\"c", 3),
            ("a,b\n\"x\ny\",\"z\n1,2\n", 3),
            ("a,b\n\"x \"\"y\"\" z\",1\n\"", 3),
        ] {
            assert_eq!(csv_rows(text, b','), Err(UnclosedQuote { line }), "{text}");
        }
        let error = UnclosedQuote { line: 2 }.to_string();
        assert!(error.contains("line 2"), "{error}");
    }
}
