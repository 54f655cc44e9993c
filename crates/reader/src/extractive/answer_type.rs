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

const PERSON: &str = "who whom whose quien quienes";
const TIME: &str = "when year years date century decade cuando fecha siglo";
const NUMBER: &str = "many much percentage percent cuanto cuantos cuanta cuantas porcentaje cifra \
                      edad plazo recargo duracion importe";
const PLACE: &str = "where donde adonde";
const REASON: &str = "why";
const WORDING: &str = "say translate traslate correct express mean means sentence decir dice \
                       traduce significa frase";
/// Words after "how" that ask for a number with its unit.
const MEASURED: &str = "long far old tall high fast often deep big large";

/// Whether a word is in a list of keys separated by spaces.
pub(super) fn is_listed(word: &Word<'_>, list: &str) -> bool {
    list.split(' ').any(|key| key == word.key)
}

/// The expected type of the answer. The first question word decides.
pub(super) fn answer_type(question: &[Word<'_>], lang: Lang) -> AnswerType {
    let follows = |index: usize, first: &str| index > 0 && question[index - 1].key == first;
    for (index, word) in question.iter().enumerate() {
        let is_in = |list| is_listed(word, list);
        if is_in(PERSON) {
            return AnswerType::Person;
        } else if is_in(PLACE) {
            return AnswerType::Place;
        } else if is_in(REASON) || (lang == Lang::Es && word.text == "qué" && follows(index, "por"))
        {
            return AnswerType::Reason;
        } else if is_in(NUMBER) || (is_in(MEASURED) && follows(index, "how")) {
            return AnswerType::Number;
        } else if is_in(TIME) && (index == 0 || word.text != "cuando") {
            return AnswerType::Time;
        }
    }
    if question.iter().any(|word| is_listed(word, WORDING)) {
        AnswerType::Wording
    } else {
        AnswerType::Thing
    }
}
