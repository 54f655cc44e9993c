//! Whether a context of another system holds a quotation, when only its text is known.

use unicode_normalization::UnicodeNormalization;

/// Characters that a quotation cut at the edge of a context must share with it: less could be
/// there by chance.
const LEAST_CUT: usize = 20;

/// A text prepared for [`Words::holds`]: NFKC, lower case, and of anything but letters and digits
/// only that it separates, so that markup, punctuation and line ends do not matter.
pub(super) struct Words(Vec<char>);

impl Words {
    pub(super) fn new(text: &str) -> Self {
        let mut words: Vec<char> = vec![' '];
        for c in text.nfkc().flat_map(char::to_lowercase) {
            if c.is_alphanumeric() {
                words.push(c);
            } else if words.last() != Some(&' ') {
                words.push(' ');
            }
        }
        if words.last() != Some(&' ') {
            words.push(' ');
        }
        Self(words)
    }

    /// Whether this text holds at least half of the quotation's characters, blanks aside: the
    /// whole of it between word borders, or, where a context begins or ends within it, the part
    /// up to there. A quotation without letters and digits is held by nothing.
    pub(super) fn holds(&self, quote: &Words) -> bool {
        let whole = quote.count();
        if whole == 0 {
            return false;
        }
        if self.0.windows(quote.0.len()).any(|w| w == quote.0) {
            return true;
        }
        let (text, quote) = (self.inner(), quote.inner());
        let enough = |part: &[char]| {
            let count = count(part);
            2 * count >= whole && count >= LEAST_CUT
        };
        let longest = text.len().min(quote.len());
        (1..=longest).any(|len| {
            let cut_at_start = text.starts_with(&quote[quote.len() - len..]);
            let cut_at_end = text.ends_with(&quote[..len]);
            (cut_at_start && enough(&text[..len])) || (cut_at_end && enough(&quote[..len]))
        }) || (enough(text) && quote.windows(text.len()).any(|w| w == text))
    }

    fn count(&self) -> usize {
        count(&self.0)
    }

    /// Without the blanks at both ends.
    fn inner(&self) -> &[char] {
        let end = self.0.len() - 1;
        self.0.get(1..end).unwrap_or_default()
    }
}

fn count(chars: &[char]) -> usize {
    chars.iter().filter(|c| **c != ' ').count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holds(context: &str, quote: &str) -> bool {
        Words::new(context).holds(&Words::new(quote))
    }

    #[test]
    fn markup_case_and_white_space_do_not_matter() {
        assert!(holds(
            "It becomes\n **agreed**, says\tshe.",
            "becomes *Agreed*, says"
        ));
        assert!(holds(
            "| see | seeing |\n| agree | agreeing |",
            "agree agreeing"
        ));
        assert!(holds("un cafe\u{301} solo", "Café solo"));
    }

    #[test]
    fn words_are_whole() {
        assert!(!holds("bad weather", "eat"));
        assert!(!holds("", "eat"));
        assert!(!holds("eat", "–"));
        assert!(!holds(
            "an entirely different passage about tea",
            "the past of eat is ate"
        ));
    }

    #[test]
    fn half_of_a_quotation_at_the_edge_of_a_context_is_enough() {
        let quote = "The past participle of the irregular verb eat is eaten.";
        assert!(holds(
            "Before that. The past participle of the irregular",
            quote
        ));
        assert!(holds(
            "of the irregular verb eat is eaten. And so on.",
            quote
        ));
        assert!(holds("past participle of the irregular verb eat", quote));
        // A quarter of it, and half of it in the middle of other words.
        assert!(!holds("Before that. The past participle", quote));
        assert!(!holds(
            "Here, the past participle of the irregular verb go is gone.",
            quote
        ));
        // Half of a short quotation could be anything.
        assert!(!holds("He said that", "that is it"));
    }
}
