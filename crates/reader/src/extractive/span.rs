//! The best answer span of a sentence.

use std::ops::Range;

use fiel_text::{Lang, Word, number_word, words};

use super::kind::{AnswerType, answer_type};

/// Maximum number of words of a candidate.
const LONGEST: usize = 8;

/// Form of a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Look {
    Number,
    Year,
    Name,
    Quoted,
    Reason,
    Phrase,
}

/// A part of a sentence, and how well it answers the question (higher is better).
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Span {
    pub range: Range<usize>,
    pub score: f64,
    /// Whether its form is that of the expected type: a number, a time, a name.
    pub is_expected: bool,
}

/// The best span of a sentence: a run of words that the question lacks, of the type that it asks
/// for, near words of the question. The baseline of SQuAD (Rajpurkar et al., 2016) weighs the same
/// three features.
pub(super) fn best_span(question: &str, sentence: &str, lang: Lang) -> Option<Span> {
    let query = words(question, lang);
    let tokens = words(sentence, lang);
    let expected = answer_type(&query, lang);
    let counted = counted(&query);
    let query: Vec<&Word<'_>> = query.iter().filter(|w| !w.stop).collect();
    let anchors: Vec<usize> = (0..tokens.len())
        .filter(|&at| !tokens[at].stop && query.iter().any(|w| w.is_like(&tokens[at])))
        .collect();
    let known: Vec<bool> = tokens.iter().map(|w| query.iter().any(|a| a.is_same(w))).collect();
    let body = body(sentence);
    let mut best: Option<Span> = None;
    for (look, mut run) in candidates(sentence, &tokens, &known, lang) {
        // In Spanish the unit belongs to the answer.
        let unit = tokens.get(run.end).filter(|w| !w.after_break && lang == Lang::Es);
        if look == Look::Number && counted.zip(unit).is_some_and(|(noun, w)| w.is_like(noun)) {
            run.end += 1;
        }
        let says_more =
            |at: usize| !known[at] && (!tokens[at].stop || is_number(&tokens[at], lang));
        if tokens[run.start].range.start < body || !run.clone().any(says_more) {
            continue;
        }
        let near: f64 = anchors
            .iter()
            .filter(|at| !run.contains(at))
            .map(|&at| 1.0 / distance(at, &run) as f64)
            .sum();
        let long = run.len().saturating_sub(3) as f64;
        let mut score =
            fit(expected, look) + near - 0.05 * long + form(&tokens, &run, look, &anchors);
        let around = run.start..(run.end + 2).min(tokens.len());
        if counted.is_some_and(|noun| tokens[around].iter().any(|w| w.is_like(noun))) {
            score += 1.5;
        }
        if best.as_ref().is_none_or(|b| score > b.score) {
            let range = tokens[run.start].range.start..tokens[run.end - 1].range.end;
            best = Some(Span { range, score, is_expected: fit(expected, look) >= 2.0 });
        }
    }
    best
}

/// The counted noun: the word after "how many".
fn counted<'a, 'b>(query: &'a [Word<'b>]) -> Option<&'a Word<'b>> {
    const MANY: &[&str] = &["many", "much", "cuantos", "cuantas", "cuanto", "cuanta"];
    let at = query.iter().position(|w| MANY.contains(&w.key.as_str()))?;
    query.get(at + 1).filter(|w| !w.stop)
}

/// The position at which the headings before the first sentence of a passage end.
fn body(sentence: &str) -> usize {
    let head = sentence.find(": ").filter(|&at| at < 80);
    head.filter(|&at| !sentence[..at].contains(['"', '(', ','])).map_or(0, |at| at + 2)
}

/// The score of a run by its form. A determiner or copula before it counts in its favour, and so
/// does a second word of a name; endings of adverbs and participles and forms of the question's
/// words count against it.
fn form(tokens: &[Word<'_>], run: &Range<usize>, look: Look, anchors: &[usize]) -> f64 {
    const BEFORE: &[&str] = &[
        "a", "an", "the", "is", "are", "was", "were", "as", "by", "called", "named", "becomes",
        "un", "una", "el", "la", "los", "las", "es", "son", "como", "llamado", "llamada",
    ];
    match look {
        Look::Name if run.len() > 1 => 0.3,
        Look::Phrase => {
            let before = run.start.checked_sub(1).map(|at| tokens[at].key.as_str());
            let last = tokens[run.end - 1].key.as_str();
            let is_short = run.len() == 1;
            let ends = ["ly", "ing", "ed", "mente"].iter().any(|end| last.ends_with(end));
            let all_like = run.clone().all(|at| anchors.contains(&at));
            0.4 * f64::from(u8::from(before.is_some_and(|w| BEFORE.contains(&w))))
                - 0.4 * f64::from(u8::from(is_short && ends))
                - 0.4 * f64::from(u8::from(all_like))
        }
        _ => 0.0,
    }
}

/// The distance in words from a position to a run.
fn distance(at: usize, run: &Range<usize>) -> usize {
    if at < run.start { run.start - at } else { at + 1 - run.end }
}

fn fit(kind: AnswerType, look: Look) -> f64 {
    match (kind, look) {
        (AnswerType::Person, Look::Name) => 2.0,
        (AnswerType::Time, Look::Year) => 3.0,
        (AnswerType::Time, Look::Number) => 1.5,
        (AnswerType::Number, Look::Number) => 3.0,
        (AnswerType::Number, Look::Year) => 0.5,
        (AnswerType::Place, Look::Name) => 1.5,
        (AnswerType::Reason, Look::Reason) => 3.0,
        (AnswerType::Wording, Look::Quoted) => 2.0,
        (AnswerType::Thing, Look::Quoted) => 0.7,
        (AnswerType::Thing | AnswerType::Wording, Look::Name) => 0.5,
        (_, Look::Year | Look::Number) => -0.5,
        _ => 0.0,
    }
}

fn candidates(
    sentence: &str,
    tokens: &[Word<'_>],
    known: &[bool],
    lang: Lang,
) -> Vec<(Look, Range<usize>)> {
    let mut out = Vec::new();
    out.extend(quoted(sentence, tokens).map(|run| (Look::Quoted, run)));
    for at in 0..tokens.len() {
        if is_number(&tokens[at], lang) {
            out.push(number(tokens, known, at, lang));
        }
    }
    out.extend(names(tokens).into_iter().map(|run| (Look::Name, run)));
    out.extend(reason(tokens).map(|run| (Look::Reason, run)));
    out.extend(phrases(tokens, known).into_iter().map(|run| (Look::Phrase, run)));
    out.retain(|(look, run)| {
        !run.is_empty() && (matches!(look, Look::Quoted | Look::Reason) || run.len() <= LONGEST)
    });
    out
}

/// The runs between quotation marks.
fn quoted<'a>(
    sentence: &'a str,
    tokens: &'a [Word<'_>],
) -> impl Iterator<Item = Range<usize>> + 'a {
    let marks: Vec<usize> = sentence
        .char_indices()
        .filter(|(_, c)| matches!(c, '"' | '“' | '”' | '«' | '»'))
        .map(|(at, _)| at)
        .collect();
    let pairs: Vec<(usize, usize)> = marks.chunks_exact(2).map(|p| (p[0], p[1])).collect();
    pairs.into_iter().map(move |(from, to)| {
        let first = tokens.partition_point(|w| w.range.start < from);
        let last = tokens.partition_point(|w| w.range.end <= to);
        first..last.max(first)
    })
}

fn is_number(word: &Word<'_>, lang: Lang) -> bool {
    #[rustfmt::skip]
    const EN: &[&str] = &[
        "one", "hundred", "thousand", "million", "billion", "half", "third", "quarter", "dozen",
        "two-thirds", "once", "twice",
    ];
    const ES: &[&str] = &["cien", "ciento", "mil", "millones", "mitad", "tercio"];
    let (lang, further) = match lang {
        Lang::Es => (Lang::Es, ES),
        Lang::En | Lang::Other => (Lang::En, EN),
    };
    let key = word.key.as_str();
    word.text.starts_with(|c: char| c.is_ascii_digit())
        || number_word(&[key], lang).is_some()
        || further.contains(&key)
}

/// A number with its scale and unit, or a date with a year or a month.
fn number(tokens: &[Word<'_>], known: &[bool], at: usize, lang: Lang) -> (Look, Range<usize>) {
    #[rustfmt::skip]
    const MONTHS: &[&str] = &[
        "january", "february", "march", "april", "may", "june", "july", "august", "september",
        "october", "november", "december", "enero", "febrero", "marzo", "abril", "mayo", "junio",
        "julio", "agosto", "septiembre", "octubre", "noviembre", "diciembre",
    ];
    const SCALES: &[&str] = &[
        "%", "percent", "per", "cent", "million", "billion", "thousand", "hundred", "mil",
        "millones", "ciento",
    ];
    let is_month = |w: &Word<'_>| MONTHS.contains(&w.key.as_str());
    let joined = |at: usize| at < tokens.len() && !tokens[at].after_break;
    let (mut from, mut to) = (at, at + 1);
    let digits = tokens[at].text.chars().all(|c| c.is_ascii_digit());
    let value: u32 = tokens[at].text.parse().unwrap_or(0);
    let is_year = digits && (1000..2200).contains(&value) && tokens[at].text.len() == 4;
    let mut look = if is_year { Look::Year } else { Look::Number };
    // 15 de noviembre, 7 February 2016; February 7, 2016
    if joined(to) && tokens[to].key == "de" && to + 1 < tokens.len() && is_month(&tokens[to + 1]) {
        (look, to) = (Look::Year, to + 2);
    } else if joined(to) && is_month(&tokens[to]) {
        (look, to) = (Look::Year, to + 1);
    }
    if from > 0 && is_month(&tokens[from - 1]) {
        (look, from) = (Look::Year, from - 1);
        if to < tokens.len()
            && tokens[to].text.len() == 4
            && tokens[to].text.chars().all(|c| c.is_ascii_digit())
        {
            to += 1;
        }
    }
    if look == Look::Year {
        return (look, from..to);
    }
    const LINKS: &[&str] = &["and", "to", "or", "y", "a", "o"];
    if joined(to)
        && LINKS.contains(&tokens[to].key.as_str())
        && joined(to + 1)
        && is_number(&tokens[to + 1], lang)
    {
        to += 2;
    }
    while joined(to) && SCALES.contains(&tokens[to].key.as_str()) {
        to += 1;
    }
    if joined(to) && !tokens[to].stop && !known[to] && !tokens[to].is_capital() {
        to += 1;
    }
    (look, from..to)
}

/// Runs of capitalised words, with prepositions and articles between them.
fn names(tokens: &[Word<'_>]) -> Vec<Range<usize>> {
    const INNER: &[&str] =
        &["of", "the", "de", "del", "la", "las", "los", "van", "von", "da", "di", "al", "and", "y"];
    let mut out: Vec<Range<usize>> = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        if !tokens[at].is_capital() || (at == 0 && tokens[at].stop) {
            at += 1;
            continue;
        }
        let (start, mut end) = (at, at + 1);
        let mut look = end;
        while look < tokens.len() && look < end + 3 && !tokens[look].after_break {
            if tokens[look].is_capital()
                || tokens[look].text.chars().all(|c| c.is_ascii_digit()) && look == end
            {
                end = look + 1;
            } else if !INNER.contains(&tokens[look].key.as_str()) {
                break;
            }
            look += 1;
        }
        out.push(start..end);
        at = end;
    }
    out
}

/// The words after "because" and similar words, to the end of the clause.
fn reason(tokens: &[Word<'_>]) -> Option<Range<usize>> {
    const GIVES: &[&str] = &["because", "due", "porque", "debido", "since", "pues"];
    let start = tokens.iter().position(|w| GIVES.contains(&w.key.as_str()))? + 1;
    let skip = |at: &usize| {
        tokens.get(*at).is_some_and(|w| matches!(w.key.as_str(), "of" | "to" | "a" | "que"))
    };
    let start = start + usize::from(skip(&start));
    let end = (start + 1..tokens.len()).find(|&at| tokens[at].after_break).unwrap_or(tokens.len());
    (start < end).then_some(start..end)
}

/// Runs without breaks, words of the question and stop words; `of` may join two runs.
fn phrases(tokens: &[Word<'_>], known: &[bool]) -> Vec<Range<usize>> {
    const JOINS: &[&str] = &["of", "de", "del"];
    let is_in = |at: usize| !tokens[at].stop && !known[at];
    let mut out = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        if !is_in(at) {
            at += 1;
            continue;
        }
        let start = at;
        at += 1;
        while at < tokens.len() && !tokens[at].after_break {
            let joins = JOINS.contains(&tokens[at].key.as_str())
                && at + 1 < tokens.len()
                && !tokens[at + 1].after_break
                && is_in(at + 1);
            if !is_in(at) && !joins {
                break;
            }
            at += 1;
        }
        out.push(start..at);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn best(question: &str, sentence: &str, lang: Lang) -> String {
        let span = best_span(question, sentence, lang);
        span.map(|span| sentence[span.range].to_owned()).unwrap_or_default()
    }

    #[test]
    fn spans_are_of_the_kind_that_is_asked_for() {
        for (question, sentence, expected) in [
            (
                "Who designed the new logo in 1998?",
                "In 1998, the network began using a logo designed by Pittard Sullivan.",
                "Pittard Sullivan",
            ),
            (
                "When did Scheele discover oxygen?",
                "Oxygen was discovered by Carl Wilhelm Scheele, in Uppsala, in 1773 or earlier.",
                "1773",
            ),
            (
                "How many interceptions did the team have?",
                "The team led the league with 24 interceptions and four captains.",
                "24",
            ),
            (
                "Why was Polonia relegated in 2013?",
                "Polonia was relegated in 2013 because of their disastrous financial situation.",
                "their disastrous financial situation",
            ),
            (
                "How do you translate hace dos años?",
                "So does ago, which follows: hace dos años is \"two years ago\".",
                "two years ago",
            ),
        ] {
            assert_eq!(best(question, sentence, Lang::En), expected);
        }
    }

    #[test]
    fn in_spanish_too() {
        for (question, sentence, expected) in [
            (
                "¿Cuánto tiempo guarda la empresa el registro?",
                "La empresa guarda el registro durante 3 años.",
                "3 años",
            ),
            (
                "¿Cuándo se anuncian los festivos locales?",
                "Los festivos locales se anuncian antes del 15 de noviembre.",
                "15 de noviembre",
            ),
            (
                "¿Quién pintó el techo de la estación?",
                "El techo de la estación lo pintó Ana María Roldán en pocos meses.",
                "Ana María Roldán",
            ),
        ] {
            assert_eq!(best(question, sentence, Lang::Es), expected);
        }
    }

    #[test]
    fn a_span_says_more_than_the_question_and_nothing_of_the_headings() {
        assert_eq!(best("What is tea?", "Tea is tea.", Lang::En), "");
        assert_eq!(best("", "", Lang::En), "");
        let named = best("Who won?", "Cup Final 2016: Ann Lee won.", Lang::En);
        assert_eq!(named, "Ann Lee");
    }
}
