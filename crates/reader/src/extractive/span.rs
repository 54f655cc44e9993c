use std::ops::Range;

use fiel_text::{Lang, Word, number_word, words};

use super::kind::{Kind, kind};

/// Words of a candidate at the most.
const LONGEST: usize = 8;

/// What a candidate looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Look {
    Number,
    Year,
    Name,
    Quoted,
    Reason,
    Phrase,
}

/// Answer out of a sentence, and how well it fits the question (higher is better).
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Span {
    pub range: Range<usize>,
    pub score: f64,
    /// Whether it is of the very kind that is asked for: a number, a time, a name.
    pub is_of_kind: bool,
}

/// The best span of a sentence: a run of words that the question does not hold, of the kind it
/// asks for, near the words that it does hold. The baselines of SQuAD (Rajpurkar et al., 2016)
/// weigh a span by the same three things.
pub(super) fn best_span(question: &str, sentence: &str, lang: Lang) -> Option<Span> {
    let asked = words(question, lang);
    let said = words(sentence, lang);
    let kind = kind(&asked, lang);
    let counted = counted(&asked);
    let asked: Vec<&Word<'_>> = asked.iter().filter(|w| !w.stop).collect();
    let anchors: Vec<usize> = (0..said.len())
        .filter(|&at| !said[at].stop && asked.iter().any(|w| w.is_like(&said[at])))
        .collect();
    let known: Vec<bool> = said
        .iter()
        .map(|w| asked.iter().any(|a| a.is_same(w)))
        .collect();
    let body = body(sentence);
    let mut best: Option<Span> = None;
    for (look, mut run) in candidates(sentence, &said, &known, lang) {
        // In Spanish the unit belongs to the answer.
        let unit = said
            .get(run.end)
            .filter(|w| !w.after_break && lang == Lang::Es);
        if look == Look::Number && counted.zip(unit).is_some_and(|(noun, w)| w.is_like(noun)) {
            run.end += 1;
        }
        let says_more = |at: usize| !known[at] && (!said[at].stop || is_number(&said[at], lang));
        if said[run.start].range.start < body || !run.clone().any(says_more) {
            continue;
        }
        let near: f64 = anchors
            .iter()
            .filter(|at| !run.contains(at))
            .map(|&at| 1.0 / distance(at, &run) as f64)
            .sum();
        let long = run.len().saturating_sub(3) as f64;
        let mut score = fit(kind, look) + near - 0.05 * long + form(&said, &run, look, &anchors);
        let around = run.start..(run.end + 2).min(said.len());
        if counted.is_some_and(|noun| said[around].iter().any(|w| w.is_like(noun))) {
            score += 1.5;
        }
        if best.as_ref().is_none_or(|b| score > b.score) {
            let range = said[run.start].range.start..said[run.end - 1].range.end;
            best = Some(Span {
                range,
                score,
                is_of_kind: fit(kind, look) >= 2.0,
            });
        }
    }
    best
}

/// The noun that is counted: the word after "how many".
fn counted<'a, 'b>(asked: &'a [Word<'b>]) -> Option<&'a Word<'b>> {
    const MANY: &[&str] = &["many", "much", "cuantos", "cuantas", "cuanto", "cuanta"];
    let at = asked.iter().position(|w| MANY.contains(&w.key.as_str()))?;
    asked.get(at + 1).filter(|w| !w.stop)
}

/// Where the headings before the first sentence of a passage end.
fn body(sentence: &str) -> usize {
    let head = sentence.find(": ").filter(|&at| at < 80);
    head.filter(|&at| !sentence[..at].contains(['"', '(', ',']))
        .map_or(0, |at| at + 2)
}

/// What speaks for a run by its form: a determiner or copula before it, and for a name more than
/// one word; against it: the endings of adverbs and participles, and forms of the question's words.
fn form(said: &[Word<'_>], run: &Range<usize>, look: Look, anchors: &[usize]) -> f64 {
    const BEFORE: &[&str] = &[
        "a", "an", "the", "is", "are", "was", "were", "as", "by", "called", "named", "becomes",
        "un", "una", "el", "la", "los", "las", "es", "son", "como", "llamado", "llamada",
    ];
    match look {
        Look::Name if run.len() > 1 => 0.3,
        Look::Phrase => {
            let before = run.start.checked_sub(1).map(|at| said[at].key.as_str());
            let last = said[run.end - 1].key.as_str();
            let is_short = run.len() == 1;
            let ends = ["ly", "ing", "ed", "mente"]
                .iter()
                .any(|end| last.ends_with(end));
            let all_like = run.clone().all(|at| anchors.contains(&at));
            0.4 * f64::from(u8::from(before.is_some_and(|w| BEFORE.contains(&w))))
                - 0.4 * f64::from(u8::from(is_short && ends))
                - 0.4 * f64::from(u8::from(all_like))
        }
        _ => 0.0,
    }
}

/// Words from a place to a run.
fn distance(at: usize, run: &Range<usize>) -> usize {
    if at < run.start {
        run.start - at
    } else {
        at + 1 - run.end
    }
}

fn fit(kind: Kind, look: Look) -> f64 {
    match (kind, look) {
        (Kind::Person, Look::Name) => 2.0,
        (Kind::Time, Look::Year) => 3.0,
        (Kind::Time, Look::Number) => 1.5,
        (Kind::Number, Look::Number) => 3.0,
        (Kind::Number, Look::Year) => 0.5,
        (Kind::Place, Look::Name) => 1.5,
        (Kind::Reason, Look::Reason) => 3.0,
        (Kind::Wording, Look::Quoted) => 2.0,
        (Kind::Thing, Look::Quoted) => 0.7,
        (Kind::Thing | Kind::Wording, Look::Name) => 0.5,
        (_, Look::Year | Look::Number) => -0.5,
        _ => 0.0,
    }
}

fn candidates(
    sentence: &str,
    said: &[Word<'_>],
    known: &[bool],
    lang: Lang,
) -> Vec<(Look, Range<usize>)> {
    let mut out = Vec::new();
    out.extend(quoted(sentence, said).map(|run| (Look::Quoted, run)));
    for at in 0..said.len() {
        if is_number(&said[at], lang) {
            out.push(number(said, known, at, lang));
        }
    }
    out.extend(names(said).into_iter().map(|run| (Look::Name, run)));
    out.extend(reason(said).map(|run| (Look::Reason, run)));
    out.extend(
        phrases(said, known)
            .into_iter()
            .map(|run| (Look::Phrase, run)),
    );
    out.retain(|(look, run)| {
        !run.is_empty() && (matches!(look, Look::Quoted | Look::Reason) || run.len() <= LONGEST)
    });
    out
}

/// What stands between quotation marks.
fn quoted<'a>(sentence: &'a str, said: &'a [Word<'_>]) -> impl Iterator<Item = Range<usize>> + 'a {
    let marks: Vec<usize> = sentence
        .char_indices()
        .filter(|(_, c)| matches!(c, '"' | '“' | '”' | '«' | '»'))
        .map(|(at, _)| at)
        .collect();
    let pairs: Vec<(usize, usize)> = marks.chunks_exact(2).map(|p| (p[0], p[1])).collect();
    pairs.into_iter().map(move |(from, to)| {
        let first = said.partition_point(|w| w.range.start < from);
        let last = said.partition_point(|w| w.range.end <= to);
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

/// A number with what is multiplied to it and its unit, or a date around a year.
fn number(said: &[Word<'_>], known: &[bool], at: usize, lang: Lang) -> (Look, Range<usize>) {
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
    let joined = |at: usize| at < said.len() && !said[at].after_break;
    let (mut from, mut to) = (at, at + 1);
    let digits = said[at].text.chars().all(|c| c.is_ascii_digit());
    let value: u32 = said[at].text.parse().unwrap_or(0);
    let mut look = match digits && (1000..2200).contains(&value) && said[at].text.len() == 4 {
        true => Look::Year,
        false => Look::Number,
    };
    // 15 de noviembre, 7 February 2016; February 7, 2016
    if joined(to) && said[to].key == "de" && to + 1 < said.len() && is_month(&said[to + 1]) {
        (look, to) = (Look::Year, to + 2);
    } else if joined(to) && is_month(&said[to]) {
        (look, to) = (Look::Year, to + 1);
    }
    if from > 0 && is_month(&said[from - 1]) {
        (look, from) = (Look::Year, from - 1);
        if to < said.len()
            && said[to].text.len() == 4
            && said[to].text.chars().all(|c| c.is_ascii_digit())
        {
            to += 1;
        }
    }
    if look == Look::Year {
        return (look, from..to);
    }
    const LINKS: &[&str] = &["and", "to", "or", "y", "a", "o"];
    if joined(to)
        && LINKS.contains(&said[to].key.as_str())
        && joined(to + 1)
        && is_number(&said[to + 1], lang)
    {
        to += 2;
    }
    while joined(to) && SCALES.contains(&said[to].key.as_str()) {
        to += 1;
    }
    if joined(to) && !said[to].stop && !known[to] && !said[to].is_capital() {
        to += 1;
    }
    (look, from..to)
}

/// Runs of capitals, small words between them allowed.
fn names(said: &[Word<'_>]) -> Vec<Range<usize>> {
    const INNER: &[&str] = &[
        "of", "the", "de", "del", "la", "las", "los", "van", "von", "da", "di", "al", "and", "y",
    ];
    let mut out: Vec<Range<usize>> = Vec::new();
    let mut at = 0;
    while at < said.len() {
        if !said[at].is_capital() || (at == 0 && said[at].stop) {
            at += 1;
            continue;
        }
        let (start, mut end) = (at, at + 1);
        let mut look = end;
        while look < said.len() && look < end + 3 && !said[look].after_break {
            if said[look].is_capital()
                || said[look].text.chars().all(|c| c.is_ascii_digit()) && look == end
            {
                end = look + 1;
            } else if !INNER.contains(&said[look].key.as_str()) {
                break;
            }
            look += 1;
        }
        out.push(start..end);
        at = end;
    }
    out
}

/// What follows "because" and its kin, to the end of the clause.
fn reason(said: &[Word<'_>]) -> Option<Range<usize>> {
    const GIVES: &[&str] = &["because", "due", "porque", "debido", "since", "pues"];
    let start = said.iter().position(|w| GIVES.contains(&w.key.as_str()))? + 1;
    let skip = |at: &usize| {
        said.get(*at)
            .is_some_and(|w| matches!(w.key.as_str(), "of" | "to" | "a" | "que"))
    };
    let start = start + usize::from(skip(&start));
    let end = (start + 1..said.len())
        .find(|&at| said[at].after_break)
        .unwrap_or(said.len());
    (start < end).then_some(start..end)
}

/// Runs between breaks, words of the question and small words; `of` and its kin may join two.
fn phrases(said: &[Word<'_>], known: &[bool]) -> Vec<Range<usize>> {
    const JOINS: &[&str] = &["of", "de", "del"];
    let is_in = |at: usize| !said[at].stop && !known[at];
    let mut out = Vec::new();
    let mut at = 0;
    while at < said.len() {
        if !is_in(at) {
            at += 1;
            continue;
        }
        let start = at;
        at += 1;
        while at < said.len() && !said[at].after_break {
            let joins = JOINS.contains(&said[at].key.as_str())
                && at + 1 < said.len()
                && !said[at + 1].after_break
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
        span.map(|span| sentence[span.range].to_owned())
            .unwrap_or_default()
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
