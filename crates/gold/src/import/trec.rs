use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

use fiel_corpus::KnowledgeBase;
use fiel_text::Lang;

use super::{
    beir::keep_judged,
    names::safe,
    qrels::judgements,
    report::{Imported, judged, question},
};
use crate::{Error, Question};

/// Topics and qrels of TREC for a knowledge base that is there: evidence is whole documents with
/// their grades. Topics are `<top>` blocks (the title is the question; the description where there
/// is none) or lines of an id, a tab and the question.
///
/// # Errors
/// When a file cannot be read. A line that cannot be used is refused and counted.
pub fn import_trec(
    topics: &Path,
    qrels: &Path,
    kb: &KnowledgeBase,
    lang: Lang,
) -> Result<Imported, Error> {
    let mut out = Imported::new(&["questions", "judgements"]);
    let mut queries: BTreeMap<String, Question> = BTreeMap::new();
    let mut order = Vec::new();
    let text = fiel_store::read_text(topics)?;
    let found = match text.contains("<top>") {
        true => blocks(&text),
        false => lines(&text),
    };
    for (line, id, asked) in found {
        out.count("questions").read += 1;
        if id.is_empty() || asked.is_empty() {
            let missing = match id.is_empty() {
                true => "it has no number",
                false => "it has neither title nor description",
            };
            out.refuse("questions", (topics, line), &id, missing);
        } else if queries.contains_key(&id) {
            out.refuse("questions", (topics, line), &id, "the id occurs twice");
        } else {
            queries.insert(id.clone(), question(&id, &asked, lang));
            order.push((line, id));
        }
    }
    let mut seen = BTreeSet::new();
    for j in judgements(qrels, &fiel_store::read_text(qrels)?, &mut out) {
        let names = [j.doc.clone(), safe(&j.doc)];
        let doc = names.iter().find(|name| kb.document(name).is_some());
        let name = format!("{} {}", j.query, j.doc);
        let mut refuse = |reason: String| out.refuse("judgements", (qrels, j.line), &name, reason);
        match (queries.get_mut(&j.query), doc) {
            (None, _) => refuse("there is no such topic".into()),
            (_, None) => refuse(format!("there is no such document in {}", kb.name)),
            (_, Some(doc)) if !seen.insert((j.query.clone(), doc.clone())) => {
                refuse("this pair was judged before".into());
            }
            (Some(question), Some(doc)) => {
                question.evidence.push(judged(doc, j.grade));
                out.count("judgements").written += 1;
            }
        }
    }
    keep_judged(topics, order, queries, &mut out);
    Ok(out)
}

/// `<top> <num> Number: 301 <title> … <desc> Description: … </top>` with the line of each.
fn blocks(text: &str) -> Vec<(usize, String, String)> {
    let mut out = Vec::new();
    for (at, _) in text.match_indices("<top>") {
        let line = 1 + text[..at].matches('\n').count();
        let block = &text[at + "<top>".len()..];
        let block = &block[..block.find("</top>").or(block.find("<top>")).unwrap_or(block.len())];
        // A field goes to the next tag.
        let field = |tag: &str, label: &str| {
            let from = block.find(tag)? + tag.len();
            let rest = &block[from..];
            let text = &rest[..rest.find('<').unwrap_or(rest.len())];
            let words: Vec<&str> = text.split_whitespace().collect();
            let words = words.join(" ");
            Some(words.strip_prefix(label).unwrap_or(&words).trim().to_owned())
        };
        let id = field("<num>", "Number:").unwrap_or_default();
        let title = field("<title>", "Topic:").filter(|t| !t.is_empty());
        let question = title.or_else(|| field("<desc>", "Description:"));
        out.push((line, id, question.unwrap_or_default()));
    }
    out
}

/// `301<TAB>question`.
fn lines(text: &str) -> Vec<(usize, String, String)> {
    let lines = text.lines().enumerate();
    lines
        .filter(|(_, line)| !line.trim().is_empty())
        .map(|(at, line)| {
            let (id, question) = line.split_once('\t').unwrap_or((line, ""));
            (at + 1, id.trim().to_owned(), question.trim().to_owned())
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn topics_in_blocks_and_in_lines() {
        let text = "<top>\n<num> Number: 301\n<title> Organized\n crime\n<desc> Description:\nWho?\n</top>\n\
                    <top>\n<num> Number: 302\n<title>\n<desc> Description:\nWhat is polio?\n</top>\n";
        let found = blocks(text);
        assert_eq!(found[0], (1, "301".into(), "Organized crime".into()));
        assert_eq!(found[1], (8, "302".into(), "What is polio?".into()));
        assert_eq!(lines("1\tWho?\n\nbad\n")[1], (3, "bad".into(), String::new()));
    }
}
