//! What a model wrote, taken apart.

/// Marks that may stand before the question, and before the answer, in any letter case.
const QUESTION: [&str; 4] = ["question:", "pregunta:", "q:", "p:"];
const ANSWER: [&str; 4] = ["answer:", "respuesta:", "a:", "r:"];

/// `Question: …` and `Answer: …`, each on a line of its own.
pub(super) fn question_and_answer(said: &str) -> Option<(String, String)> {
    let find = |marks: &[&str]| said.lines().find_map(|line| after_mark(line, marks));
    let asked = question(find(&QUESTION)?)?;
    let answer = bare(find(&ANSWER)?);
    (!answer.is_empty()).then_some((asked, answer))
}

/// The line behind the mark of a question, or, where none is marked, the first one.
pub(super) fn question_alone(said: &str) -> Option<String> {
    let marked = said.lines().find_map(|line| after_mark(line, &QUESTION));
    let first = || said.lines().find(|line| !line.trim().is_empty());
    question(marked.or_else(first)?)
}

/// A text with a question mark; without one the model went on telling.
fn question(text: &str) -> Option<String> {
    let text = text.trim();
    let within = |open, close| {
        let inner = text.strip_prefix(open)?.strip_suffix(close)?;
        (!inner.contains([open, close])).then_some(inner)
    };
    let text = within('"', '"').or_else(|| within('“', '”')).unwrap_or(text).trim();
    (text.contains('?') && text.chars().any(char::is_alphabetic)).then(|| text.to_owned())
}

/// An answer without the marks and the full stop around it.
fn bare(text: &str) -> String {
    let around = ['"', '“', '”', '«', '»', '*', '`', ' '];
    let text = text.trim().trim_matches(around);
    text.strip_suffix('.').unwrap_or(text).trim_matches(around).to_owned()
}

fn after_mark<'a>(line: &'a str, marks: &[&str]) -> Option<&'a str> {
    let line = line.trim().trim_start_matches(['*', '-', ' ']);
    let mark = marks.iter().find(|mark| {
        let head = line.get(..mark.len());
        head.is_some_and(|head| head.eq_ignore_ascii_case(mark))
    })?;
    Some(line[mark.len()..].trim().trim_matches('*').trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn both(said: &str) -> Option<(String, String)> {
        question_and_answer(said)
    }

    #[test]
    fn question_and_answer_are_found_by_their_marks() {
        let pair = |q: &str, a: &str| Some((q.to_owned(), a.to_owned()));
        assert_eq!(both("Question: How long?\nAnswer: nine days."), pair("How long?", "nine days"));
        assert_eq!(
            both("**Pregunta:** ¿Cuánto?\n\n**Respuesta:** «55 %»"),
            pair("¿Cuánto?", "55 %")
        );
        assert_eq!(both("q: Who?\na: *me*"), pair("Who?", "me"));
        assert_eq!(both("Question: How long?"), None);
        assert_eq!(both("Question: How long?\nAnswer: ."), None);
        assert_eq!(both("How long? nine days"), None);
        assert_eq!(both(""), None);
    }

    #[test]
    fn a_question_alone_is_the_marked_line_or_the_first() {
        let alone = |said| question_alone(said);
        assert_eq!(alone("\"so how long?\"\nx").as_deref(), Some("so how long?"));
        let quoted = "What is \"Did they call?\"";
        assert_eq!(alone(quoted).as_deref(), Some(quoted));
        let said = "Not told: the reason\nQuestion: Why so?";
        assert_eq!(alone(said).as_deref(), Some("Why so?"));
        assert_eq!(alone("the auxiliary is did"), None);
        assert_eq!(alone("?"), None);
        assert_eq!(alone("\n\n"), None);
    }
}
