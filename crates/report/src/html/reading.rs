use std::collections::BTreeMap;

use fiel_metrics::parse_citations;
use serde::Serialize;

use super::{number::Num, quote::locate};
use crate::{ClaimRecord, ReadRecord};

/// Texts that occur more than once, each kept once, by their place.
#[derive(Debug, Default)]
pub(super) struct Strings {
    at: BTreeMap<String, usize>,
    pub(super) list: Vec<String>,
}

impl Strings {
    pub(super) fn place(&mut self, text: &str) -> usize {
        if let Some(&at) = self.at.get(text) {
            return at;
        }
        self.at.insert(text.to_owned(), self.list.len());
        self.list.push(text.to_owned());
        self.list.len() - 1
    }
}

/// An answer. Equal ones are kept once: arms that differ in retrieval alone share the oracle's.
#[derive(Debug, Serialize)]
pub(super) struct Reading {
    /// Passages: the id they are cited by, and the chunk.
    p: Vec<(String, usize)>,
    /// Chunks dropped.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    d: Vec<usize>,
    /// The prompt in pieces: place of a string.
    s: Vec<usize>,
    /// The answer.
    a: String,
    /// 1: a refusal; 2: right.
    f: u8,
    /// Claims: `[start, end, support, share, reason, cites]`, and the words where they do not
    /// stand in the answer as they are; start is then null.
    c: Vec<Claim>,
    /// Citation markers: `[start, end, id …]`.
    m: Vec<Marker>,
    /// Tokens of prompt and answer.
    t: (usize, usize),
    /// Why it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    e: Option<String>,
}

/// Support: 1 by what is cited, 2 by the whole context.
type Claim = (
    Option<usize>,
    Option<usize>,
    u8,
    Num,
    Option<usize>,
    Vec<String>,
    Option<String>,
);

/// Gives the place of a chunk and of its text.
pub(super) type Numbering<'a> = dyn FnMut(&str, &mut Strings) -> (usize, Option<usize>) + 'a;

type Marker = (usize, usize, Vec<String>);

impl Reading {
    pub(super) fn of(read: &ReadRecord, strings: &mut Strings, chunk: &mut Numbering<'_>) -> Self {
        let mut texts = Vec::new();
        let mut p = Vec::new();
        for passage in &read.passages {
            let (at, text) = chunk(&passage.chunk, strings);
            p.push((passage.id.clone(), at));
            texts.extend(text);
        }
        let d = read.dropped.iter().map(|id| chunk(id, strings).0).collect();
        let offered: Vec<&str> = read.passages.iter().map(|p| p.id.as_str()).collect();
        let units = |bytes: usize| read.answer[..bytes].encode_utf16().count();
        let m = parse_citations(&read.answer, &offered)
            .into_iter()
            .map(|c| {
                let ids = c.ids.into_iter().map(|id| id.id).collect();
                (units(c.span.start), units(c.span.end), ids)
            })
            .collect();
        let mut from = 0;
        let claims = read.claims.iter();
        let c = claims
            .map(|claim| encode(claim, &read.answer, &mut from, strings))
            .collect();
        Self {
            p,
            d,
            s: pieces(&read.prompt, &texts, strings),
            a: read.answer.clone(),
            f: u8::from(read.abstained) | u8::from(read.right) << 1,
            c,
            m,
            t: (read.prompt_tokens, read.answer_tokens),
            e: read.error.clone(),
        }
    }
}

fn encode(claim: &ClaimRecord, answer: &str, from: &mut usize, strings: &mut Strings) -> Claim {
    let place = locate(answer, &claim.text, *from);
    if let Some(place) = &place {
        *from = place.end;
    }
    (
        place.as_ref().map(|p| p.start),
        place.as_ref().map(|p| p.end),
        u8::from(claim.strict) | u8::from(claim.loose) << 1,
        Num::rounded(claim.share, 2),
        claim.reason.as_deref().map(|reason| strings.place(reason)),
        claim.cites.clone(),
        place.is_none().then(|| claim.text.clone()),
    )
}

/// A prompt as places of strings: the texts of its passages, and the lines between them, which
/// most prompts share.
fn pieces(prompt: &str, texts: &[usize], strings: &mut Strings) -> Vec<usize> {
    let mut found: Vec<(usize, usize, usize)> = Vec::new();
    for &text in texts {
        let words = &strings.list[text];
        if words.is_empty() {
            continue;
        }
        if let Some(at) = prompt.find(words.as_str()) {
            found.push((at, at + words.len(), text));
        }
    }
    found.sort_unstable();
    let mut out = Vec::new();
    let mut done = 0;
    let mut lines = |text: &str, out: &mut Vec<usize>| {
        out.extend(text.split_inclusive('\n').map(|line| strings.place(line)));
    };
    for (start, end, text) in found {
        if start < done {
            continue;
        }
        lines(&prompt[done..start], &mut out);
        out.push(text);
        done = end;
    }
    lines(&prompt[done..], &mut out);
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PassageRecord;

    fn read() -> ReadRecord {
        ReadRecord {
            passages: vec![PassageRecord {
                id: "1".into(),
                chunk: "d#1".into(),
            }],
            prompt: "Rules.\n[1] The text.\nQuestion: why?".into(),
            answer: "Yes [1]. Né 𝒳 so [2].".into(),
            claims: ["Yes.", "Né 𝒳 so", "elsewhere"]
                .map(|text| ClaimRecord {
                    text: text.into(),
                    cites: vec!["1".into()],
                    strict: true,
                    loose: false,
                    share: 0.666,
                    reason: Some("why".into()),
                })
                .to_vec(),
            ..ReadRecord::default()
        }
    }

    #[test]
    fn a_prompt_comes_back_from_its_pieces_and_holds_no_text_twice() {
        let mut strings = Strings::default();
        let mut chunk = |_: &str, strings: &mut Strings| (0, Some(strings.place("The text.")));
        let reading = Reading::of(&read(), &mut strings, &mut chunk);
        let prompt: String = reading.s.iter().map(|&at| &*strings.list[at]).collect();
        assert_eq!(prompt, read().prompt);
        assert_eq!(strings.list[0], "The text.");
        assert_eq!(
            strings
                .list
                .iter()
                .filter(|s| s.contains("The text"))
                .count(),
            1
        );
    }

    #[test]
    fn claims_and_markers_have_their_places_in_utf_16() {
        let mut strings = Strings::default();
        let mut chunk = |_: &str, _: &mut Strings| (0, None);
        let reading = Reading::of(&read(), &mut strings, &mut chunk);
        let units: Vec<u16> = read().answer.encode_utf16().collect();
        let cut = |a: usize, b: usize| String::from_utf16(&units[a..b]).expect("whole characters");
        let [first, second, third] = &reading.c[..] else {
            panic!("{:?}", reading.c);
        };
        assert_eq!(
            cut(first.0.expect("a place"), first.1.expect("an end")),
            "Yes"
        );
        assert_eq!(
            cut(second.0.expect("a place"), second.1.expect("an end")),
            "Né 𝒳 so"
        );
        assert_eq!((third.0, third.6.as_deref()), (None, Some("elsewhere")));
        let markers: Vec<String> = reading.m.iter().map(|m| cut(m.0, m.1)).collect();
        assert_eq!(markers, ["[1]", "[2]"]);
    }
}
