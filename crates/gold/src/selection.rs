//! The choice of questions of a gold set.

use std::{collections::BTreeSet, fmt};

use fiel_store::sha256_hex;

use crate::{Error, ResolvedGold, ResolvedQuestion, Split};

/// The questions to evaluate.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// The split; `None`: both.
    pub split: Option<Split>,
    /// Ids and tags of the questions; empty: all.
    pub only: Vec<String>,
    /// Maximum number of questions. A hash of the ids chooses them, because neighbours in a file are
    /// often about the same thing.
    pub limit: Option<usize>,
}

impl fmt::Display for Selection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.split {
            None => f.write_str("all")?,
            Some(split) => write!(f, "{split}")?,
        }
        for only in &self.only {
            write!(f, ", only {only}")?;
        }
        self.limit.map_or(Ok(()), |limit| write!(f, ", limit {limit}"))
    }
}

impl Selection {
    /// The selected questions in the order of the set.
    ///
    /// # Errors
    /// [`Error::NothingChosen`] if none matches, or the set has none of the ids and tags of an
    /// entry of `only`.
    pub fn choose<'a>(&self, gold: &'a ResolvedGold) -> Result<Vec<&'a ResolvedQuestion>, Error> {
        let all = &gold.questions;
        let has_name = |q: &ResolvedQuestion, name: &String| {
            q.question.id == *name || q.question.tags.contains(name)
        };
        let is_selected = |q: &&ResolvedQuestion| {
            self.split.is_none_or(|split| q.question.split == split)
                && (self.only.is_empty() || self.only.iter().any(|name| has_name(q, name)))
        };
        let limit = self.limit.unwrap_or(usize::MAX);
        let mut questions: Vec<(usize, &ResolvedQuestion)> =
            all.iter().enumerate().filter(|(_, question)| is_selected(question)).collect();
        if questions.len() > limit {
            let hash = |question: &ResolvedQuestion| sha256_hex(question.question.id.as_bytes());
            questions.sort_by_cached_key(|(_, question)| hash(question));
            questions.truncate(limit);
            questions.sort_by_key(|(at, _)| *at);
        }
        let questions: Vec<_> = questions.into_iter().map(|(_, question)| question).collect();
        let are_known = self.only.iter().all(|name| all.iter().any(|q| has_name(q, name)));
        if !questions.is_empty() && are_known {
            return Ok(questions);
        }
        let tags: BTreeSet<&String> = all.iter().flat_map(|q| &q.question.tags).collect();
        Err(Error::NothingChosen {
            gold: gold.gold.name.clone(),
            selection: self.clone(),
            questions: all.len(),
            tags: tags.into_iter().cloned().collect(),
        })
    }
}
