//! The choice of questions of a gold set.

use std::{collections::BTreeSet, fmt};

use crate::{Error, ResolvedGold, ResolvedQuestion, Split};

/// Which questions are asked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// `None`: both parts.
    pub split: Option<Split>,
    /// Only this id, or only questions with this tag.
    pub only: Vec<String>,
    /// At most this many, from the start of the file.
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
        match self.limit {
            Some(limit) => write!(f, ", limit {limit}"),
            None => Ok(()),
        }
    }
}

impl Selection {
    /// The questions chosen, in the order of the set.
    ///
    /// # Errors
    /// [`Error::NothingChosen`] when there is none.
    pub fn choose<'a>(&self, gold: &'a ResolvedGold) -> Result<Vec<&'a ResolvedQuestion>, Error> {
        let all = &gold.questions;
        let matches = |q: &&ResolvedQuestion| {
            let q = &q.question;
            self.split.is_none_or(|split| q.split == split)
                && (self.only.is_empty()
                    || self.only.iter().any(|o| q.id == *o || q.tags.contains(o)))
        };
        let mut questions: Vec<&ResolvedQuestion> = all.iter().filter(matches).collect();
        questions.truncate(self.limit.unwrap_or(usize::MAX));
        let known = |only: &&String| {
            all.iter().any(|q| q.question.id == **only || q.question.tags.contains(only))
        };
        let all_known = self.only.iter().all(|only| known(&only));
        if !questions.is_empty() && all_known {
            return Ok(questions);
        }
        let tags: BTreeSet<&str> =
            all.iter().flat_map(|q| q.question.tags.iter().map(String::as_str)).collect();
        let advice = match self.only[..] {
            [] => format!("It has {} questions; --split dev|test|all chooses the part", all.len()),
            _ => format!(
                "--only takes the id of a question or one of the tags {}; --split dev|test|all chooses the part",
                tags.into_iter().collect::<Vec<_>>().join(", ")
            ),
        };
        Err(Error::NothingChosen { gold: gold.gold.name.clone(), choice: self.to_string(), advice })
    }
}
