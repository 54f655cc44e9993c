//! Topics and qrels of TREC.

use std::path::Path;

use fiel_corpus::KnowledgeBase;
use fiel_store::read_text;
use fiel_text::{Lang, fold_white_space};

use super::{imported::Imported, judged::Queries, names::safe};
use crate::Error;

/// Imports topics and qrels of TREC for an existing knowledge base; the evidence is whole documents
/// with their grades. Topics are `<top>` blocks, whose title is the question, or whose description
/// is if the title is empty; or lines of an id, a tab and the question.
///
/// # Errors
/// [`Error::Store`] if a file cannot be read. Faulty lines are refused and counted.
pub fn import_trec(
    topics: &Path,
    qrels: &Path,
    kb: &KnowledgeBase,
    lang: Lang,
) -> Result<Imported, Error> {
    let mut out = Imported::new(&["questions", "judgements"]);
    let mut queries = Queries::new(topics, lang);
    let text = read_text(topics)?;
    for (line, id, question) in if text.contains("<top>") { blocks(&text) } else { lines(&text) } {
        out.count("questions").read += 1;
        queries.add(line, id, &question, &mut out);
    }
    let document =
        |id: &str| [id.to_owned(), safe(id)].into_iter().find(|id| kb.document(id).is_some());
    queries.judge(qrels, None, &document, &mut out)?;
    queries.finish(&mut out);
    Ok(out)
}

/// `<top> <num> Number: 301 <title> … <desc> Description: … </top>`, with the line of each topic.
fn blocks(text: &str) -> Vec<(usize, String, String)> {
    let mut topics = Vec::new();
    for (at, _) in text.match_indices("<top>") {
        let line = 1 + text[..at].matches('\n').count();
        let block = &text[at + "<top>".len()..];
        let block = &block[..block.find("</top>").or(block.find("<top>")).unwrap_or(block.len())];
        // A field ends at the next tag.
        let field = |tag: &str, label: &str| {
            let (_, rest) = block.split_once(tag)?;
            let words = fold_white_space(rest.split('<').next().unwrap_or_default());
            Some(words.strip_prefix(label).unwrap_or(&words).trim().to_owned())
        };
        let id = field("<num>", "Number:").unwrap_or_default();
        let title = field("<title>", "Topic:").filter(|title| !title.is_empty());
        let question = title.or_else(|| field("<desc>", "Description:"));
        topics.push((line, id, question.unwrap_or_default()));
    }
    topics
}

/// `301<TAB>question`, with the line of each topic.
fn lines(text: &str) -> Vec<(usize, String, String)> {
    let topic = |(line, text): (usize, &str)| {
        let (id, question) = text.split_once('\t').unwrap_or((text, ""));
        (line, id.trim().to_owned(), question.trim().to_owned())
    };
    (1..).zip(text.lines()).filter(|(_, text)| !text.trim().is_empty()).map(topic).collect()
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
