//! Lines with their numbers.

/// The lines of a text that are not blank, each with its number from 1. Skips a byte order mark.
///
/// ```
/// let lines: Vec<(usize, &str)> = fiel_text::numbered_lines("a\r\n \nb").collect();
/// assert_eq!(lines, [(1, "a"), (3, "b")]);
/// ```
pub fn numbered_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty())
}
