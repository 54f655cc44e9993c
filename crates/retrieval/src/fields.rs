//! Term fields of the BM25 index other than the words of the text.

use serde::Serialize;

use crate::{Analysis, analyze::Analyzer};

/// Characters per gram.
const GRAM: usize = 4;

/// A field of the BM25 index next to the words of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum TermField {
    /// Words of title and headings, analyzed like those of the text.
    Title,
    /// Words without stemming.
    Exact,
    /// Pairs of adjacent words.
    Pairs,
    /// Character 4-grams of each word, its boundaries included (McNamee and Mayfield,
    /// "Character n-gram tokenization for European language text retrieval", 2004).
    Grams,
}

impl TermField {
    /// The fields with a positive weight, each with its weight.
    pub(crate) fn weighted(analysis: Analysis) -> impl Iterator<Item = (Self, f32)> {
        let all = [
            (Self::Title, analysis.title_boost),
            (Self::Exact, analysis.exact_weight),
            (Self::Pairs, analysis.pair_weight),
            (Self::Grams, analysis.gram_weight),
        ];
        all.into_iter()
            .map(|(field, weight)| (field, weight as f32))
            .filter(|(_, weight)| *weight > 0.0)
    }

    /// The terms of a text, in order, with repetitions.
    pub(crate) fn terms(self, analyzer: &Analyzer, text: &str) -> Vec<String> {
        match self {
            Self::Title => analyzer.terms(text),
            Self::Exact => Analyzer::surface().terms(text),
            Self::Pairs => {
                let words = analyzer.terms(text);
                words.windows(2).map(|pair| pair.join(" ")).collect()
            }
            Self::Grams => {
                let words = Analyzer::surface().terms(text);
                words.iter().flat_map(|word| grams(word)).collect()
            }
        }
    }
}

/// The grams of `_word_`: `_eat` and `eat_` for `eat`. A shorter word is a single gram.
fn grams(word: &str) -> Vec<String> {
    let letters: Vec<char> =
        std::iter::once('_').chain(word.chars()).chain(std::iter::once('_')).collect();
    if letters.len() <= GRAM {
        vec![letters.into_iter().collect()]
    } else {
        letters.windows(GRAM).map(|w| w.iter().collect()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fiel_text::Lang;

    #[test]
    fn terms_of_each_field() {
        let analysis = Analysis { language: Lang::Es, ..Analysis::default() };
        let field_terms = |field: TermField| field.terms(&analysis.analyzer(), "Los días: él");
        assert_eq!(field_terms(TermField::Title), ["los", "dias", "el"]);
        assert_eq!(field_terms(TermField::Exact), ["los", "dias", "el"]);
        assert_eq!(field_terms(TermField::Pairs), ["los dias", "dias el"]);
        assert_eq!(field_terms(TermField::Grams), ["_los", "los_", "_dia", "dias", "ias_", "_el_"]);
        assert!(TermField::Pairs.terms(&analysis.analyzer(), "sola").is_empty());
    }

    #[test]
    fn only_fields_with_a_weight_are_indexed() {
        assert_eq!(TermField::weighted(Analysis::default()).count(), 0);
        let analysis = Analysis { exact_weight: 0.5, ..Analysis::default() };
        assert_eq!(TermField::weighted(analysis).collect::<Vec<_>>(), [(TermField::Exact, 0.5)]);
    }
}
