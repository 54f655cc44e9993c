use std::collections::BTreeMap;

use fiel_metrics::parse_citations;
use serde::Serialize;
use serde_json::{Value as Json, json};

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
    /// Chunks of the passages.
    p: Vec<usize>,
    /// Ids the passages are cited by, where they are not 1, 2, …
    #[serde(skip_serializing_if = "Vec::is_empty")]
    i: Vec<String>,
    /// Chunks dropped.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    d: Vec<usize>,
    /// The prompt in pieces: place of a string.
    s: Vec<usize>,
    /// The answer.
    a: String,
    /// What came first and only repeated the question.
    #[serde(skip_serializing_if = "Option::is_none")]
    o: Option<String>,
    /// 1: a refusal; 2: right.
    f: u8,
    /// Claims: `[start, end, support, share, cites, reason, words]`; the words where they do not
    /// stand in the answer as they are, start and end being null then. Support: 1 by what is
    /// cited, 2 by the whole context.
    c: Vec<Vec<Json>>,
    /// Citation markers: `[start, end, id …]`.
    m: Vec<Marker>,
    /// Tokens of prompt and answer.
    t: (usize, usize),
    /// Why it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    e: Option<String>,
}

/// Gives the place of a chunk and of its text.
pub(super) type Numbering<'a> = dyn FnMut(&str, &mut Strings) -> (usize, Option<usize>) + 'a;

type Marker = (usize, usize, Vec<String>);

impl Reading {
    pub(super) fn of(read: &ReadRecord, strings: &mut Strings, chunk: &mut Numbering<'_>) -> Self {
        let mut texts = Vec::new();
        let mut p = Vec::new();
        for passage in &read.passages {
            let (at, text) = chunk(&passage.chunk, strings);
            p.push(at);
            texts.extend(text);
        }
        let d = read.dropped.iter().map(|id| chunk(id, strings).0).collect();
        let ids = read.passages.iter().map(|p| p.id.clone());
        let counted = read.passages.iter().enumerate();
        let i = match counted
            .into_iter()
            .all(|(at, p)| p.id == (at + 1).to_string())
        {
            true => Vec::new(),
            false => ids.collect(),
        };
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
            i,
            d,
            s: pieces(&read.prompt, &texts, strings),
            a: read.answer.clone(),
            o: read.echoed.clone(),
            f: u8::from(read.abstained) | u8::from(read.right) << 1,
            c,
            m,
            t: (read.prompt_tokens, read.answer_tokens),
            e: read.error.clone(),
        }
    }
}

fn encode(claim: &ClaimRecord, answer: &str, from: &mut usize, strings: &mut Strings) -> Vec<Json> {
    let place = locate(answer, &claim.text, *from);
    if let Some(place) = &place {
        *from = place.end;
    }
    let reason = claim.reason.as_deref().map(|reason| strings.place(reason));
    let mut out = vec![
        json!(place.as_ref().map(|p| p.start)),
        json!(place.as_ref().map(|p| p.end)),
        json!(u8::from(claim.strict) | u8::from(claim.loose) << 1),
        json!(Num::rounded(claim.share, 2)),
        json!(claim.cites),
        json!(reason),
        json!(place.is_none().then_some(&claim.text)),
    ];
    while out.last().is_some_and(Json::is_null) {
        out.pop();
    }
    out
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
                merged: vec![],
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
                    ..ClaimRecord::default()
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
        let place = |at: usize| {
            let unit = |end: usize| reading.c[at][end].as_u64().expect("a place") as usize;
            cut(unit(0), unit(1))
        };
        assert_eq!((place(0).as_str(), place(1).as_str()), ("Yes", "Né 𝒳 so"));
        assert_eq!(
            (&reading.c[2][0], &reading.c[2][6]),
            (&Json::Null, &json!("elsewhere"))
        );
        let markers: Vec<String> = reading.m.iter().map(|m| cut(m.0, m.1)).collect();
        assert_eq!(markers, ["[1]", "[2]"]);
    }
}
