//! The type of answer that a question expects.

use fiel_text::{Lang, Word};

/// Expected type of an answer, by the question word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AnswerType {
    /// who, quién
    Person,
    /// when, which year, cuándo
    Time,
    /// how many, cuántos, what share
    Number,
    /// where, dónde
    Place,
    /// why, por qué
    Reason,
    /// how do you say, what is the right sentence
    Wording,
    /// what, which, qué, cuál
    Thing,
}

const PERSON: &[&str] = &["who", "whom", "whose", "quien", "quienes"];
const TIME: &[&str] =
    &["when", "year", "years", "date", "century", "decade", "cuando", "fecha", "siglo"];
const NUMBER: &[&str] = &[
    "many",
    "much",
    "percentage",
    "percent",
    "cuanto",
    "cuantos",
    "cuanta",
    "cuantas",
    "porcentaje",
    "cifra",
    "edad",
    "plazo",
    "recargo",
    "duracion",
    "importe",
];
const PLACE: &[&str] = &["where", "donde", "adonde"];
const REASON: &[&str] = &["why"];
const WORDING: &[&str] = &[
    "say",
    "translate",
    "traslate",
    "correct",
    "express",
    "mean",
    "means",
    "sentence",
    "decir",
    "dice",
    "traduce",
    "significa",
    "frase",
];
/// Words after "how" that ask for a number with its unit.
const MEASURED: &[&str] =
    &["long", "far", "old", "tall", "high", "fast", "often", "deep", "big", "large"];

/// The expected type of the answer. The first question word decides.
pub(super) fn answer_type(question: &[Word<'_>], lang: Lang) -> AnswerType {
    let follows = |at: usize, first: &str| at > 0 && question[at - 1].key == first;
    for (at, word) in question.iter().enumerate() {
        let is = |list: &[&str]| list.contains(&word.key.as_str());
        if is(PERSON) {
            return AnswerType::Person;
        } else if is(PLACE) {
            return AnswerType::Place;
        } else if is(REASON) || (lang == Lang::Es && word.text == "qué" && follows(at, "por")) {
            return AnswerType::Reason;
        } else if is(NUMBER) || (is(MEASURED) && follows(at, "how")) {
            return AnswerType::Number;
        } else if is(TIME) && (at == 0 || word.text != "cuando") {
            return AnswerType::Time;
        }
    }
    let wording = question.iter().any(|w| WORDING.contains(&w.key.as_str()));
    if wording { AnswerType::Wording } else { AnswerType::Thing }
}
