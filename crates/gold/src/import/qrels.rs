use std::path::Path;

use super::report::Imported;

/// One judgement with its line.
pub(super) struct Judgement {
    pub line: usize,
    pub query: String,
    pub doc: String,
    pub grade: i32,
}

/// Reads judgements in the three columns of BEIR, behind a header, or in the four of TREC
/// (topic, iteration, document, grade). A line that is neither is refused.
pub(super) fn judgements(path: &Path, text: &str, out: &mut Imported) -> Vec<Judgement> {
    let mut list = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let columns: Vec<&str> = line.split_whitespace().collect();
        let (query, doc, grade) = match columns[..] {
            [] => continue,
            [query, doc, grade] => (query, doc, grade),
            [query, _, doc, grade] => (query, doc, grade),
            _ => {
                out.count("judgements").read += 1;
                let reason = format!(
                    "{} columns; expected query, document, grade or topic, iteration, document, \
                     grade",
                    columns.len()
                );
                out.refuse("judgements", (path, at + 1), "", reason);
                continue;
            }
        };
        // The header of BEIR: `query-id corpus-id score`.
        if at == 0 && grade.parse::<f64>().is_err() {
            continue;
        }
        out.count("judgements").read += 1;
        match grade.parse::<f64>() {
            Ok(number) if number.fract() == 0.0 && number.abs() <= f64::from(i32::MAX) => {
                list.push(Judgement {
                    line: at + 1,
                    query: query.to_owned(),
                    doc: doc.to_owned(),
                    grade: number as i32,
                });
            }
            _ => {
                let reason = format!("the grade `{grade}` is no whole number");
                out.refuse("judgements", (path, at + 1), &format!("{query} {doc}"), reason);
            }
        }
    }
    list
}
