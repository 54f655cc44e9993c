//! TREC interchange: qrels and run files, and the order of ties in trec_eval.

use std::{collections::BTreeMap, str::FromStr};

use fiel_text::numbered_lines;

use crate::{NotFinite, value::all_finite};

/// Judgements: grades by question id and document id. A grade of 0 or less is not relevant.
pub type Qrels = BTreeMap<String, BTreeMap<String, i32>>;

/// A run: ranked lists by question id, each in trec_eval's order.
pub type TrecRun = BTreeMap<String, Vec<TrecHit>>;

/// A retrieved document of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct TrecHit {
    /// Document id.
    pub id: String,
    /// Score as written in the run. trec_eval reads it as a 32-bit float.
    pub score: f64,
}

/// A malformed line of a TREC file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct TrecError {
    /// Number of the line, from 1.
    pub line: usize,
    /// What was expected and what was found.
    pub problem: String,
}

/// Parses qrels with one judgement per line: `question iteration document grade`, separated by
/// white space. Blank lines are skipped.
///
/// # Errors
/// If a line has another number of fields, a grade is not an integer, or a document has two
/// different grades for a question.
pub fn parse_qrels(text: &str) -> Result<Qrels, TrecError> {
    let mut qrels = Qrels::new();
    for (line, content) in numbered_lines(text) {
        let [question, _, document, grade] =
            fields(line, content, "question iteration document grade")?;
        let grade: i32 = number(line, "grade", grade)?;
        let judgements = qrels.entry(question.to_owned()).or_default();
        let before = judgements.insert(document.to_owned(), grade);
        if let Some(before) = before.filter(|&before| before != grade) {
            let problem = format!(
                "document {document:?} has grades {before} and {grade} for question {question:?}: keep one of them"
            );
            return Err(TrecError { line, problem });
        }
    }
    Ok(qrels)
}

/// Parses a run with one retrieved document per line: `question Q0 document rank score tag`,
/// separated by white space. Blank lines are skipped. The rank is ignored, and each list is sorted
/// by [`sort_as_trec_eval`].
///
/// # Errors
/// If a line has another number of fields or a score is not a finite number.
pub fn parse_run(text: &str) -> Result<TrecRun, TrecError> {
    let mut run = TrecRun::new();
    for (line, content) in numbered_lines(text) {
        let [question, _, document, _, score, _] =
            fields(line, content, "question Q0 document rank score tag")?;
        let score: f64 = number(line, "score", score)?;
        if !score.is_finite() {
            let problem = format!("expected a finite score, got {score}");
            return Err(TrecError { line, problem });
        }
        run.entry(question.to_owned())
            .or_default()
            .push(TrecHit { id: document.to_owned(), score });
    }
    for list in run.values_mut() {
        sort_as_trec_eval(list);
    }
    Ok(run)
}

/// Sorts a list as trec_eval does: by score as a 32-bit float, descending; equal scores by document
/// id, descending.
pub fn sort_as_trec_eval(list: &mut [TrecHit]) {
    list.sort_by(|a, b| {
        // Adding 0.0 turns -0.0 into 0.0: trec_eval treats them as equal.
        let score = |s: &TrecHit| s.score as f32 + 0.0;
        score(b).total_cmp(&score(a)).then_with(|| b.id.cmp(&a.id))
    });
}

/// Returns scores to export with a ranked list, best first, that strictly decrease as 32-bit floats,
/// so that no tie rule can change the order. A score that does not decrease is lowered to the next
/// smaller 32-bit float.
///
/// # Errors
/// If a score is not finite.
pub fn export_scores(scores: &[f64]) -> Result<Vec<f32>, NotFinite> {
    all_finite(scores)?;
    // Leaves room to lower scores at the ends of the range.
    let bound = f32::MAX / 2.0;
    let mut exported: Vec<f32> = Vec::with_capacity(scores.len());
    for &score in scores {
        let score = (score as f32).clamp(-bound, bound);
        let lowered = match exported.last() {
            // The float below 0.0 is -0.0, which is equal to it.
            Some(&0.0) => score.min((-0.0f32).next_down()),
            Some(&last) => score.min(last.next_down()),
            None => score,
        };
        exported.push(lowered);
    }
    Ok(exported)
}

fn fields<'a, const N: usize>(
    line: usize,
    content: &'a str,
    expected: &str,
) -> Result<[&'a str; N], TrecError> {
    let fields: Vec<&str> = content.split_whitespace().collect();
    <[&str; N]>::try_from(fields).map_err(|fields| TrecError {
        line,
        problem: format!("expected {N} fields ({expected}), got {}", fields.len()),
    })
}

fn number<T: FromStr>(line: usize, field: &str, text: &str) -> Result<T, TrecError> {
    text.parse().map_err(|_| TrecError {
        line,
        problem: format!("expected a number as {field}, got {text:?}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_sorted_and_the_rank_is_ignored() {
        let run = parse_run(
            "q1 Q0 a 1 1.0 t\n\nq1 Q0 b 9 2.5 t\r\nq1\tQ0\tc\t3\t1.00000001\tt\nq2 Q0 z 1 -1e3 t\n",
        )
        .unwrap();
        let ids: Vec<&str> = run["q1"].iter().map(|hit| hit.id.as_str()).collect();
        assert_eq!(ids, ["b", "c", "a"]); // c and a tie as 32-bit floats
        assert_eq!(run.len(), 2);
    }

    #[test]
    fn errors_name_the_line() {
        let error = parse_run("q1 Q0 a 1 1.0 t\nq1 Q0 a 1 1.0\n").unwrap_err();
        assert_eq!(
            error.to_string(),
            "line 2: expected 6 fields (question Q0 document rank score tag), got 5"
        );
        assert_eq!(parse_run("q Q0 a 1 x t").unwrap_err().line, 1);
        assert_eq!(parse_run("\nq Q0 a 1 NaN t").unwrap_err().line, 2);
        assert_eq!(parse_qrels("q 0 a 1.5").unwrap_err().line, 1);
        assert_eq!(parse_qrels("q 0 a 1\nq 0 a 2").unwrap_err().line, 2);
        let qrels = parse_qrels("q 0 a 1\nq 0 a 1\nq 0 b -1\n").unwrap();
        assert_eq!(qrels["q"], BTreeMap::from([("a".into(), 1), ("b".into(), -1)]));
    }

    #[test]
    fn exported_scores_strictly_decrease() {
        for scores in [
            &[3.0, 2.0, 1.0][..],
            &[1.0, 1.0, 1.0 - 1e-9, 2.0],
            &[0.0, 0.0, -0.0, 0.0],
            &[f64::MAX, f64::MAX, -f64::MAX, -f64::MAX],
            &[1e-45, 1e-45, 1e-45],
        ] {
            let exported = export_scores(scores).unwrap();
            assert!(exported.is_sorted_by(|a, b| a > b), "{exported:?}");
            // Each score round-trips through its printed form.
            for score in &exported {
                assert_eq!(score.to_string().parse::<f32>().unwrap(), *score);
            }
        }
        assert_eq!(export_scores(&[3.0, 2.5]).unwrap(), [3.0, 2.5]);
        assert!(export_scores(&[f64::NAN]).is_err());
    }
}
