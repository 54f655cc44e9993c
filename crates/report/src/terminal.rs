//! What a terminal may receive: colours of this program, and no control of it by others.

use std::fmt::Write;

/// Style of terminal output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// Whether to write colours and bold.
    pub color: bool,
    /// Width of the terminal in columns.
    pub width: usize,
}

/// Noncharacters of Unicode that stand for escape sequences until [`for_terminal`] writes them, so
/// that no text of a document can be one of these sequences.
const MARKS: [(char, &str); 5] = [
    ('\u{fdd0}', "\u{1b}[0m"),
    ('\u{fdd1}', "\u{1b}[1m"),
    ('\u{fdd2}', "\u{1b}[2m"),
    ('\u{fdd3}', "\u{1b}[31m"),
    ('\u{fdd4}', "\u{1b}[32m"),
];

impl Style {
    fn paint(self, mark: usize, text: &str) -> String {
        if self.color { format!("{}{text}{}", MARKS[mark].0, MARKS[0].0) } else { text.to_owned() }
    }

    /// Bold text, if colours are on.
    pub fn bold(self, text: &str) -> String {
        self.paint(1, text)
    }

    pub(crate) fn dim(self, text: &str) -> String {
        self.paint(2, text)
    }

    pub(crate) fn bad(self, text: &str) -> String {
        self.paint(3, text)
    }

    pub(crate) fn good(self, text: &str) -> String {
        self.paint(4, text)
    }
}

/// The text as a terminal may receive it: with the colours of [`Style`], without characters of no
/// width, and with every other character that controls a terminal or hides text shown by its code,
/// `<U+001B>`. Line feeds and tabs stay.
pub fn for_terminal(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if let Some((_, sequence)) = MARKS.iter().find(|(mark, _)| *mark == c) {
            out.push_str(sequence);
        } else if is_zero_width(c) {
            // Part of words in some scripts and of emoji, and nothing that is seen.
        } else if is_hidden(c) {
            let _ = write!(out, "<U+{:04X}>", u32::from(c));
        } else {
            out.push(c);
        }
    }
    out
}

/// JSON in which characters that control a terminal or hide text are escapes. JSON has them in its
/// strings alone.
pub fn json_for_terminal(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        if is_hidden(c) {
            let mut units = [0; 2];
            for unit in c.encode_utf16(&mut units) {
                let _ = write!(out, "\\u{unit:04x}");
            }
        } else {
            out.push(c);
        }
    }
    out
}

/// Spaces and joiners of no width, and the byte order mark.
fn is_zero_width(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200d}' | '\u{2060}'..='\u{2064}' | '\u{feff}')
}

/// Whether a character controls a terminal, changes the direction of the text, or has no width.
fn is_hidden(c: char) -> bool {
    (c.is_control() && !matches!(c, '\n' | '\t'))
        || matches!(c,
            '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{fdd0}'..='\u{fdef}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn only_the_style_controls_the_terminal() {
        let style = Style { color: true, width: 80 };
        let text = format!("{} a\u{1b}[2J\u{7}b\u{202e}c\u{200b}\r\n\td", style.bold("hit"));
        let expected = "\u{1b}[1mhit\u{1b}[0m a<U+001B>[2J<U+0007>b<U+202E>c<U+000D>\n\td";
        assert_eq!(for_terminal(&text), expected);
        let plain = Style { color: false, width: 80 };
        assert_eq!(plain.bad("a"), "a");
    }

    #[test]
    fn json_keeps_its_value() {
        let value = serde_json::json!({"a": "x\u{1b}\u{202e}\u{e0001}\u{9b}é\n"});
        let json = json_for_terminal(&value.to_string());
        assert!(!json.contains(is_hidden), "{json}");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&json).expect("JSON"), value);
    }

    proptest! {
        #[test]
        fn nothing_hidden_passes(text in any::<String>()) {
            let without_marks: String =
                text.chars().filter(|c| !MARKS.iter().any(|(mark, _)| mark == c)).collect();
            prop_assert!(!for_terminal(&without_marks).contains(is_hidden));
            prop_assert!(!json_for_terminal(&text).contains(is_hidden));
        }
    }
}
