use serde::Serialize;
use tantivy::tokenizer::TextAnalyzer;

use crate::{
    Analysis,
    analyze::{surface, terms},
};

/// Letters of a gram.
const GRAM: usize = 4;

/// A way to make terms of a text beside its words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Further {
    /// The words of title and headings, as those of the text.
    Title,
    /// Words as they are written, not stemmed.
    Exact,
    /// Words that follow one another, two by two.
    Pairs,
    /// The letters of each word, four by four, its borders among them (McNamee and Mayfield,
    /// "Character n-gram tokenization for European language text retrieval", 2004).
    Grams,
}

impl Further {
    /// Those with a weight, and their weights.
    pub(crate) fn of(analysis: Analysis) -> impl Iterator<Item = (Self, f32)> {
        let all = [
            (Self::Title, analysis.title_boost),
            (Self::Exact, analysis.exact_weight),
            (Self::Pairs, analysis.pair_weight),
            (Self::Grams, analysis.gram_weight),
        ];
        let weighs = |(further, weight): (Self, f64)| {
            let weight = weight as f32;
            (weight > 0.0).then_some((further, weight))
        };
        all.into_iter().filter_map(weighs)
    }

    /// The terms of a text, in order, repetitions kept.
    pub(crate) fn terms(self, analyzer: &TextAnalyzer, text: &str) -> Vec<String> {
        match self {
            Self::Title => terms(&mut analyzer.clone(), text),
            Self::Exact => terms(&mut surface(), text),
            Self::Pairs => {
                let words = terms(&mut analyzer.clone(), text);
                words.windows(2).map(|pair| pair.join(" ")).collect()
            }
            Self::Grams => {
                let words = terms(&mut surface(), text);
                words.iter().flat_map(|word| grams(word)).collect()
            }
        }
    }
}

/// `_eat_` for `eat`: `_eat`, `eat_`. A shorter word is one gram.
fn grams(word: &str) -> Vec<String> {
    let letters: Vec<char> = std::iter::once('_')
        .chain(word.chars())
        .chain(std::iter::once('_'))
        .collect();
    match letters.len() <= GRAM {
        true => vec![letters.into_iter().collect()],
        false => letters.windows(GRAM).map(|w| w.iter().collect()).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fiel_text::Lang;

    #[test]
    fn each_way_to_make_terms() {
        let analysis = Analysis {
            language: Lang::Es,
            ..Analysis::default()
        };
        let of = |further: Further| further.terms(&analysis.analyzer(), "Los días: él");
        assert_eq!(of(Further::Title), ["los", "dias", "el"]);
        assert_eq!(of(Further::Exact), ["los", "dias", "el"]);
        assert_eq!(of(Further::Pairs), ["los dias", "dias el"]);
        assert_eq!(
            of(Further::Grams),
            ["_los", "los_", "_dia", "dias", "ias_", "_el_"]
        );
        assert!(
            Further::Pairs
                .terms(&analysis.analyzer(), "sola")
                .is_empty()
        );
    }

    #[test]
    fn only_what_weighs_is_indexed() {
        assert_eq!(Further::of(Analysis::default()).count(), 0);
        let analysis = Analysis {
            exact_weight: 0.5,
            ..Analysis::default()
        };
        assert_eq!(
            Further::of(analysis).collect::<Vec<_>>(),
            [(Further::Exact, 0.5)]
        );
    }
}
