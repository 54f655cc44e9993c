use std::{collections::BTreeSet, fmt};

use fiel_report::EvalMode;
use serde::{Deserialize, Serialize};

use crate::{ClaimCut, Error, ResolvedGold, ResolvedQuestion};

/// `[eval]` of fiel.toml.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct EvalSettings {
    /// Modes, in the order they run.
    pub modes: Vec<EvalMode>,
    /// Best other passages beside the evidence in oracle mode.
    pub distractors: usize,
    /// Unit of a claim.
    pub claim_unit: ClaimCut,
    /// Times that each question is read; above 1 a temperature is needed, and the spread is reported.
    pub repeat: usize,
    /// Seed of every resampling.
    pub seed: u64,
}

impl Default for EvalSettings {
    fn default() -> Self {
        Self {
            modes: vec![EvalMode::Retrieval, EvalMode::Oracle, EvalMode::E2e],
            distractors: 0,
            claim_unit: ClaimCut::default(),
            repeat: 1,
            seed: 42,
        }
    }
}

/// `[price]` of fiel.toml: what a reader costs. Local models cost nothing.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PriceSettings {
    /// A million tokens of prompts.
    pub prompt_per_million: f64,
    /// A million tokens of answers.
    pub answer_per_million: f64,
    /// Questions a month, for the monthly cost.
    pub questions_per_month: f64,
}

impl PriceSettings {
    /// # Errors
    /// What is wrong, with the key.
    pub fn check(&self) -> Result<(), String> {
        let all = [
            ("price.prompt_per_million", self.prompt_per_million),
            ("price.answer_per_million", self.answer_per_million),
            ("price.questions_per_month", self.questions_per_month),
        ];
        match all.iter().find(|(_, x)| !(x.is_finite() && *x >= 0.0)) {
            Some((key, x)) => Err(format!("{key} is {x}: it must be 0 or more")),
            None => Ok(()),
        }
    }
}

impl Default for PriceSettings {
    fn default() -> Self {
        Self {
            prompt_per_million: 0.0,
            answer_per_million: 0.0,
            questions_per_month: 10_000.0,
        }
    }
}

/// Which questions are asked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// `None`: both parts.
    pub split: Option<crate::Split>,
    /// Only this id, or only questions with this tag.
    pub only: Vec<String>,
    /// At most this many, from the start of the file.
    pub limit: Option<usize>,
}

impl fmt::Display for Selection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.split {
            None => "all",
            Some(crate::Split::Dev) => "dev",
            Some(crate::Split::Test) => "test",
        })?;
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
            all.iter()
                .any(|q| q.question.id == **only || q.question.tags.contains(only))
        };
        let all_known = self.only.iter().all(|only| known(&only));
        if !questions.is_empty() && all_known {
            return Ok(questions);
        }
        let tags: BTreeSet<&str> = all
            .iter()
            .flat_map(|q| q.question.tags.iter().map(String::as_str))
            .collect();
        let advice = match self.only[..] {
            [] => format!(
                "It has {} questions; --split dev|test|all chooses the part",
                all.len()
            ),
            _ => format!(
                "--only takes the id of a question or one of the tags {}; --split dev|test|all chooses the part",
                tags.into_iter().collect::<Vec<_>>().join(", ")
            ),
        };
        Err(Error::NothingChosen {
            gold: gold.gold.name.clone(),
            choice: self.to_string(),
            advice,
        })
    }
}
