//! Short texts for one line.

/// A text on one line of at most `width` characters, with an ellipsis where it was cut.
pub fn one_line(text: &str, width: usize) -> String {
    let mut words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    // Control characters could steer a terminal.
    words.retain(|c| !c.is_control());
    if words.chars().count() <= width {
        return words;
    }
    let cut: String = words.chars().take(width.saturating_sub(1)).collect();
    format!("{}…", cut.trim_end())
}

/// `1 question`, `2 questions`.
pub fn counted(count: usize, noun: &str) -> String {
    match count {
        1 => format!("1 {noun}"),
        _ => format!("{count} {noun}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nouns_are_counted() {
        assert_eq!(counted(1, "chunk"), "1 chunk");
        assert_eq!(counted(0, "chunk"), "0 chunks");
    }

    #[test]
    fn lines_are_folded_and_cut_between_characters() {
        assert_eq!(one_line("a\n b\t c", 10), "a b c");
        assert_eq!(one_line("canción larga", 9), "canción…");
        assert_eq!(one_line("x\u{1b}[31my", 10), "x[31my");
    }
}
