//! `fiel ask`

use fiel_record::{AskResult, one_line};

use crate::Style;

/// The passages below a printed answer; `*` marks those that it cites.
pub fn ask_screen(result: &AskResult, style: Style) -> String {
    let mut out = "\n\n".to_owned();
    for passage in &result.passages {
        let is_cited = result.cited.contains(&passage.chunk);
        let mark = if is_cited { "*" } else { " " };
        let line = format!("[{}] {}  {}", passage.id, passage.chunk, passage.text);
        let line = one_line(&line, style.width.saturating_sub(2));
        out.push_str(&format!("{mark} {line}\n"));
    }
    if !result.dropped.is_empty() {
        let dropped = result.dropped.join(", ");
        out.push_str(&format!("  left out by read.context_tokens: {dropped}\n"));
    }
    out
}
