/// A text with named slots, `{name}`: lower-case letters and `_` in braces. Braces around anything
/// else are text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Slots {
    parts: Vec<Part>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Text(String),
    Slot(String),
}

impl Slots {
    /// # Errors
    /// Which slot is unknown or missing.
    pub(crate) fn parse(text: &str, known: &[&str]) -> Result<Self, String> {
        let mut parts = Vec::new();
        let mut rest = text;
        let mut plain = String::new();
        while let Some(open) = rest.find('{') {
            let (before, from) = rest.split_at(open);
            plain.push_str(before);
            let name = from[1..].split('}').next().unwrap_or_default();
            let is_slot = from.len() > name.len() + 1
                && !name.is_empty()
                && name.chars().all(|c| c.is_ascii_lowercase() || c == '_');
            if !is_slot {
                plain.push('{');
                rest = &from[1..];
                continue;
            }
            if !known.contains(&name) {
                return Err(format!(
                    "it has no slot {{{name}}}; it has {}",
                    listed(known)
                ));
            }
            parts.push(Part::Text(std::mem::take(&mut plain)));
            parts.push(Part::Slot(name.to_owned()));
            rest = &from[name.len() + 2..];
        }
        plain.push_str(rest);
        parts.push(Part::Text(plain));
        let is_used = |name: &&&str| {
            !parts
                .iter()
                .any(|p| matches!(p, Part::Slot(s) if s == **name))
        };
        match known.iter().find(is_used) {
            Some(missing) => Err(format!("the slot {{{missing}}} is missing")),
            None => Ok(Self { parts }),
        }
    }

    /// The text with its slots filled. What fills a slot is not looked at again.
    pub(crate) fn fill(&self, values: &[(&str, &str)]) -> String {
        let value = |name: &str| {
            let found = values.iter().find(|(known, _)| *known == name);
            found.map_or("", |(_, value)| value)
        };
        let part = |part: &Part| match part {
            Part::Text(text) => text.clone(),
            Part::Slot(name) => value(name).to_owned(),
        };
        self.parts.iter().map(part).collect()
    }
}

fn listed(known: &[&str]) -> String {
    let names: Vec<String> = known.iter().map(|name| format!("{{{name}}}")).collect();
    names.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_are_filled_once_and_other_braces_are_text() {
        let slots = Slots::parse("{a}: {\"x\": {b}} {", &["a", "b"]).expect("parses");
        assert_eq!(slots.fill(&[("a", "{b}"), ("b", "2")]), "{b}: {\"x\": 2} {");
    }

    #[test]
    fn unknown_and_missing_slots_are_named() {
        let error = |text| Slots::parse(text, &["a", "b"]).expect_err("wrong");
        assert_eq!(error("{a} {c}"), "it has no slot {c}; it has {a}, {b}");
        assert_eq!(error("{a}"), "the slot {b} is missing");
    }
}
