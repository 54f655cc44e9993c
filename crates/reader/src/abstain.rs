//! What the reader says when it refuses to answer.

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

#[cfg(test)]
mod tests {
    use fiel_metrics::is_refusal;

    use super::*;

    #[test]
    fn its_own_refusals_are_recognised() {
        for lang in [Lang::En, Lang::Es, Lang::Other] {
            assert!(is_refusal(refusal(lang), &[]) && is_refusal(guard_refusal(lang), &[]));
        }
    }
}
