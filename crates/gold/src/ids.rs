//! Ids of new questions, in the style of the existing ones.

use fiel_text::without_accents;

/// Number of ids from which a common prefix is taken for a style.
const FEW: usize = 3;

/// A free id: the next number if all ids are a prefix and a number; else the first words of the
/// question after the prefix up to a hyphen that all ids share, with a number if it is taken.
pub(crate) fn fresh_id(taken: &[&str], words: &[String]) -> String {
    if let Some(id) = next_number(taken) {
        return id;
    }
    let mut words = if words.is_empty() { "question".to_owned() } else { words.join("-") };
    if taken.iter().all(|id| id.is_ascii()) {
        words = without_accents(&words);
    }
    unique(&format!("{}{words}", prefix(taken)), |id| taken.contains(&id))
}

/// A free id for a variant of a question: the next number, or the id of the question and a word.
pub(crate) fn variant_id(taken: &[&str], id: &str, word: &str) -> String {
    next_number(taken).unwrap_or_else(|| unique(&format!("{id}-{word}"), |id| taken.contains(&id)))
}

/// The first free name of `base`, `base-2`, `base-3`, …
pub(crate) fn unique(base: &str, is_taken: impl Fn(&str) -> bool) -> String {
    let mut name = base.to_owned();
    let mut number = 2;
    while is_taken(&name) {
        name = format!("{base}-{number}");
        number += 1;
    }
    name
}

/// `v-` for `v-eat`, `v-go-home` and `v-shall`.
fn prefix<'a>(taken: &[&'a str]) -> &'a str {
    let end = taken.first().and_then(|id| id.find('-')).filter(|_| taken.len() >= FEW);
    let prefix = end.map_or("", |end| &taken[0][..=end]);
    if taken.iter().all(|id| id.starts_with(prefix)) { prefix } else { "" }
}

/// `q043` for `q007` and `q042`.
fn next_number(taken: &[&str]) -> Option<String> {
    let head = |id: &str| id.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let first = taken.first().filter(|_| taken.len() >= FEW)?;
    let prefix = &first[..head(first)];
    let mut greatest: (u64, usize) = (0, 0);
    for id in taken {
        let digits = id.strip_prefix(prefix).filter(|_| head(id) == prefix.len())?;
        greatest = greatest.max((digits.parse().ok()?, digits.len()));
    }
    let (number, width) = greatest;
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
    fn a_prefix_stays_and_a_number_continues() {
        assert_eq!(fresh(&["v-eat", "v-go-home", "v-shall"], "past buy"), "v-past-buy");
        assert_eq!(fresh(&["q007", "q042", "q008"], "past buy"), "q043");
        assert_eq!(fresh(&["9", "10", "8"], "past"), "11");
        assert_eq!(fresh(&["l-99", "l-7", "l-8"], "past"), "l-100");
        // One id has no number after the prefix.
        assert_eq!(fresh(&["l-99", "l-7", "l-x8"], "past"), "l-past");
    }

    #[test]
    fn without_a_style_the_words_are_the_id() {
        assert_eq!(fresh(&[], "past buy"), "past-buy");
        assert_eq!(fresh(&["a-1", "a-2"], "past"), "past");
        assert_eq!(fresh(&["eat", "drink", "go"], ""), "question");
        // Accents are removed if no id has any.
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
