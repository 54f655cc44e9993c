//! Columns of prose, and rows of tables, that were drawn row by row.

use super::lines::PdfLine;

/// Mean number of characters from which the parts of a baseline are lines of prose. The cells of a
/// table are shorter.
const PROSE: usize = 20;

/// Minimum number of baselines in columns of prose.
const ROWS: usize = 3;

/// Returns the lines in reading order. Where several baselines in a row have their parts at the same
/// places, and the parts are as long as lines of prose, each column follows the one before it. The
/// parts of any other baseline are the cells of one row.
pub(super) fn in_reading_order(lines: Vec<PdfLine>) -> Vec<PdfLine> {
    let mut rows: Vec<Vec<PdfLine>> = Vec::new();
    for line in lines {
        match rows.last_mut() {
            Some(row) if line.continues_row => row.push(line),
            _ => rows.push(vec![line]),
        }
    }
    let mut out = Vec::new();
    let mut rows = rows.into_iter().peekable();
    while let Some(row) = rows.next() {
        let mut run = vec![row];
        while let Some(next) = rows.next_if(|next| belongs(&run[0], next)) {
            run.push(next);
        }
        if is_prose(&run) {
            let mut columns: Vec<Vec<PdfLine>> = run[0].iter().map(|_| Vec::new()).collect();
            let starts: Vec<f64> = run[0].iter().map(|part| part.start).collect();
            for part in run.into_iter().flatten() {
                let column = starts.iter().position(|start| is_at(*start, &part)).unwrap_or(0);
                columns[column].push(part);
            }
            out.extend(columns.into_iter().flatten());
        } else {
            out.extend(run.into_iter().filter_map(joined));
        }
    }
    out
}

/// Whether the parts of a row are at the places of those of the first row. The last lines of a
/// paragraph may lack a part.
fn belongs(first: &[PdfLine], row: &[PdfLine]) -> bool {
    first.len() > 1
        && first[0].page == row[0].page
        && row.iter().all(|part| first.iter().any(|other| is_at(other.start, part)))
}

fn is_at(start: f64, part: &PdfLine) -> bool {
    (start - part.start).abs() < 0.5 * part.size
}

fn is_prose(run: &[Vec<PdfLine>]) -> bool {
    let whole = run.iter().filter(|row| row.len() == run[0].len()).count();
    let is_long = |column: &PdfLine| {
        let parts = run.iter().flatten().filter(|part| is_at(column.start, part));
        let lengths: Vec<usize> = parts.map(|part| part.text.chars().count()).collect();
        lengths.iter().sum::<usize>() >= PROSE * lengths.len()
    };
    run[0].len() > 1 && whole >= ROWS && run[0].iter().all(is_long)
}

/// The parts of a row as one line.
fn joined(row: Vec<PdfLine>) -> Option<PdfLine> {
    row.into_iter().reduce(|mut line, part| {
        line.text = format!("{} {}", line.text, part.text);
        line.end = part.end;
        line.size = line.size.max(part.size);
        line
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lines of a page from rows of parts, each part with its start.
    fn page(rows: &[&[(f64, &str)]]) -> Vec<String> {
        let mut lines = Vec::new();
        for row in rows {
            for (at, (start, text)) in row.iter().enumerate() {
                lines.push(PdfLine {
                    page: 1,
                    text: (*text).to_owned(),
                    size: 11.0,
                    start: *start,
                    continues_row: at > 0,
                    ..PdfLine::default()
                });
            }
        }
        in_reading_order(lines).into_iter().map(|line| line.text).collect()
    }

    #[test]
    fn columns_of_prose_are_read_one_after_the_other() {
        let (a, b) = ("The refund window is thirty", "Broken seals must be shown to");
        let rows: &[&[(f64, &str)]] = &[
            &[(50.0, "Terms")],
            &[(50.0, a), (300.0, b)],
            &[(50.0, "days and it starts when the"), (300.0, "the driver before he leaves,")],
            &[(50.0, "parcel is signed for at the"), (300.0, "or the claim is not accepted.")],
            &[(50.0, "front desk.")],
        ];
        let text = page(rows).join("|");
        assert!(text.starts_with("Terms|The refund window is thirty|days and it"), "{text}");
        assert!(
            text.contains("at the|front desk.|Broken seals must be shown to|the driver"),
            "{text}"
        );
    }

    #[test]
    fn a_table_stays_in_rows() {
        let rows: &[&[(f64, &str)]] = &[
            &[(50.0, "Model"), (150.0, "Voltage"), (250.0, "Weight")],
            &[(50.0, "P-10"), (150.0, "12 V"), (250.0, "3 kg")],
            &[(50.0, "P-20"), (150.0, "24 V"), (250.0, "5 kg")],
            &[(50.0, "P-30"), (150.0, "48 V"), (250.0, "9 kg")],
        ];
        assert_eq!(page(rows)[2], "P-20 24 V 5 kg");
        let two: &[&[(f64, &str)]] = &[&[(50.0, "A long line of prose here"), (300.0, "1")]];
        assert_eq!(page(two), ["A long line of prose here 1"]);
    }
}
