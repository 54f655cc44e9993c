//! The claims of an answer.

use std::ops::Range;

use fiel_text::{Lang, SentenceRules, fold_white_space, sentences};

use super::{
    blocks::{AnswerBlockKind, blocks},
    clauses::clauses,
};
use crate::citation::{Citation, CitedId, parse_citations, remove_citations};

/// Unit of text that counts as one claim.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ClaimUnit {
    /// A sentence or a sentence of a list item.
    #[default]
    Sentence,
    /// A clause of a sentence.
    Clause,
}

/// One claim of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The claim without citation markers and bullets, with white space folded.
    pub text: String,
    /// Byte range of the claim in the answer, including its citation markers.
    pub span: Range<usize>,
    /// The ids cited for the claim in order, without repetitions.
    pub cited: Vec<CitedId>,
}

/// Splits an answer into claims and assigns the citations to them.
///
/// Each sentence is a claim, including the sentences of list items and a last line without a full
/// stop. Headings, code, and a line that ends with a colon before a list are not claims.
///
/// A citation marker belongs to the sentence that contains it; after a full stop, to the sentence
/// before it; alone on a line, to the claim before it. A marker before the first claim belongs to
/// the first claim. A clause without a marker shares the marker of the next clause of its sentence.
pub fn claims(answer: &str, offered: &[&str], unit: ClaimUnit, lang: Lang) -> Vec<Claim> {
    let citations = parse_citations(answer, offered);
    let markers: Vec<Range<usize>> = citations.iter().map(|c| c.span.clone()).collect();
    let blocks = blocks(answer);
    let mut found: Vec<Claim> = Vec::new();
    let mut pending: Vec<CitedId> = Vec::new();
    for (at, block) in blocks.iter().enumerate() {
        if matches!(block.kind, AnswerBlockKind::Heading | AnswerBlockKind::Code) {
            continue;
        }
        let leads_in = blocks.get(at + 1).is_some_and(|next| {
            next.kind == AnswerBlockKind::Item && block.kind != AnswerBlockKind::Item
        });
        let rules = SentenceRules::Answer { lang, markers: &markers };
        for sentence in sentences(answer, block.range.clone(), rules) {
            let last = sentence.end == block.range.end;
            for mut claim in pieces(answer, sentence, &citations, unit, lang) {
                let is_lead_in = leads_in && last && claim.text.ends_with(':');
                if is_lead_in || !claim.text.contains(char::is_alphanumeric) {
                    match found.last_mut() {
                        Some(before) if !is_lead_in => add(&mut before.cited, claim.cited),
                        _ => add(&mut pending, claim.cited),
                    }
                    continue;
                }
                let own = std::mem::replace(&mut claim.cited, std::mem::take(&mut pending));
                add(&mut claim.cited, own);
                found.push(claim);
            }
        }
    }
    found
}

/// The claims of a sentence: one, or one per clause.
fn pieces(
    answer: &str,
    sentence: Range<usize>,
    citations: &[Citation],
    unit: ClaimUnit,
    lang: Lang,
) -> Vec<Claim> {
    let ranges = match unit {
        ClaimUnit::Sentence => vec![sentence],
        ClaimUnit::Clause => clauses(&answer[sentence.clone()], lang)
            .into_iter()
            .map(|range| sentence.start + range.start..sentence.start + range.end)
            .collect(),
    };
    let mut claims: Vec<Claim> =
        ranges.into_iter().map(|range| claim(answer, range, citations)).collect();
    for at in (1..claims.len()).rev() {
        if claims[at - 1].cited.is_empty() {
            claims[at - 1].cited = claims[at].cited.clone();
        }
    }
    claims
}

fn claim(answer: &str, range: Range<usize>, citations: &[Citation]) -> Claim {
    let mut cited = Vec::new();
    let mut inside: Vec<Citation> = Vec::new();
    for citation in citations {
        if range.start <= citation.span.start && citation.span.end <= range.end {
            add(&mut cited, citation.ids.clone());
            inside.push(Citation {
                ids: Vec::new(),
                span: citation.span.start - range.start..citation.span.end - range.start,
            });
        }
    }
    let text = remove_citations(&answer[range.clone()], &inside);
    Claim { text: fold_white_space(&text), span: range, cited }
}

fn add(ids: &mut Vec<CitedId>, more: Vec<CitedId>) {
    for id in more {
        if !ids.contains(&id) {
            ids.push(id);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(answer: &str, unit: ClaimUnit) -> Vec<(String, String)> {
        claims(answer, &["1", "2", "3"], unit, Lang::En)
            .into_iter()
            .map(|claim| {
                let ids: Vec<String> = claim.cited.into_iter().map(|id| id.id).collect();
                (claim.text, ids.join(" "))
            })
            .collect()
    }

    #[track_caller]
    fn check(answer: &str, unit: ClaimUnit, expected: &[(&str, &str)]) {
        let got = split(answer, unit);
        let got: Vec<(&str, &str)> = got.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
        assert_eq!(got, expected, "{answer}");
    }

    #[test]
    fn sentences_items_and_a_last_line() {
        check(
            "Eaten is 3.5 times as common [1]. It is irregular. [2]\n\n- first item [3]\n- second\nlast line",
            ClaimUnit::Sentence,
            &[
                ("Eaten is 3.5 times as common.", "1"),
                ("It is irregular.", "2"),
                ("first item", "3"),
                ("second last line", ""),
            ],
        );
        check(
            "One line\nAnother line",
            ClaimUnit::Sentence,
            &[("One line", ""), ("Another line", "")],
        );
    }

    #[test]
    fn what_claims_nothing() {
        check(
            "# Forms\nThe forms are [2]:\n- eat\n- ate [1]\n```\nlet x = 1;\n```\n[3]",
            ClaimUnit::Sentence,
            &[("eat", "2"), ("ate", "1 3")],
        );
        check("[1] Eaten.", ClaimUnit::Sentence, &[("Eaten.", "1")]);
        check("[1]", ClaimUnit::Sentence, &[]);
        check("...", ClaimUnit::Sentence, &[]);
        check("", ClaimUnit::Sentence, &[]);
    }

    #[test]
    fn clauses_share_the_marker_of_their_sentence() {
        check(
            "The past is ate, and the participle is eaten [1]; the base form stays eat [2].",
            ClaimUnit::Clause,
            &[
                ("The past is ate,", "1"),
                ("and the participle is eaten;", "1"),
                ("the base form stays eat.", "2"),
            ],
        );
    }

    #[test]
    fn spans_point_into_the_answer() {
        let answer = "Él comió. [1]\n* Ella también [2]";
        let claims = claims(answer, &["1", "2"], ClaimUnit::Sentence, Lang::Es);
        let spans: Vec<&str> = claims.iter().map(|c| &answer[c.span.clone()]).collect();
        assert_eq!(spans, ["Él comió. [1]", "Ella también [2]"]);
    }
}
