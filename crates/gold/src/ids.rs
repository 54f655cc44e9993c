//! Ids of further questions, in the style of those that are there.

use fiel_text::without_accents;

/// Ids from which a common prefix is a style and no chance.
const FEW: usize = 3;

/// An id that is not taken. Where all ids are one prefix and a number, the next number; else the
/// first words of the question, behind the prefix that all ids share up to a hyphen, and with a
/// number when they are taken.
pub(crate) fn fresh_id(taken: &[&str], words: &[String]) -> String {
    if let Some(id) = next_number(taken) {
        return id;
    }
    let words = match words {
        [] => "question".to_owned(),
        _ => words.join("-"),
    };
    let words = match taken.iter().all(|id| id.is_ascii()) {
        true => without_accents(&words),
        false => words,
    };
    unique(taken, &format!("{}{words}", prefix(taken)))
}

/// The id of a variant of a question: its own with a word behind it, or the next number.
pub(crate) fn variant_id(taken: &[&str], of: &str, word: &str) -> String {
    next_number(taken).unwrap_or_else(|| unique(taken, &format!("{of}-{word}")))
}

fn unique(taken: &[&str], base: &str) -> String {
    let numbered = (2..).map(|n| format!("{base}-{n}"));
    let mut all = std::iter::once(base.to_owned()).chain(numbered);
    let free = all.find(|id| !taken.contains(&id.as_str()));
    free.unwrap_or_else(|| base.to_owned())
}

/// `v-` of `v-eat`, `v-go-home` and `v-shall`.
fn prefix<'a>(taken: &[&'a str]) -> &'a str {
    let Some((first, _)) = taken.first().and_then(|id| id.split_once('-')) else {
        return "";
    };
    let prefix = &taken[0][..=first.len()];
    match taken.len() >= FEW && taken.iter().all(|id| id.starts_with(prefix)) {
        true => prefix,
        false => "",
    }
}

/// `q043` of `q007` and `q042`.
fn next_number(taken: &[&str]) -> Option<String> {
    let head = |id: &str| id.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let first = taken.first()?;
    let prefix = &first[..head(first)];
    let mut greatest: Option<(u64, usize)> = None;
    for id in taken {
        let digits = id.strip_prefix(prefix).filter(|_| head(id) == prefix.len())?;
        greatest = greatest.max(Some((digits.parse().ok()?, digits.len())));
    }
    let (number, width) = greatest.filter(|_| taken.len() >= FEW)?;
    Some(format!("{prefix}{:0width$}", number.checked_add(1)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fresh(taken: &[&str], words: &str) -> String {
        let words: Vec<String> = words.split_whitespace().map(str::to_owned).collect();
        fresh_id(taken, &words)
    }

    #[test]
    fn a_prefix_is_kept_and_a_number_goes_on() {
        assert_eq!(fresh(&["v-eat", "v-go-home", "v-shall"], "past buy"), "v-past-buy");
        assert_eq!(fresh(&["q007", "q042", "q008"], "past buy"), "q043");
        assert_eq!(fresh(&["9", "10", "8"], "past"), "11");
        assert_eq!(fresh(&["l-99", "l-7", "l-8"], "past"), "l-100");
        // One of them is not a number behind the prefix.
        assert_eq!(fresh(&["l-99", "l-7", "l-x8"], "past"), "l-past");
    }

    #[test]
    fn without_a_style_the_words_are_the_id() {
        assert_eq!(fresh(&[], "past buy"), "past-buy");
        assert_eq!(fresh(&["a-1", "a-2"], "past"), "past");
        assert_eq!(fresh(&["eat", "drink", "go"], ""), "question");
        // Accents are left out where no id has any.
        assert_eq!(fresh(&["l-uno", "l-dos", "l-tres"], "cuántos años"), "l-cuantos-anos");
        assert_eq!(fresh(&["año"], "cuántos años"), "cuántos-años");
        assert_eq!(fresh(&["v-past", "v-past-2", "v-go"], "past"), "v-past-3");
        assert_eq!(fresh(&["past", "v-past", "v-go"], "past"), "past-2");
    }

    #[test]
    fn a_variant_follows_its_question() {
        assert_eq!(variant_id(&["v-eat", "v-go", "v-be"], "v-eat", "typo"), "v-eat-typo");
        assert_eq!(variant_id(&["q1", "q2", "q3"], "q2", "typo"), "q4");
        assert_eq!(variant_id(&["v-eat", "v-eat-typo"], "v-eat", "typo"), "v-eat-typo-2");
    }
}
