//! Lexical support of a claim by a context.

use std::collections::BTreeSet;

use fiel_text::{Lang, SentenceRules, fold_white_space, is_numeric, sentences};
use serde::{Deserialize, Serialize};

use super::{blocks::blocks, clauses::clauses, negation::Negation, number::Numbers};
use crate::{
    answer::{answer_tokens, content_words},
    citation::parse_citations,
};

/// Least share of a claim's content tokens that a supporting context contains.
pub const SUPPORT_SHARE: f64 = 0.70;

/// Whether a claim is supported, and if not, why.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SupportVerdict {
    /// Enough of its content tokens occur, and no sentence contradicts it.
    Supported,
    /// Less than [`SUPPORT_SHARE`] of its content tokens occur in the context.
    LowShare,
    /// The best-matching sentence has a different number, or the context does not contain the
    /// claim's number.
    NumberMismatch,
    /// The claim drops a "not" of the best-matching sentence or adds one.
    NegationMismatch,
    /// The context is empty.
    NoContext,
}

/// How a context supports a claim.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Support {
    /// Share of the claim's content tokens that occur in the context, in \[0, 1\].
    pub share: f64,
    /// The verdict.
    pub verdict: SupportVerdict,
    /// The sentence that contradicts the claim, or else the one that matches it best; `None` if no
    /// sentence shares a word with it.
    pub best_sentence: Option<String>,
}

impl Support {
    /// Whether the claim is supported.
    pub fn supported(&self) -> bool {
        self.verdict == SupportVerdict::Supported
    }
}

/// The texts that claims are compared with, prepared once.
#[derive(Clone, Debug, Default)]
pub struct LexicalContext {
    lang: Lang,
    /// All tokens of the texts.
    tokens: BTreeSet<String>,
    /// All numbers of the sentences.
    numbers: Numbers,
    pub(super) sentences: Vec<Sentence>,
}

/// A sentence of the context, or a claim or clause that is compared with one.
#[derive(Clone, Debug)]
pub(super) struct Sentence {
    /// With white space folded.
    pub(super) text: String,
    /// Content words without numbers, because a changed number must not decide which sentence
    /// matches.
    words: BTreeSet<String>,
    numbers: Numbers,
    negation: Negation,
}

impl Sentence {
    fn new(text: &str, lang: Lang) -> Sentence {
        let mut words = content_words(text, lang);
        words.retain(|word| !is_numeric(word));
        Sentence {
            words,
            numbers: Numbers::new(&answer_tokens(text, lang), lang),
            negation: Negation::new(text, lang),
            text: fold_white_space(text),
        }
    }
}

/// Strength of the contradictions between a claim and a context, each in \[0, 1\].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Conflicts {
    pub number: f64,
    pub polarity: f64,
}

impl LexicalContext {
    /// Prepares the texts of a context. Blank texts are ignored.
    pub fn new<S: AsRef<str>>(texts: &[S], lang: Lang) -> LexicalContext {
        let mut context = LexicalContext { lang, ..LexicalContext::default() };
        for text in texts.iter().map(AsRef::as_ref) {
            context.tokens.extend(answer_tokens(text, lang));
            let markers: Vec<_> =
                parse_citations(text, &[]).into_iter().map(|citation| citation.span).collect();
            let rules = SentenceRules::Answer { lang, markers: &markers };
            for block in blocks(text) {
                for range in sentences(text, block.range, rules) {
                    let sentence = Sentence::new(&text[range], lang);
                    context.numbers.extend(&sentence.numbers);
                    context.sentences.push(sentence);
                }
            }
        }
        context
    }

    /// How the context supports a claim.
    ///
    /// Content tokens are the distinct normalized tokens without stop words, or all tokens if there
    /// are only stop words. Their share decides first. Then the numbers and negations of each clause
    /// are compared with those of the sentence that shares most of its words; of these, the one
    /// with the highest word F1. If several sentences match equally well, one that agrees is
    /// enough. A clause with fewer than two content words is matched by the words of the whole
    /// claim.
    pub fn support(&self, claim: &str) -> Support {
        let mut content = content_words(claim, self.lang);
        if content.is_empty() {
            content.extend(answer_tokens(claim, self.lang));
        }
        if self.tokens.is_empty() || content.is_empty() {
            let is_missing = self.tokens.is_empty();
            let verdict =
                if is_missing { SupportVerdict::NoContext } else { SupportVerdict::LowShare };
            return Support { share: 0.0, verdict, best_sentence: None };
        }
        let found = content.intersection(&self.tokens).count();
        let share = found as f64 / content.len() as f64;
        let whole = Sentence::new(claim, self.lang);
        let (mut verdict, mut best) =
            (SupportVerdict::Supported, self.best(&whole).into_iter().next());
        if share < SUPPORT_SHARE {
            verdict = SupportVerdict::LowShare;
        } else if let Some((contradiction, sentence, _)) = self.contradictions(claim, &whole).next()
        {
            (verdict, best) = (contradiction, Some(sentence));
        }
        Support {
            share,
            verdict,
            best_sentence: best
                .filter(|sentence| !sentence.words.is_disjoint(&whole.words))
                .map(|sentence| sentence.text.clone()),
        }
    }

    /// The share of a claim's numbers that the context contains, and the conflicts with the claim. A
    /// conflict weighs by the square of the share of the clause's words in the sentence, because a
    /// sentence about something else does not contradict the claim.
    pub(super) fn numbers_and_conflicts(&self, claim: &str) -> (f64, Conflicts) {
        let whole = Sentence::new(claim, self.lang);
        let mut conflicts = Conflicts::default();
        for (verdict, sentence, words) in self.contradictions(claim, &whole) {
            let common = words.intersection(&sentence.words).count();
            let strength = (common as f64 / words.len().max(1) as f64).powi(2);
            let conflict = match verdict {
                SupportVerdict::NumberMismatch => &mut conflicts.number,
                _ => &mut conflicts.polarity,
            };
            *conflict = conflict.max(strength);
        }
        (whole.numbers.share_in(&self.numbers), conflicts)
    }

    /// For each clause that its best-matching sentences contradict: the verdict, the first of these
    /// sentences, and the words that it was matched by.
    fn contradictions<'a, 'b>(
        &'a self,
        claim: &'b str,
        whole: &'b Sentence,
    ) -> impl Iterator<Item = (SupportVerdict, &'a Sentence, BTreeSet<String>)> {
        // A literal sentence of the context contradicts nothing in it.
        let is_literal = self.sentences.iter().any(|s| s.text == whole.text);
        let clauses = if is_literal { Vec::new() } else { clauses(claim, self.lang) };
        clauses.into_iter().filter_map(move |range| {
            let clause = Sentence::new(&claim[range], self.lang);
            let matched_by = if clause.words.len() < 2 { whole } else { &clause };
            let best = self.best(matched_by);
            let verdicts: Vec<SupportVerdict> =
                best.iter().map(|sentence| self.compare(&clause, sentence)).collect();
            if verdicts.contains(&SupportVerdict::Supported) {
                return None;
            }
            let (verdict, sentence) = verdicts.into_iter().zip(best).next()?;
            Some((verdict, sentence, matched_by.words.clone()))
        })
    }

    fn compare(&self, clause: &Sentence, sentence: &Sentence) -> SupportVerdict {
        let stated = |word: &str| {
            let mut others = self.sentences.iter().filter(|&s| !std::ptr::eq(s, sentence));
            others.any(|other| other.negation.plain().any(|plain| plain == word))
        };
        if !clause.numbers.agree_with(&sentence.numbers, &self.numbers) {
            SupportVerdict::NumberMismatch
        } else if clause.negation.contradicts(&sentence.negation, stated) {
            SupportVerdict::NegationMismatch
        } else {
            SupportVerdict::Supported
        }
    }

    /// The sentences that match best. All of them match equally well.
    fn best(&self, clause: &Sentence) -> Vec<&Sentence> {
        let key = |sentence: &Sentence| {
            let common = clause.words.intersection(&sentence.words).count();
            // At equal overlap, the shorter sentence has the higher F1.
            (common, std::cmp::Reverse(sentence.words.len()))
        };
        let best = self.sentences.iter().map(key).max();
        let matches = |sentence: &&Sentence| match best {
            Some((0, _)) => true,
            best => Some(key(sentence)) == best,
        };
        self.sentences.iter().filter(matches).collect()
    }
}
