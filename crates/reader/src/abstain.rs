//! Refusals to answer.

use fiel_metrics::strip_citations;
use fiel_text::Lang;

/// The refusal of the reader if the passages lack the answer, in the language of the question.
pub(crate) fn refusal(lang: Lang) -> &'static str {
    match lang {
        Lang::Es => "No lo sé.",
        Lang::En | Lang::Other => "I don't know.",
    }
}

/// The answer of the abstention guard when it refuses.
pub(crate) fn guard_refusal(lang: Lang) -> &'static str {
    match lang {
        Lang::Es => "No tengo información suficiente.",
        Lang::En | Lang::Other => "I don't have enough information.",
    }
}

/// Beginnings of refusals, in lower case with straight apostrophes.
#[rustfmt::skip]
const REFUSALS: &[&str] = &[
    "i don't know", "i do not know", "i'm not sure", "i don't have enough", "i don't have the",
    "i do not have enough", "i do not have the", "i'm sorry", "lo siento", "no puedo responder",
    "el contexto no", "i cannot answer", "i can't answer", "not enough information",
    "there is not enough information", "there is no information", "no information",
    "the passages do not", "the passages don't", "the passage does not",
    "the provided passages do not", "the context does not", "unknown", "not mentioned",
    "not specified", "it is not mentioned", "it is not specified",
    "the question cannot be answered", "no lo sé", "no lo se", "no sé", "no tengo información",
    "los pasajes no", "el pasaje no", "no dispongo de información", "no hay información",
    "no hay suficiente información", "no se menciona", "no se especifica", "no se indica",
    "desconozco",
];

/// Whether an answer is a refusal: without its citations it is empty or begins with one of a fixed
/// list of phrases, in any supported language. An answer that is followed by a refusal is not one.
pub fn is_abstention(answer: &str) -> bool {
    let text = strip_citations(answer).to_lowercase().replace('’', "'");
    let text = text.trim_start_matches(|c: char| !c.is_alphanumeric());
    text.is_empty()
        || REFUSALS.iter().any(|refusal| {
            text.strip_prefix(refusal).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusals_in_both_languages() {
        for refusal in [
            "I don't know.",
            "I don’t know [1]",
            "No lo sé.",
            "Unknown",
            "",
            " The passages do not say.",
        ] {
            assert!(is_abstention(refusal), "{refusal}");
        }
        for answer in ["eaten [1]", "unknowns", "The past of know is knew; I don't know why.", "no"]
        {
            assert!(!is_abstention(answer), "{answer}");
        }
        for lang in [Lang::En, Lang::Es, Lang::Other] {
            assert!(is_abstention(refusal(lang)) && is_abstention(guard_refusal(lang)));
        }
    }
}
