//! Misspelled twins of plain questions.

use std::collections::BTreeSet;

use fiel_store::sha256_hex;
use fiel_text::id::QuestionId;

use super::{DRAFTED, DraftStyle, draft::Candidate, typo::misspelled};
use crate::{Author, Question, Split};

pub(super) struct Twins {
    seed: u64,
    /// Ids of the questions that were tried.
    used: BTreeSet<QuestionId>,
    vocabulary: BTreeSet<String>,
}

impl Twins {
    pub(super) fn new(author: &Author<'_>, seed: u64) -> Self {
        Self { seed, used: BTreeSet::new(), vocabulary: author.vocabulary() }
    }

    /// The twin of the next plain dev question without one: of drafted questions first, then in an
    /// order that depends on the seed. A twin of a test question would leak the test split.
    pub(super) fn next(&mut self, author: &Author<'_>) -> Option<Candidate> {
        let mut sources: Vec<&Question> = author.questions().filter(|q| is_plain(q)).collect();
        sources.sort_by_cached_key(|q| {
            let is_written = !q.tags.iter().any(|tag| tag == DRAFTED);
            (is_written, sha256_hex(format!("{} {}", self.seed, q.id).as_bytes()))
        });
        for source in sources {
            if !self.used.insert(source.id.clone()) || has_twin(author, source) {
                continue;
            }
            let is_word = |word: &str| {
                let word = word.to_lowercase();
                self.vocabulary.contains(&word) || source.lang.is_stop_word(&word)
            };
            if let Some(text) = misspelled(&source.question, source.lang, self.seed, &is_word) {
                return Some(twin(author, source, text));
            }
        }
        None
    }
}

/// Whether it is a plain question of the dev split: tagged `style:docs` or `style:exact`, or without
/// a style.
fn is_plain(question: &Question) -> bool {
    let mut styles = question.tags.iter().filter(|tag| tag.starts_with("style:"));
    question.split == Split::Dev
        && !question.unanswerable
        && !question.is_judged()
        && styles.all(|style| style == "style:docs" || style == "style:exact")
}

fn has_twin(author: &Author<'_>, source: &Question) -> bool {
    let typo = DraftStyle::Typo.tag();
    author.questions().any(|q| {
        q.evidence == source.evidence
            && q.answers == source.answers
            && q.tags.iter().any(|tag| tag == typo)
    })
}

fn twin(author: &Author<'_>, source: &Question, text: String) -> Candidate {
    let quotes = source.evidence.iter().filter_map(|e| e.quote.as_deref());
    let passage = std::iter::once(source.question.as_str()).chain(quotes);
    let others = source.tags.iter().filter(|tag| !tag.starts_with("style:") && *tag != DRAFTED);
    let mut tags = vec![DraftStyle::Typo.tag().to_owned()];
    tags.extend(others.cloned());
    tags.push(DRAFTED.to_owned());
    Candidate {
        source: source.id.to_string(),
        passage: passage.collect::<Vec<_>>().join("\n"),
        question: Question {
            id: author.variant_id(&source.id, "typo"),
            question: text,
            tags,
            ..source.clone()
        },
    }
}
