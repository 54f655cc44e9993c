//! Claims that list several things.

/// Least number of items of a list. Fewer are covered by the sentences that are compared with a claim.
const LEAST_ITEMS: usize = 4;
/// Most words of an item after the first. Longer parts are clauses, and no items.
const ITEM_WORDS: usize = 4;

/// The items of a claim that lists four or more things: "The kit holds a lamp", "a rope", "a knife",
/// "two batteries". The first keeps the words before it. `None` for any other claim.
///
/// ```
/// use fiel_metrics::listed_items;
///
/// let items = listed_items("It holds a lamp, a rope, a map and two batteries.").expect("a list");
/// assert_eq!(items, ["It holds a lamp", "a rope", "a map", "two batteries"]);
/// assert_eq!(listed_items("It holds a lamp, a rope and a map."), None);
/// ```
pub fn listed_items(claim: &str) -> Option<Vec<&str>> {
    let claim = claim.trim().trim_end_matches('.');
    let mut items: Vec<&str> = Vec::new();
    for part in claim.split([',', ';']) {
        // The last two items have a conjunction between them, with or without a comma before it.
        let part = part.trim();
        let part = ["and ", "or ", "y ", "e ", "o "]
            .iter()
            .find_map(|conjunction| part.strip_prefix(conjunction))
            .unwrap_or(part);
        let pair = [" and ", " or ", " y ", " e ", " o "]
            .iter()
            .find_map(|conjunction| part.split_once(conjunction))
            .filter(|_| !items.is_empty());
        match pair {
            Some((before, last)) => items.extend([before.trim(), last.trim()]),
            None => items.push(part),
        }
    }
    let is_item = |item: &&str| (1..=ITEM_WORDS).contains(&item.split_whitespace().count());
    (items.len() >= LEAST_ITEMS && items[1..].iter().all(is_item)).then_some(items)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_short_items_are_a_list() {
        for claim in [
            "In 1998, after the war had ended, the city, which was small, grew.",
            "One, two and three.",
            "A, , b, c",
        ] {
            assert_eq!(listed_items(claim), None, "{claim}");
        }
        let items = listed_items("Lleva pan, queso, vino, agua o café").expect("a list");
        assert_eq!(items, ["Lleva pan", "queso", "vino", "agua", "café"]);
        let items = listed_items("red, green, blue, and black").expect("a list");
        assert_eq!(items.last(), Some(&"black"));
    }
}
