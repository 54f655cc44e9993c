//! Stop words per language, sorted.
//!
//! The lists hold function words only: a word that carries a fact is never listed. Contractions
//! are spelled as normalization leaves them (`dont`).

/// English function words.
#[rustfmt::skip]
pub(crate) const ENGLISH: &[&str] = &[
    "a", "about", "above", "after", "again", "against", "all", "also", "am", "an", "and", "any",
    "are", "arent", "as", "at", "be", "because", "been", "before", "being", "below", "between",
    "both", "but", "by", "can", "cannot", "cant", "could", "couldnt", "did", "didnt", "do", "does",
    "doesnt", "doing", "dont", "down", "during", "each", "either", "etc", "few", "for", "from",
    "further", "had", "hadnt", "has", "hasnt", "have", "havent", "having", "he", "her", "here",
    "hers", "herself", "him", "himself", "his", "how", "however", "i", "if", "im", "in", "into",
    "is", "isnt", "it", "its", "itself", "ive", "just", "may", "me", "might", "more", "most",
    "must", "mustnt", "my", "myself", "neither", "never", "no", "none", "nor", "not", "of", "off",
    "on", "once", "only", "or", "other", "our", "ours", "ourselves", "out", "over", "own", "same",
    "shall", "she", "should", "shouldnt", "so", "some", "such", "than", "that", "thats", "the",
    "their", "theirs", "them", "themselves", "then", "there", "therefore", "theres", "these",
    "they", "this", "those", "through", "thus", "to", "too", "under", "until", "up", "upon", "us",
    "very", "was", "wasnt", "we", "were", "werent", "what", "when", "where", "whether", "which",
    "while", "who", "whom", "whose", "why", "will", "with", "without", "wont", "would", "wouldnt",
    "yes", "you", "your", "yours", "yourself", "yourselves",
];

/// Spanish function words.
#[rustfmt::skip]
pub(crate) const SPANISH: &[&str] = &[
    "a", "al", "algo", "algunas", "alguno", "algunos", "algún", "ambos", "ante", "antes", "así",
    "aunque", "bajo", "bien", "cada", "como", "con", "contra", "cual", "cuales", "cuando", "cuál",
    "cuáles", "cuándo", "cómo", "de", "del", "desde", "después", "donde", "durante", "dónde", "e",
    "el", "ella", "ellas", "ello", "ellos", "en", "entonces", "entre", "era", "eran", "eres", "es",
    "esa", "esas", "ese", "eso", "esos", "esta", "estaba", "estaban", "estado", "estamos", "estar",
    "estas", "este", "esto", "estos", "está", "están", "etc", "fue", "fueron", "ha", "haber",
    "había", "habían", "han", "has", "hasta", "hay", "he", "hemos", "jamás", "la", "las", "le",
    "les", "lo", "los", "me", "mi", "mis", "muy", "más", "mí", "nada", "nadie", "ni", "ninguna",
    "ningunas", "ninguno", "ningunos", "ningún", "no", "nos", "nosotras", "nosotros", "nuestra",
    "nuestras", "nuestro", "nuestros", "nunca", "o", "os", "otra", "otras", "otro", "otros", "para",
    "pero", "por", "porque", "pues", "que", "quien", "quienes", "quién", "quiénes", "qué", "se",
    "sea", "sean", "ser", "será", "serán", "sido", "siendo", "sin", "sino", "sobre", "sois", "solo",
    "somos", "son", "soy", "su", "sus", "suya", "suyas", "suyo", "suyos", "sí", "sólo", "también",
    "tampoco", "tan", "tanto", "te", "ti", "tu", "tus", "tú", "u", "un", "una", "unas", "uno",
    "unos", "usted", "ustedes", "vosotras", "vosotros", "y", "ya", "yo", "él",
];
