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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_folded_and_cut_between_characters() {
        assert_eq!(one_line("a\n b\t c", 10), "a b c");
        assert_eq!(one_line("canción larga", 9), "canción…");
        assert_eq!(one_line("x\u{1b}[31my", 10), "x[31my");
    }
}
