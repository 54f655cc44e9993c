use fiel_corpus::KnowledgeBase;
use fiel_metrics::answer_tokens;
use fiel_text::Lang;

use super::finding::{Code, Finding};
use crate::Question;

/// G601: the function words of a question, or its script, are of another language.
pub(super) fn wrong(line: usize, question: &Question, out: &mut Vec<Finding>) {
    let declared = question.lang;
    let text = unquoted(&question.question);
    let letters = text.chars().filter(|c| c.is_alphabetic());
    let (latin, other): (Vec<char>, Vec<char>) = letters.partition(|c| is_latin(*c));
    let words = answer_tokens(&text, Lang::Other);
    let [en, es] = [(Lang::En, Lang::Es), (Lang::Es, Lang::En)].map(|(lang, not)| {
        let only = |w: &&String| lang.is_stop_word(w) && !not.is_stop_word(w);
        words.iter().filter(only).count()
    });
    let looks = match declared {
        Lang::Other => None,
        _ if other.len() > latin.len() => Some("another script".to_owned()),
        Lang::En if es >= 2 && es > 2 * en => Some("Spanish".to_owned()),
        Lang::Es if en >= 2 && en > 2 * es => Some("English".to_owned()),
        _ => None,
    };
    if let Some(looks) = looks {
        let message = format!(
            "its lang is {declared} and it looks like {looks}: {en} English and {es} Spanish \
             function words"
        );
        let place = (line, question.id.as_str());
        let finding = Finding::at(Code::G601, place, message);
        out.push(finding.figure("en", en as f64).figure("es", es as f64));
    }
}

/// G602: questions whose language is not that of the documents, as one note.
pub(super) fn foreign(questions: &[&Question], kb: &KnowledgeBase, out: &mut Vec<Finding>) {
    let of_kb = kb.info.lang;
    let foreign: Vec<&str> =
        questions.iter().filter(|q| q.lang != of_kb).map(|q| q.id.as_str()).collect();
    if let [first, ..] = foreign[..] {
        let message = format!(
            "{} of {} questions are not in {of_kb}, the language of {}; the first is {first}",
            foreign.len(),
            questions.len(),
            kb.name
        );
        out.push(Finding::of_set(Code::G602, message).figure("questions", foreign.len() as f64));
    }
}

/// A text without what stands in quotation marks or italics: words that are spoken of.
fn unquoted(text: &str) -> String {
    let mut out = String::new();
    let mut closing = None;
    for c in text.chars() {
        match closing {
            Some(close) if c == close => closing = None,
            Some(_) => {}
            None => match c {
                '"' | '*' | '`' => closing = Some(c),
                '«' => closing = Some('»'),
                '“' => closing = Some('”'),
                _ => out.push(c),
            },
        }
    }
    out
}

/// Latin letters and those of the phonetic alphabet.
fn is_latin(c: char) -> bool {
    matches!(c, 'a'..='z' | 'A'..='Z' | '\u{aa}'..='\u{2ff}' | '\u{1e00}'..='\u{1eff}')
}
