//! An answer in the form that the script of the page reads.

use fiel_metrics::parse_citations;
use serde::Serialize;
use serde_json::{Value as Json, json};

use super::{number::Num, quote::locate, texts::TextPool};
use fiel_record::{ClaimRecord, ReadRecord};

/// An answer. Equal answers are stored once: runs that differ only in retrieval share those with
/// the oracle context. The fields have one letter in the page, because there are thousands of
/// answers.
#[derive(Debug, Serialize)]
pub(super) struct Reading {
    /// Positions of the chunks in the context.
    #[serde(rename = "p")]
    passages: Vec<usize>,
    /// Ids that the passages are cited by; empty if they are 1, 2, …
    #[serde(rename = "i", skip_serializing_if = "Vec::is_empty")]
    ids: Vec<String>,
    /// Positions of the chunks that the token limit dropped.
    #[serde(rename = "d", skip_serializing_if = "Vec::is_empty")]
    dropped: Vec<usize>,
    /// The prompt as positions of strings.
    #[serde(rename = "s")]
    prompt: Vec<usize>,
    #[serde(rename = "a")]
    answer: String,
    /// The first output, if it only repeated the question.
    #[serde(rename = "o", skip_serializing_if = "Option::is_none")]
    echo: Option<String>,
    /// Bit 0: abstained. Bit 1: right.
    #[serde(rename = "f")]
    flags: u8,
    /// `[start, end, support, share, cites, reason, text]` without trailing nulls. Start and end
    /// are UTF-16 offsets into the answer; they are null and the text is present if the answer
    /// does not contain the claim literally. Support has bit 0 for the cited passages and bit 1
    /// for the whole context.
    #[serde(rename = "c")]
    claims: Vec<Vec<Json>>,
    #[serde(rename = "m")]
    markers: Vec<Marker>,
    /// Tokens of prompt and answer.
    #[serde(rename = "t")]
    tokens: (usize, usize),
    #[serde(rename = "e", skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// A citation marker of an answer: start, end (UTF-16 offsets) and cited ids.
type Marker = (usize, usize, Vec<String>);

impl Reading {
    pub(super) fn new(read: &ReadRecord, pool: &mut TextPool<'_>) -> Self {
        let places: Vec<_> =
            read.passages.iter().map(|passage| pool.chunk(&passage.chunk)).collect();
        let texts: Vec<usize> = places.iter().filter_map(|place| place.text).collect();
        let dropped = pool.chunks(&read.dropped);
        let mut numbered = read.passages.iter().enumerate();
        let ids = if numbered.all(|(at, p)| p.id == (at + 1).to_string()) {
            Vec::new()
        } else {
            read.passages.iter().map(|p| p.id.clone()).collect()
        };
        let mut from = 0;
        let claims = read.claims.iter();
        let claims = claims.map(|claim| encode(claim, &read.answer, &mut from, pool)).collect();
        Self {
            passages: places.iter().map(|place| place.chunk).collect(),
            ids,
            dropped,
            prompt: pieces(&read.prompt, &texts, pool),
            answer: read.answer.clone(),
            echo: read.echoed.clone(),
            flags: u8::from(read.abstained) | u8::from(read.right) << 1,
            claims,
            markers: markers(read),
            tokens: (read.prompt_tokens, read.answer_tokens),
            error: read.error.clone(),
        }
    }
}

fn markers(read: &ReadRecord) -> Vec<Marker> {
    let offered: Vec<&str> = read.passages.iter().map(|p| p.id.as_str()).collect();
    let units = |bytes: usize| read.answer[..bytes].encode_utf16().count();
    parse_citations(&read.answer, &offered)
        .into_iter()
        .map(|citation| {
            let ids = citation.ids.into_iter().map(|id| id.id).collect();
            (units(citation.span.start), units(citation.span.end), ids)
        })
        .collect()
}

fn encode(
    claim: &ClaimRecord,
    answer: &str,
    from: &mut usize,
    pool: &mut TextPool<'_>,
) -> Vec<Json> {
    let place = locate(answer, &claim.text, *from);
    if let Some(place) = &place {
        *from = place.end;
    }
    let reason = claim.reason.as_deref().map(|reason| pool.string(reason));
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

/// A prompt as positions of strings: the texts of its passages and the lines between them, which
/// most prompts share.
fn pieces(prompt: &str, texts: &[usize], pool: &mut TextPool<'_>) -> Vec<usize> {
    let mut found: Vec<(usize, usize, usize)> = Vec::new();
    for &text in texts {
        let words = pool.get(text);
        if words.is_empty() {
            continue;
        }
        if let Some(at) = prompt.find(words) {
            found.push((at, at + words.len(), text));
        }
    }
    found.sort_unstable();
    let mut out = Vec::new();
    let mut done = 0;
    let mut lines = |text: &str, out: &mut Vec<usize>| {
        out.extend(text.split_inclusive('\n').map(|line| pool.string(line)));
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
    use crate::ChunkTexts;
    use fiel_record::PassageRecord;

    fn read() -> ReadRecord {
        ReadRecord {
            passages: vec![PassageRecord { id: "1".into(), chunk: "d#1".into(), merged: vec![] }],
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
    fn the_pieces_of_a_prompt_join_to_it_and_store_each_text_once() {
        let sets = [ChunkTexts {
            chunks_sha256: "set".into(),
            texts: [("d#1".to_owned(), "The text.".to_owned())].into(),
        }];
        let mut pool = TextPool::default();
        pool.select("set", &sets);
        let reading = Reading::new(&read(), &mut pool);
        let prompt: String = reading.prompt.iter().map(|&at| pool.get(at)).collect();
        assert_eq!(prompt, read().prompt);
        let (strings, chunks) = pool.into_lists();
        assert_eq!(chunks, [("d#1".to_owned(), Some(0))]);
        assert_eq!(strings[0], "The text.");
        assert_eq!(strings.iter().filter(|s| s.contains("text")).count(), 1);
    }

    #[test]
    fn claims_and_markers_have_utf_16_offsets() {
        let reading = Reading::new(&read(), &mut TextPool::default());
        let units: Vec<u16> = read().answer.encode_utf16().collect();
        let cut = |a: usize, b: usize| String::from_utf16(&units[a..b]).expect("whole characters");
        let claim = |at: usize| {
            let unit = |end: usize| reading.claims[at][end].as_u64().expect("an offset") as usize;
            cut(unit(0), unit(1))
        };
        assert_eq!((claim(0).as_str(), claim(1).as_str()), ("Yes", "Né 𝒳 so"));
        assert_eq!(
            (&reading.claims[2][0], &reading.claims[2][6]),
            (&Json::Null, &json!("elsewhere"))
        );
        let markers: Vec<String> = reading.markers.iter().map(|m| cut(m.0, m.1)).collect();
        assert_eq!(markers, ["[1]", "[2]"]);
    }
}
