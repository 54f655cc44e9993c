//! What text is: its language, words, sentences, numbers, stems and quotations, and the ids of
//! the texts.
//!
//! The crate holds no engine and imports no other crate of the workspace.
//!
//! ```
//! use fiel_text::{Lang, locate_quote, normalize, tokens};
//!
//! let lang: Lang = "es-MX".parse()?;
//! assert_eq!(normalize("¿Cuántos? 2.500.000", lang), "cuántos 2500000");
//! assert_eq!(tokens("La casa y el perro", lang), ["casa", "y", "perro"]);
//!
//! let text = "The past of\neat is ate.";
//! assert_eq!(locate_quote(text, "of eat")?, 9..15);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod accents;
pub mod id;
mod lang;
mod lines;
mod loose;
pub mod markup;
mod normalize;
mod number_words;
mod numbers;
mod quote;
mod script;
mod sentence;
mod stem;
mod stop_words;
mod word;

pub use accents::{fold_word, without_accents};
pub use lang::{Lang, LangError};
pub use lines::numbered_lines;
pub use loose::LooseText;
pub use normalize::{NormalizedWords, is_word_char, normalize, split_spaceless, tokens};
pub use number_words::{is_numeric, number_word};
pub use quote::{
    QuoteError, fold_white_space, locate_letters, locate_part, locate_quote, quote_for,
    word_matches,
};
pub use script::{fold_width, is_hangul, is_ignorable, is_pictograph, is_spaceless};
pub use sentence::{SentenceRules, sentences};
pub use stem::{Stemmer, stems};
pub use word::{Word, alphanumeric_runs, trim_punctuation, words};
