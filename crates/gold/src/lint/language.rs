//! Questions whose language is not the declared one.

use fiel_corpus::KnowledgeBase;
use fiel_metrics::answer_tokens;
use fiel_record::LintFinding;
use fiel_text::Lang;

use super::{
    finding::Code,
    words::{closing_mark, quoted},
};
use crate::Question;

/// G601: the function words or the script of a question are those of another language. Quotations
/// and italics are ignored, because they may be words that the question is about.
pub(super) fn mistaken(question: &Question) -> Option<LintFinding> {
    let declared = question.lang;
    let own = quoted(&question.question)
        .filter(|&(c, is_quoted)| !is_quoted && closing_mark(c).is_none())
        .map(|(c, _)| c);
    let text: String = own.collect();
    let letters = text.chars().filter(|c| c.is_alphabetic());
    let (latin, other): (Vec<char>, Vec<char>) = letters.partition(|c| is_latin(*c));
    let words = answer_tokens(&text, Lang::Other);
    let [en, es] = [(Lang::En, Lang::Es), (Lang::Es, Lang::En)].map(|(lang, not)| {
        words.iter().filter(|w| lang.is_stop_word(w) && !not.is_stop_word(w)).count()
    });
    let looks = match declared {
        Lang::Other => return None,
        _ if other.len() > latin.len() => "another script",
        Lang::En if es >= 2 && es > 2 * en => "Spanish",
        Lang::Es if en >= 2 && en > 2 * es => "English",
        _ => return None,
    };
    let message = format!(
        "its lang is {declared} but it looks like {looks}: {en} English and {es} Spanish function \
         words"
    );
    Some(Code::G601.finding(message, &[("en", en as f64), ("es", es as f64)]))
}

/// G602: questions in another language than the documents, in one note.
pub(super) fn foreign(questions: &[&Question], kb: &KnowledgeBase) -> Option<LintFinding> {
    let mut foreign = questions.iter().filter(|q| q.lang != kb.info.lang);
    let first = &foreign.next()?.id;
    let count = 1 + foreign.count();
    let message = format!(
        "not in {}, the language of {}: {count} of {} questions; the first is {first}",
        kb.info.lang,
        kb.name,
        questions.len()
    );
    Some(Code::G602.finding(message, &[("questions", count as f64)]))
}

/// Latin letters and those of the phonetic alphabet.
fn is_latin(c: char) -> bool {
    matches!(c, 'a'..='z' | 'A'..='Z' | '\u{aa}'..='\u{2ff}' | '\u{1e00}'..='\u{1eff}')
}
