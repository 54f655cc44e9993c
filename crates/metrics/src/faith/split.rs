//! Claims that a language model writes, checked against the words of the answer.

use std::collections::BTreeSet;

use fiel_text::{Lang, fold_white_space};

use super::{
    claims::{Claim, ClaimUnit, claims},
    support::LexicalContext,
};
use crate::{
    answer::{answer_tokens, content_words},
    citation::CitedId,
};

/// Least number of content words of a sentence that is split: two clauses have at least two each.
const SPLIT_WORDS: usize = 4;

/// The claims of an answer, split by a language model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SplitClaims {
    /// The claims in order.
    pub claims: Vec<Claim>,
    /// Number of sentences given to the splitter.
    pub sentences: usize,
    /// Number of those whose pieces did not say the same as the sentence. They are split into
    /// clauses instead.
    pub refused: usize,
}

/// Splits an answer into the claims that `split` returns for each of its sentences.
///
/// `split` gets a sentence without its markers and returns short claims that say the same. Its
/// output is checked: a piece may not have a content word, a number or a negation that the sentence
/// lacks, and the pieces together may not lack a content word of the sentence, because the omission
/// could be the error. A sentence that fails the check is split into clauses, as with
/// [`ClaimUnit::Clause`]. A sentence with fewer than four content words is one claim and is not
/// passed to `split`. A piece with the same words as an earlier piece is dropped.
///
/// A piece gets the citations of the clause that shares most of its words; ties go to the first.
///
/// # Errors
/// The errors of `split`.
pub fn split_claims<E>(
    answer: &str,
    offered: &[&str],
    lang: Lang,
    split: &mut dyn FnMut(&str) -> Result<Vec<String>, E>,
) -> Result<SplitClaims, E> {
    let clauses = claims(answer, offered, ClaimUnit::Clause, lang);
    let mut out = SplitClaims::default();
    for sentence in claims(answer, offered, ClaimUnit::Sentence, lang) {
        if content_words(&sentence.text, lang).len() < SPLIT_WORDS {
            out.claims.push(sentence);
            continue;
        }
        let within = |clause: &&Claim| {
            sentence.span.start <= clause.span.start && clause.span.end <= sentence.span.end
        };
        let clauses: Vec<&Claim> = clauses.iter().filter(within).collect();
        out.sentences += 1;
        let pieces = distinct(split(&sentence.text)?, lang);
        if !says_the_same(&pieces, &sentence.text, lang) {
            out.refused += 1;
            out.claims.extend(clauses.into_iter().cloned());
            continue;
        }
        out.claims.extend(pieces.into_iter().map(|text| Claim {
            cited: cited(&text, &clauses, lang),
            span: sentence.span.clone(),
            text,
        }));
    }
    Ok(out)
}

/// The pieces with white space folded, without repetitions.
fn distinct(pieces: Vec<String>, lang: Lang) -> Vec<String> {
    let mut seen = BTreeSet::new();
    let mut pieces: Vec<String> = pieces.iter().map(|piece| fold_white_space(piece)).collect();
    pieces.retain(|piece| seen.insert(answer_tokens(piece, lang)));
    pieces
}

/// Whether the sentence supports every piece and the pieces contain all words of the sentence.
fn says_the_same(pieces: &[String], sentence: &str, lang: Lang) -> bool {
    let context = LexicalContext::new(&[sentence], lang);
    let is_supported = |piece: &String| {
        let support = context.support(piece);
        support.supported() && support.share >= 1.0
    };
    let words = pieces.iter().flat_map(|piece| content_words(piece, lang));
    let words: BTreeSet<String> = words.collect();
    content_words(sentence, lang).is_subset(&words) && pieces.iter().all(is_supported)
}

fn cited(piece: &str, clauses: &[&Claim], lang: Lang) -> Vec<CitedId> {
    let words = content_words(piece, lang);
    let common = |clause: &Claim| content_words(&clause.text, lang).intersection(&words).count();
    let best = clauses.iter().rev().max_by_key(|clause| common(clause));
    best.map_or(Vec::new(), |clause| clause.cited.clone())
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;

    /// Texts and citations of the claims, refused sentences, and sentences.
    fn split(answer: &str, pieces: &str, lang: Lang) -> (Vec<String>, usize, usize) {
        let mut given = |_: &str| Ok::<_, Infallible>(pieces.lines().map(str::to_owned).collect());
        let found = split_claims(answer, &["1", "2"], lang, &mut given).unwrap();
        let text = |claim: &Claim| {
            let ids: Vec<&str> = claim.cited.iter().map(|c| c.id.as_str()).collect();
            format!("{} {}", claim.text, ids.join(" ")).trim().to_owned()
        };
        let claims = found.claims.iter().map(text).collect();
        (claims, found.refused, found.sentences)
    }

    #[test]
    fn pieces_replace_the_sentence_and_have_the_citations_of_their_clause() {
        let answer = "The bridge opened in 1932 [1], and it carries eight lanes of traffic [2].";
        let pieces = "The bridge opened in 1932.\nThe bridge carries  eight lanes.\nIt carries traffic.\n\
                      It carries the traffic.";
        assert_eq!(
            split(answer, pieces, Lang::En),
            (
                vec![
                    "The bridge opened in 1932. 1".to_owned(),
                    "The bridge carries eight lanes. 2".to_owned(),
                    "It carries traffic. 2".to_owned(),
                ],
                0,
                1
            )
        );
    }

    #[test]
    fn invented_changed_and_omitted_words_are_refused() {
        let answer = "The bridge opened in 1932, and it is not open to heavy lorries [1].";
        let clauses = ["The bridge opened in 1932, 1", "and it is not open to heavy lorries. 1"];
        for pieces in [
            "The green bridge opened in 1932.\nThe bridge is not open to heavy lorries.",
            "The bridge opened in 1923.\nThe bridge is not open to heavy lorries.",
            "The bridge opened in 1932.\nThe bridge is open to heavy lorries.",
            "The bridge opened in 1932.",
            "",
            "...\n-",
        ] {
            let (claims, refused, of) = split(answer, pieces, Lang::En);
            assert_eq!((refused, of), (1, 1), "{pieces}");
            assert_eq!(claims, clauses, "{pieces}");
        }
        let faithful = "The bridge opened in 1932.\nThe bridge is not open to heavy lorries.";
        assert_eq!(split(answer, faithful, Lang::En).1, 0);
    }

    #[test]
    fn spanish_and_short_sentences() {
        let answer = "El museo abre a las 10 y cierra los lunes por la tarde. Es gratis [2].";
        let pieces = "El museo abre a las 10.\nEl museo cierra los lunes por la tarde.";
        let (claims, refused, of) = split(answer, pieces, Lang::Es);
        assert_eq!((claims.len(), refused, of), (3, 0, 1), "{claims:?}");
        assert_eq!(claims[2], "Es gratis. 2");
        assert_eq!(split("eaten [1]", "x", Lang::En), (vec!["eaten 1".to_owned()], 0, 0));
        assert_eq!(split("", "x", Lang::En), (vec![], 0, 0));
    }

    #[test]
    fn errors_are_passed_on() {
        let mut fails = |_: &str| Err("no model");
        let answer = "One sentence with quite enough words.";
        let found = split_claims(answer, &[], Lang::En, &mut fails);
        assert_eq!(found, Err("no model"));
    }
}
