//! The part of Markdown that matters in answers: which bytes are code.

use std::ops::Range;

/// Byte ranges of fenced code blocks and code spans, in order, without overlap.
///
/// As in CommonMark, a fenced block starts with three or more backticks or tildes at the start of
/// a line and ends at an equal fence or at the end of the text. A code span runs from a run of
/// backticks to the next run of the same length in its paragraph.
pub fn code_ranges(text: &str) -> Vec<Range<usize>> {
    let mut ranges = Vec::new();
    if !text.contains(['`', '~']) {
        return ranges;
    }
    let mut fence: Option<(usize, &str)> = None;
    let mut paragraph = 0;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let end = at + line.len();
        match (fence, fence_of(line)) {
            (Some((start, open)), Some(close))
                if close.starts_with(open) && close == line.trim() =>
            {
                ranges.push(start..end);
                fence = None;
                paragraph = end;
            }
            (Some(_), _) => {}
            (None, Some(open)) => {
                spans(text, paragraph..at, &mut ranges);
                fence = Some((at, open));
            }
            (None, None) if line.trim().is_empty() => {
                spans(text, paragraph..at, &mut ranges);
                paragraph = end;
            }
            (None, None) => {}
        }
        at = end;
    }
    match fence {
        Some((start, _)) => ranges.push(start..text.len()),
        None => spans(text, paragraph..text.len(), &mut ranges),
    }
    ranges
}

/// The answer of a reasoning model without its thoughts: what follows the last `</think>`, and
/// nothing of an answer that begins a thought and does not end it. `<thinking>`, `<thought>` and
/// `<reasoning>` are read as well.
///
/// ```
/// use fiel_text::markup::without_thoughts;
///
/// assert_eq!(without_thoughts("<think>Maybe 1997?</think> 1998"), "1998");
/// assert_eq!(without_thoughts("<think>Maybe 1998 or"), "");
/// assert_eq!(without_thoughts("1998"), "1998");
/// ```
pub fn without_thoughts(answer: &str) -> &str {
    const TAGS: [&str; 4] = ["think", "thinking", "thought", "reasoning"];
    // Lower case of ASCII keeps the positions of bytes.
    let lower = answer.to_ascii_lowercase();
    let end = |tag: &&str| {
        let mark = format!("</{tag}>");
        lower.rfind(&mark).map(|at| at + mark.len())
    };
    let begins = |tag: &&str| lower.trim_start().starts_with(&format!("<{tag}>"));
    match TAGS.iter().filter_map(end).max() {
        Some(end) => {
            let rest = answer[end..].trim_start();
            // A further thought that does not end.
            if TAGS.iter().any(|tag| rest.to_ascii_lowercase().starts_with(&format!("<{tag}>"))) {
                ""
            } else {
                rest
            }
        }
        None if TAGS.iter().any(begins) => "",
        None => answer,
    }
}

/// The run of backticks or tildes that opens or closes a fenced block in this line.
pub fn fence_of(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let mark = line.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let length = line.len() - line.trim_start_matches(mark).len();
    // An info string with a backtick makes the line a code span instead.
    (length >= 3 && !line[length..].contains('`')).then_some(&line[..length])
}

/// Adds the code spans of a paragraph.
fn spans(text: &str, paragraph: Range<usize>, ranges: &mut Vec<Range<usize>>) {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for (offset, _) in text[paragraph.clone()].match_indices('`') {
        let at = paragraph.start + offset;
        match runs.last_mut() {
            Some(run) if run.end == at => run.end += 1,
            _ => runs.push(at..at + 1),
        }
    }
    let mut rest = &runs[..];
    while let [open, later @ ..] = rest {
        rest = later;
        if let Some(close) = later.iter().position(|run| run.len() == open.len()) {
            ranges.push(open.start..later[close].end);
            rest = &later[close + 1..];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fences_and_spans() {
        let code = |text: &'static str| -> Vec<&str> {
            code_ranges(text).into_iter().map(|r| &text[r]).collect()
        };
        assert_eq!(code("a `b` c ``d ` e`` f `g"), ["`b`", "``d ` e``"]);
        assert_eq!(code("`a\n\nb`"), [""; 0]);
        assert_eq!(code("x\n```rs\n`y\n```\nz `w`"), ["```rs\n`y\n```\n", "`w`"]);
        assert_eq!(code("~~~\nopen"), ["~~~\nopen"]);
        assert_eq!(code("```x``` y"), ["```x```"]);
    }
}
