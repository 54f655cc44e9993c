//! Prompt texts with named slots.

use crate::PromptFault;

/// A text with named slots such as `{name}`: lower-case letters and `_` in braces. Braces around
/// anything else are text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PromptTemplate {
    /// Each slot with the text before it.
    parts: Vec<(String, String)>,
    /// The text after the last slot.
    rest: String,
}

impl PromptTemplate {
    /// Parses a text that must contain each of `slots` and no other. `key` is the place of the text
    /// in its file, for errors.
    ///
    /// # Errors
    /// [`PromptFault::UnknownSlot`] or [`PromptFault::MissingSlot`].
    pub fn parse(key: &str, text: &str, slots: &[&str]) -> Result<Self, PromptFault> {
        let mut parts: Vec<(String, String)> = Vec::new();
        let mut rest = text;
        let mut plain = String::new();
        while let Some(open) = rest.find('{') {
            let (before, from_brace) = rest.split_at(open);
            plain.push_str(before);
            let name = from_brace[1..].split('}').next().unwrap_or_default();
            let is_slot = from_brace.len() > name.len() + 1
                && !name.is_empty()
                && name.chars().all(|c| c.is_ascii_lowercase() || c == '_');
            if !is_slot {
                plain.push('{');
                rest = &from_brace[1..];
                continue;
            }
            if !slots.contains(&name) {
                let allowed: Vec<String> = slots.iter().map(|s| format!("{{{s}}}")).collect();
                let (key, slot) = (key.to_owned(), name.to_owned());
                return Err(PromptFault::UnknownSlot(key, slot, allowed.join(", ")));
            }
            parts.push((std::mem::take(&mut plain), name.to_owned()));
            rest = &from_brace[name.len() + 2..];
        }
        plain.push_str(rest);
        let is_used = |name: &str| parts.iter().any(|(_, slot)| slot == name);
        if let Some(missing) = slots.iter().find(|name| !is_used(name)) {
            return Err(PromptFault::MissingSlot(key.to_owned(), (*missing).to_owned()));
        }
        Ok(Self { parts, rest: plain })
    }

    /// Fills the slots with the values of their names. Slots in a value are not filled.
    pub fn fill(&self, values: &[(&str, &str)]) -> String {
        let mut filled = String::new();
        for (text, slot) in &self.parts {
            let value = values.iter().find(|(name, _)| name == slot);
            filled.push_str(text);
            filled.push_str(value.map_or("", |(_, value)| value));
        }
        filled + &self.rest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_are_filled_once_and_other_braces_are_text() {
        let template =
            PromptTemplate::parse("k", "{a}: {\"x\": {b}} {", &["a", "b"]).expect("parses");
        assert_eq!(template.fill(&[("a", "{b}"), ("b", "2")]), "{b}: {\"x\": 2} {");
    }

    #[test]
    fn unknown_and_missing_slots_are_named() {
        let error = |text| {
            let parsed = PromptTemplate::parse("k", text, &["a", "b"]);
            parsed.expect_err("wrong slots").to_string()
        };
        assert_eq!(error("{a} {c}"), "k: unknown slot {c}; the slots are {a}, {b}");
        assert_eq!(error("{a}"), "k: the slot {b} is missing");
    }
}
