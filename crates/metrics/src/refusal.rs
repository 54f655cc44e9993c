//! Refusals to answer: "I don't know", "the passages do not say".

use std::sync::LazyLock;

use fiel_text::fold_white_space;
use regex::Regex;
use unicode_normalization::UnicodeNormalization;

use crate::citation::strip_citations;

/// Whether an answer is a refusal, in English or Spanish: it has no text, or its first sentence says
/// that the passages lack the answer or that the reader does not know it. An opening such as "Based
/// on the context," is left out, and a single word (`unknown`, `N/A`) must be the whole answer.
///
/// `phrases` are further beginnings of a refusal. An answer that contains a reference is for the
/// caller to exclude: "I don't know" may be the translation that is asked for.
pub fn is_refusal(answer: &str, phrases: &[String]) -> bool {
    let answer = folded(&strip_citations(answer));
    if answer.is_empty() || WHOLE.is_match(answer.trim_end_matches(['.', '!'])) {
        return true;
    }
    let sentence = first_sentence(without_openings(&answer));
    let begins_with = |phrase: &String| {
        let rest = sentence.strip_prefix(folded(phrase).as_str());
        rest.is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
    };
    PATTERNS.iter().any(|pattern| pattern.is_match(sentence)) || phrases.iter().any(begins_with)
}

/// The text in lower case, with straight apostrophes and without quotation marks and emphasis.
fn folded(text: &str) -> String {
    let chars = text.nfc().flat_map(char::to_lowercase).filter_map(|c| match c {
        '\u{2019}' => Some('\''),
        '*' | '_' | '"' | '`' | '\u{201c}' | '\u{201d}' | '«' | '»' => None,
        c => Some(c),
    });
    fold_white_space(&chars.collect::<String>())
}

fn first_sentence(text: &str) -> &str {
    let is_end = |(at, c): &(usize, char)| {
        matches!(c, '.' | '!' | '?') && text[at + 1..].chars().next().is_none_or(|c| c == ' ')
    };
    text.char_indices().find(is_end).map_or(text, |(at, _)| &text[..at])
}

fn without_openings(text: &str) -> &str {
    let mut text = text;
    while let Some(found) = OPENING.find(text).filter(|found| found.end() < text.len()) {
        text = &text[found.end()..];
    }
    text
}

/// What the passages are called.
const SOURCE: &str = r"(?:contexts?|passages?|texts?|documents?|information|sources?|source material|excerpts?|articles?|authors?|materials?|snippets?|paragraphs?|document(?:ation|s)|contexto|pasajes?|textos?|documentos?|fragmentos?|fuentes?|art[íi]culos?|informaci[óo]n|extractos?|p[áa]rrafos?|ley(?:es)?|autor)";

/// An apology or a reference to the passages before the refusal itself.
static OPENING: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(?:(?:unfortunately|sorry|i'm sorry|i am sorry|i apologi[sz]e|(?:my )?apologies|i'm afraid|lamentablemente|desafortunadamente|lo siento(?: mucho)?|lo lamento|perd[óo]n|disculpas?)(?:,? (?:but|pero)|[,.;:]| that)|i'm afraid|(?:based|relying) on [^,]*,|(?:according to|judging by|as far as|given|from|in|with|using|seg[úu]n|de acuerdo con|con base en|en base a|bas[áa]ndome en|a partir de|con|en|dentro de) [^,]*SOURCE[^,]*,|(?:based on|from|given|in|according to|seg[úu]n|con|en|a partir de|bas[áa]ndome en) (?:the |these |this |el |la |los |las )?(?:\w+ )?SOURCE(?: (?:provided|given|above|proporcionad[oa]s?|dad[oa]s?|disponibles?))?)\s+",
    )
});

/// Answers that are refusals only as a whole.
static WHOLE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(?:unknown|unanswerable|n/a|n/d|none|null|idk|no answer|not sure|no idea|unspecified|undetermined|sorry|i'm sorry|i am sorry|lo siento|desconocid[oa]|sin respuesta|no consta|no aplica|no lo se|no se|[.…?–—-]*)$",
    )
});

static PATTERNS: LazyLock<Vec<Regex>> =
    LazyLock::new(|| ENGLISH.iter().chain(SPANISH).map(|text| pattern(text)).collect());

fn pattern(text: &str) -> Regex {
    Regex::new(&text.replace("SOURCE", SOURCE).replace("SAY", SAY).replace("DICE", DICE))
        .expect("a pattern of this file")
}

/// What passages that lack the answer do not do.
const SAY: &str = r"(?:mention|say|state|contain|include|provide|specify|specifie|give|answer|cover|discuss|indicate|address|addresse|offer|list|explain|describe|reveal|disclose|talk|tell|refer|clarify)s?";
const DICE: &str = r"(?:mencionan?|dicen?|contienen?|incluyen?|especifican?|indican?|proporcionan?|responden?|dan?|aportan?|detallan?|aclaran?|ofrecen?|señalan?|hablan?|explican?|precisan?|abordan?)";

const ENGLISH: &[&str] = &[
    // The reader does not know.
    r"^(?:i|we) (?:really |honestly )?(?:do not|don't) know\b",
    r"^(?:i|we) (?:do not|don't) (?:have|see|find) (?:access|(?:enough|sufficient|any|the|that|this)? ?(?:\w+ )?(?:information|context|data|details?|answers?|mention|knowledge))\b",
    r"^(?:i|we) (?:do not|don't) (?:think|believe) .*SOURCE",
    r"^(?:i|we)(?:'m|'re| am| are| was| were)? ?(?:cannot|can't|can not|could not|couldn't|unable to|not able to|wasn't able to) (?:answer|find|determine|tell|say|provide|locate|identify|confirm|see|give|infer|conclude|respond)\b",
    r"^(?:i'm|i am|we're|we are) not (?:sure|certain|aware)\b",
    r"^(?:i|we) (?:have|had|found|find|see) no (?:\w+ )?(?:information|idea|data|answer|knowledge|mention)\b",
    // The passages do not say.
    r"^(?:the |this |these |those |any |your )?(?:\w+ )?SOURCE(?: \w+){0,3}? (?:do|does|did|is|are|has|have|was|were)(?: not|n't) (?:\w+ )?(?:SAY|enough|sufficient|clear)\b",
    r"^(?:the |this |these |those )?(?:\w+ )?SOURCE(?: \w+){0,3}? (?:never SAY|(?:lacks?|makes? no|provides? no|contains? no|gives? no|offers? no|has no|have no|includes? no) (?:\w+ )?(?:information|mention|data|details?|answers?|reference|indication))\b",
    r"^(?:the |this |these )?(?:\w+ )?SOURCE only .*\b(?:cannot|can't|unable|don't|not)\b",
    r"^(?:neither|none|no|nothing)(?: of)?(?: in)?(?: the| these)?(?: \w+)? ?SOURCE(?: \w+){0,2}? SAY\b",
    r"^it (?:does not|doesn't) (?:say|mention|state|specify|indicate)\b",
    // There is nothing about it.
    r"^there(?:'s| is| are| was| were)(?: no| not| insufficient|n't)(?: \w+){0,2}? ?(?:information|mention|indication|answers?|evidence|data|references?|details?|context)\b",
    r"^(?:not enough|insufficient)(?: \w+)? (?:information|context|data|evidence|details?)\b",
    r"^no (?:\w+ )?(?:information|answers?|mention|data|evidence|details?|references?)(?:$| (?:about|on|of|regarding|concerning|available|found|provided|given|in)\b| (?:is|was|were|are) (?:available|provided|given|found|mentioned|present|included)\b)",
    r"^not (?:mentioned|specified|stated|provided|given|available|found|answerable|clear|known|covered|included|discussed)(?:$| (?:in|by|from) (?:the|this|these|any)\b)",
    r"^information (?:about|on|regarding|needed|required|requested).* (?:missing|absent|unavailable|not|isn't|lacking)\b",
    // It is not mentioned.
    r"^(?:it|this|that|the answer|the question|this question|your question|(?:this|that|the) (?:\w+ )?information(?: \w+)?)(?: is|'s| was)(?: not|n't) (?:\w+ly )?(?:mentioned|specified|stated|provided|indicated|known|answered|answerable|given|available|covered|present|found|clear|discussed|addressed)(?:$| (?:in|by|from|within|here|which|what|who|how|when|where|whether|with)\b)",
    r"\b(?:is|are|was|were)(?: not|n't) (?:\w+ly )?(?:mentioned|specified|stated|given|provided|included|covered|discussed|available|found|indicated|present|addressed|described|in)(?: anywhere)? ?(?:in|by|from|within)? (?:any of |either of )?(?:the|these|this|any|those)? ?(?:\w+ )?SOURCE\b",
    r"^(?:it |this |that |the answer |the question |this question |your question )?(?:cannot|can't|can not|could not|couldn't) be (?:determined|answered|found|inferred|established|known|derived|located|concluded)\b",
    r"^(?:it is |it's )?(?:not possible|impossible) to (?:tell|say|determine|answer|know|infer|find|establish)\b",
    r"^the (?:question|answer) is (?:unanswerable|unknown)\b",
];

const SPANISH: &[&str] = &[
    // The reader does not know.
    r"^no (?:lo )?sé(?:$|[,;]| (?:la|cuál|qué|quién|cómo|cuándo|dónde|si|a partir|con|según|por)\b)",
    r"^(?:lo )?desconozco\b",
    r"^no estoy segur[oa]\b",
    r"^no (?:puedo|podemos|logro|pude|pudimos|me es posible|nos es posible|es posible|se puede|se pudo) (?:responder|contestar|determinar|saber|encontrar|decir|establecer|conocer|inferir|precisar|afirmar)(?:l[oa]s?)?\b",
    r"^imposible (?:responder|contestar|determinar|saber|decir)(?:l[oa]s?)?\b",
    // The passages do not say.
    r"^(?:el |la |los |las |este |esta |estos |estas )?(?:\w+ )?SOURCE(?: \w+){0,2}? no (?:l[oa]s? |me |nos |se )?(?:DICE|permiten? (?:responder|contestar|determinar|saber))\b",
    r"^(?:ningun[oa]|ningún|nada)(?: de| en)?(?: los| las| el| la)?(?: \w+)? ?SOURCE(?: \w+){0,2}? (?:l[oa]s? )?DICE\b",
    r"^(?:el |la |los |las )?(?:\w+ )?SOURCE s[óo]lo .*\bno\b",
    // There is nothing about it.
    r"^no (?:hay|existen?|se encuentra|se encontró|encontré|encuentro|he encontrado|hemos encontrado|tengo|tenemos|dispongo de|disponemos de|cuento con|contamos con|recibí|se ofrece|se proporciona|veo|logro encontrar)(?: \w+){0,2}? ?(?:información|mención|datos?|respuesta|detalles?|referencias?|contexto|evidencia|indicación)\b",
    r"^(?:información|contexto|datos) insuficientes?$",
    r"^sin (?:información|respuesta|datos)(?:$| suficientes?)",
    // It is not mentioned.
    r"^(?:(?:es[ae]|esta?|la|el|dich[oa]) (?:\w+ ){1,3})?no se (?:menciona|especifica|indica|dice|proporciona|detalla|aclara|precisa|sabe|ofrece|señala|explica)n?\b",
    r"^(?:(?:es[ae]|esta?|la|el|dich[oa]) (?:\w+ ){1,3})?no (?:se encuentran?|aparecen?|figuran?|constan?|están? (?:disponible|especificad[oa]|mencionad[oa]|indicad[oa]|clar[oa]|presente|incluid[oa])s?)(?:$| en (?:el|la|los|las|ningun[oa] de l[oa]s) (?:\w+ )?SOURCE)",
    r"^la pregunta no (?:se )?puede (?:ser )?(?:respond|contest)",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_first_sentence_decides() {
        for refusal in [
            "I don’t know [1]",
            "Based on the passages, I don't know.",
            "**No lo sé.** Los pasajes no lo indican.",
            "unanswerable",
            "",
            "...",
            "Sorry. The passages do not say.",
        ] {
            assert!(is_refusal(refusal, &[]), "{refusal}");
        }
        for answer in [
            "Unknown Pleasures [1]",
            "No information desk is open",
            "The past of know is knew; I don't know why.",
            "eaten [1]",
            "no",
        ] {
            assert!(!is_refusal(answer, &[]), "{answer}");
        }
    }

    #[test]
    fn further_phrases_begin_a_refusal() {
        let phrases = ["Beats me".to_owned()];
        assert!(is_refusal("Sorry, beats me: nobody says.", &phrases));
        assert!(!is_refusal("Beats mean bars.", &phrases));
        assert!(!is_refusal("Beats me", &[]));
    }
}
