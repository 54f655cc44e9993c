//! Prompt texts with named slots.

use crate::PromptFault;

/// A text with named slots such as `{name}`: lower-case letters and `_` in braces. Braces around
/// anything else are text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PromptTemplate {
    parts: Vec<TemplatePart>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum TemplatePart {
    Text(String),
    Slot(String),
}

impl PromptTemplate {
    /// Parses a text that must contain each of `slots` and no other. `key` is the place of the text
    /// in its file, for errors.
    ///
    /// # Errors
    /// [`PromptFault::UnknownSlot`] or [`PromptFault::MissingSlot`].
    pub fn parse(key: &str, text: &str, slots: &[&str]) -> Result<Self, PromptFault> {
        let mut parts = Vec::new();
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
                return Err(PromptFault::UnknownSlot {
                    key: key.to_owned(),
                    slot: name.to_owned(),
                    expected: listed(slots),
                });
            }
            parts.push(TemplatePart::Text(std::mem::take(&mut plain)));
            parts.push(TemplatePart::Slot(name.to_owned()));
            rest = &from_brace[name.len() + 2..];
        }
        plain.push_str(rest);
        parts.push(TemplatePart::Text(plain));
        let is_used = |name: &str| {
            parts.iter().any(|part| matches!(part, TemplatePart::Slot(slot) if slot == name))
        };
        match slots.iter().find(|name| !is_used(name)) {
            Some(missing) => {
                Err(PromptFault::MissingSlot { key: key.to_owned(), slot: (*missing).to_owned() })
            }
            None => Ok(Self { parts }),
        }
    }

    /// Fills the slots with the values of their names. Slots in a value are not filled.
    pub fn fill(&self, values: &[(&str, &str)]) -> String {
        let value = |name: &str| {
            let named = values.iter().find(|(known, _)| *known == name);
            named.map_or("", |(_, value)| value)
        };
        let part = |part: &TemplatePart| match part {
            TemplatePart::Text(text) => text.clone(),
            TemplatePart::Slot(name) => value(name).to_owned(),
        };
        self.parts.iter().map(part).collect()
    }
}

fn listed(slots: &[&str]) -> String {
    let names: Vec<String> = slots.iter().map(|name| format!("{{{name}}}")).collect();
    names.join(", ")
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
