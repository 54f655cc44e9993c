//! Whether a text contains a quotation, if neither its markup nor its borders are known: a
//! passage of another system.

use unicode_normalization::UnicodeNormalization;

use crate::{alphanumeric_runs, is_ignorable};

/// Least number of characters that a cut quotation must share with the start or end of a text;
/// fewer could match by chance.
const LEAST_CUT: usize = 20;

/// A text prepared for [`LooseText::contains`]: NFKC, lower case, and a blank for every run of
/// characters that are neither letters nor digits, so that markup, punctuation and line ends do not
/// matter.
///
/// ```
/// use fiel_text::LooseText;
///
/// let passage = LooseText::new("It becomes\n **agreed**, she says.");
/// assert!(passage.contains(&LooseText::new("becomes *Agreed*")));
/// ```
pub struct LooseText(Vec<char>);

impl LooseText {
    /// Prepares a text.
    pub fn new(text: &str) -> Self {
        let visible = text.chars().filter(|c| !is_ignorable(*c));
        let folded: String = visible.nfkc().flat_map(char::to_lowercase).collect();
        let words: Vec<&str> = alphanumeric_runs(&folded).collect();
        Self(format!(" {} ", words.join(" ")).chars().collect())
    }

    /// Whether this text contains the quotation between word borders, or, if the text begins or
    /// ends within the quotation, at least half of its letters and digits. Returns `false` for a
    /// quotation without any.
    pub fn contains(&self, quote: &LooseText) -> bool {
        let whole = count(&quote.0);
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

    /// The characters without the blanks at both ends.
    fn inner(&self) -> &[char] {
        let end = self.0.len() - 1;
        self.0.get(1..end).unwrap_or_default()
    }
}

/// Number of letters and digits.
fn count(chars: &[char]) -> usize {
    chars.iter().filter(|c| **c != ' ').count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contains(context: &str, quote: &str) -> bool {
        LooseText::new(context).contains(&LooseText::new(quote))
    }

    #[test]
    fn markup_case_and_white_space_do_not_matter() {
        assert!(contains("It becomes\n **agreed**, says\tshe.", "becomes *Agreed*, says"));
        assert!(contains("| see | seeing |\n| agree | agreeing |", "agree agreeing"));
        assert!(contains("un cafe\u{301} solo", "Café solo"));
    }

    #[test]
    fn words_are_whole() {
        assert!(!contains("bad weather", "eat"));
        assert!(!contains("", "eat"));
        assert!(!contains("eat", "–"));
        assert!(!contains("an entirely different passage about tea", "the past of eat is ate"));
    }

    #[test]
    fn half_of_a_quotation_at_the_edge_of_a_context_is_enough() {
        let quote = "The past participle of the irregular verb eat is eaten.";
        assert!(contains("Before that. The past participle of the irregular", quote));
        assert!(contains("of the irregular verb eat is eaten. And so on.", quote));
        assert!(contains("past participle of the irregular verb eat", quote));
        // A quarter of it, and half of it in the middle of other words.
        assert!(!contains("Before that. The past participle", quote));
        assert!(!contains("Here, the past participle of the irregular verb go is gone.", quote));
        // Half of a short quotation could be anything.
        assert!(!contains("He said that", "that is it"));
    }
}
