//! Parses what a model wrote.

/// Marks before the question and before the answer; letter case is ignored.
const QUESTION: [&str; 4] = ["question:", "pregunta:", "q:", "p:"];
const ANSWER: [&str; 4] = ["answer:", "respuesta:", "a:", "r:"];

/// `Question: …` and `Answer: …`, each on its own line.
pub(super) fn question_and_answer(reply: &str) -> Option<(String, String)> {
    let asked = question(marked_line(reply, &QUESTION)?)?;
    let answer = bare(marked_line(reply, &ANSWER)?);
    (!answer.is_empty()).then_some((asked, answer))
}

/// The text after the mark of a question, or the first line if there is no mark.
pub(super) fn question_alone(reply: &str) -> Option<String> {
    let first = || reply.lines().find(|line| !line.trim().is_empty());
    question(marked_line(reply, &QUESTION).or_else(first)?)
}

/// A text with a question mark, without quotation marks around it.
fn question(text: &str) -> Option<String> {
    let text = text.trim();
    let within = |open, close| {
        let inner = text.strip_prefix(open)?.strip_suffix(close)?;
        (!inner.contains([open, close])).then_some(inner)
    };
    let text = within('"', '"').or_else(|| within('“', '”')).unwrap_or(text).trim();
    (text.contains('?') && text.chars().any(char::is_alphabetic)).then(|| text.to_owned())
}

/// An answer without surrounding marks and the final full stop.
fn bare(text: &str) -> String {
    let around = ['"', '“', '”', '«', '»', '*', '`', ' '];
    let text = text.trim().trim_matches(around);
    text.strip_suffix('.').unwrap_or(text).trim_matches(around).to_owned()
}

/// The rest of the first line that starts with one of the marks.
fn marked_line<'a>(reply: &'a str, marks: &[&str]) -> Option<&'a str> {
    reply.lines().find_map(|line| {
        let line = line.trim().trim_start_matches(['*', '-', ' ']);
        let mark = marks.iter().find(|mark| {
            line.get(..mark.len()).is_some_and(|head| head.eq_ignore_ascii_case(mark))
        })?;
        Some(line[mark.len()..].trim().trim_matches('*').trim())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn question_and_answer_are_found_by_their_marks() {
        let pair = |q: &str, a: &str| Some((q.to_owned(), a.to_owned()));
        assert_eq!(
            question_and_answer("Question: How long?\nAnswer: nine days."),
            pair("How long?", "nine days")
        );
        assert_eq!(
            question_and_answer("**Pregunta:** ¿Cuánto?\n\n**Respuesta:** «55 %»"),
            pair("¿Cuánto?", "55 %")
        );
        assert_eq!(question_and_answer("q: Who?\na: *me*"), pair("Who?", "me"));
        assert_eq!(question_and_answer("Question: How long?"), None);
        assert_eq!(question_and_answer("Question: How long?\nAnswer: ."), None);
        assert_eq!(question_and_answer("How long? nine days"), None);
        assert_eq!(question_and_answer(""), None);
    }

    #[test]
    fn a_question_alone_is_the_marked_line_or_the_first() {
        assert_eq!(question_alone("\"so how long?\"\nx").as_deref(), Some("so how long?"));
        let quoted = "What is \"Did they call?\"";
        assert_eq!(question_alone(quoted).as_deref(), Some(quoted));
        let reply = "Not told: the reason\nQuestion: Why so?";
        assert_eq!(question_alone(reply).as_deref(), Some("Why so?"));
        assert_eq!(question_alone("the auxiliary is did"), None);
        assert_eq!(question_alone("?"), None);
        assert_eq!(question_alone("\n\n"), None);
    }
}
