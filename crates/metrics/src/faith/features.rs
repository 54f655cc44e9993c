//! Lexical features of a claim and its context, for a trained scorer.

use std::collections::BTreeSet;

use fiel_text::{Lang, Stemmer, fold_white_space, is_numeric, trim_punctuation};

use super::{
    stems::{Stemmed, Stems, greedy},
    support::LexicalContext,
};

/// Number of sentences that may support a claim together.
pub const BEARING_SENTENCES: usize = 3;

/// A context whose sentences are compared by their stems.
///
/// ```
/// use fiel_metrics::StemmedContext;
/// use fiel_text::Lang;
///
/// let context = StemmedContext::new(&["The bridge, opened in 1932, carries eight lanes."], Lang::En);
/// let found = context.features("The bridge opened in 1923.").expect("both have words");
/// assert_eq!(found.numbers_found, 0.0);
/// assert!(found.number_conflict > 0.9 && found.polarity_conflict == 0.0);
/// ```
pub struct StemmedContext {
    context: LexicalContext,
    sentences: Vec<Stemmed>,
    every: Stemmed,
    stemmer: Stemmer,
    lang: Lang,
}

/// Lexical features of a claim and a context.
#[derive(Clone, Debug, PartialEq)]
pub struct ClaimFeatures {
    /// Share of the claim's stems that the three best sentences contain together, in \[0, 1\].
    pub coverage: f64,
    /// ln(1 + number of names of the claim that the context does not contain). A name is a
    /// capitalised word other than the first.
    pub names_missing: f64,
    /// Share of the claim's numbers that the context contains; 1 if the claim has none.
    pub numbers_found: f64,
    /// Strength of a conflict of numbers with the best-matching sentence: (share of the clause's
    /// words in the sentence)², the maximum over all clauses.
    pub number_conflict: f64,
    /// The same for a sentence that negates the claim or that the claim negates.
    pub polarity_conflict: f64,
    /// Positions of the sentences by the number of the claim's stems, highest first; ties by
    /// position.
    pub by_overlap: Vec<usize>,
}

impl StemmedContext {
    /// Prepares the texts of a context. Blank texts are ignored.
    pub fn new<S: AsRef<str>>(texts: &[S], lang: Lang) -> StemmedContext {
        let context = LexicalContext::new(texts, lang);
        let stemmer = Stemmer::new(lang);
        let stemmed = context.sentences.iter().map(|s| Stemmed::new(&s.text, lang, &stemmer));
        let sentences: Vec<Stemmed> = stemmed.collect();
        let mut every = Stemmed::default();
        for sentence in &sentences {
            every.content.extend(sentence.content.iter().cloned());
            every.all.extend(sentence.all.iter().cloned());
        }
        StemmedContext { context, sentences, every, stemmer, lang }
    }

    /// The sentence at a position, with white space folded.
    ///
    /// # Panics
    /// If there is no sentence at this position.
    pub fn sentence(&self, at: usize) -> &str {
        &self.context.sentences[at].text
    }

    /// The features of a claim. Returns `None` if the claim has no word or the context no sentence.
    pub fn features(&self, claim: &str) -> Option<ClaimFeatures> {
        let claim = &fold_white_space(claim);
        let own = Stemmed::new(claim, self.lang, &self.stemmer);
        if self.sentences.is_empty() || own.all.is_empty() {
            return None;
        }
        // A claim of stop words alone is compared by all of its words.
        let bare = own.content.is_empty();
        let terms = own.terms(bare);
        let sets: Vec<&Stems> = self.sentences.iter().map(|s| s.terms(bare)).collect();
        let (_, left) = greedy(terms, &sets, BEARING_SENTENCES);
        let every = self.every.terms(bare);
        let missing = self.names(claim).difference(every).count();
        let (numbers_found, conflicts) = self.context.numbers_and_conflicts(claim);
        let common: Vec<usize> = sets.iter().map(|set| terms.intersection(set).count()).collect();
        let mut by_overlap: Vec<usize> = (0..sets.len()).collect();
        by_overlap.sort_by_key(|&at| std::cmp::Reverse(common[at]));
        Some(ClaimFeatures {
            coverage: 1.0 - left.len() as f64 / terms.len() as f64,
            names_missing: (missing as f64).ln_1p(),
            numbers_found,
            number_conflict: conflicts.number,
            polarity_conflict: conflicts.polarity,
            by_overlap,
        })
    }

    /// Stems of the capitalised words of a folded claim, without the first word, stop words and
    /// numbers.
    fn names(&self, claim: &str) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        for word in claim.split(' ').skip(1) {
            let word = trim_punctuation(word);
            if !word.starts_with(char::is_uppercase) {
                continue;
            }
            let word =
                word.strip_suffix("'s").or_else(|| word.strip_suffix("\u{2019}s")).unwrap_or(word);
            found.extend(Stemmed::new(word, self.lang, &self.stemmer).content);
        }
        found.retain(|name| !is_numeric(name));
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn features(claim: &str, texts: &[&str], lang: Lang) -> ClaimFeatures {
        StemmedContext::new(texts, lang).features(claim).unwrap()
    }

    #[test]
    fn names_are_capitalised_words_except_the_first() {
        let texts = ["Anna Keller founded the bakery in Bern."];
        let missing = |claim| features(claim, &texts, Lang::En).names_missing;
        assert_eq!(missing("The bakery was founded by Anna Keller's."), 0.0);
        assert_eq!(missing("Basel has a bakery."), 0.0);
        assert_eq!(missing("The bakery of Basel, by Anna Meyer"), 2f64.ln_1p());
    }

    #[test]
    fn three_sentences_support_a_claim_together() {
        let texts = ["One alpha. Two beta. Gamma. Delta."];
        assert_eq!(features("alpha beta gamma", &texts, Lang::En).coverage, 1.0);
        let found = features("alpha beta gamma delta", &texts, Lang::En);
        assert_eq!(found.coverage, 0.75);
        assert_eq!(features("delta", &texts, Lang::En).by_overlap, [3, 0, 1, 2]);
    }

    #[test]
    fn a_conflict_weighs_by_the_words_of_its_sentence() {
        let conflict = |claim, text| features(claim, &[text], Lang::En);
        let found = conflict("The refund limit is 30 days.", "The refund limit is 90 days.");
        assert_eq!((found.number_conflict, found.numbers_found), (1.0, 0.0));
        let found = conflict("The refund limit is 30 days.", "Delivery in 90 days.");
        assert!((found.number_conflict - 1.0 / 9.0).abs() < 1e-12);
        let found = conflict("The map is thread-safe.", "The map is not thread-safe.");
        assert_eq!((found.number_conflict, found.polarity_conflict), (0.0, 1.0));
    }

    #[test]
    fn a_claim_and_a_context_need_words() {
        assert_eq!(StemmedContext::new(&[" "], Lang::En).features("A claim."), None);
        assert_eq!(StemmedContext::new(&["A text."], Lang::En).features("..."), None);
    }
}
