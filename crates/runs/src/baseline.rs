//! The committed baseline of a gold set.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

use fiel_metrics::Mean;
use fiel_record::{BaselineUpdate, Column, MeanChange, Table};
use fiel_store::{read_optional_text, sha256_hex, write_atomic};
use fiel_text::id::QuestionId;

use crate::{Error, StoredRun, compare::inputs};

/// Name and version of a baseline, in its first line.
const BASELINE_SCHEMA: &str = "fiel.baseline/1";

/// The reference of later runs: every measure of every question of an accepted run. It is a CSV
/// file next to the gold set; its first line has schema, run, digests of gold set and knowledge
/// base, and a checksum.
#[derive(Clone, Debug, PartialEq)]
pub struct Baseline {
    /// Id of its run.
    pub run: String,
    /// SHA-256 of the gold set.
    pub gold_sha256: String,
    /// SHA-256 of the knowledge base.
    pub kb_sha256: String,
    /// Values by question and measure.
    pub table: Table,
}

/// `gold/NAME.jsonl` → `gold/NAME.baseline.csv`.
pub fn baseline_path(gold: &Path) -> PathBuf {
    gold.with_extension("baseline.csv")
}

impl Baseline {
    fn of(run: &StoredRun) -> Self {
        let (gold_sha256, kb_sha256) = inputs(&run.summary.manifest);
        Self {
            run: run.summary.timing.run.clone(),
            gold_sha256: gold_sha256.to_owned(),
            kb_sha256: kb_sha256.to_owned(),
            table: Table::of(&run.records),
        }
    }

    /// Reads a baseline. Returns `None` if the file does not exist.
    ///
    /// # Errors
    /// If the file is damaged or has another version.
    pub fn load(path: &Path) -> Result<Option<Self>, Error> {
        let Some(text) = read_optional_text(path)? else {
            return Ok(None);
        };
        Self::parse(&text).map(Some).map_err(|problem| Error::Run {
            path: path.to_owned(),
            message: format!("{problem}. Restore the file, or write a new one with `fiel bless`"),
        })
    }

    fn parse(text: &str) -> Result<Self, String> {
        // A checkout may have changed the line ends.
        let text = text.replace("\r\n", "\n");
        let (header, csv) = text.split_once('\n').ok_or("the header is missing")?;
        let fields = header
            .strip_prefix("# ")
            .and_then(|h| h.strip_prefix(BASELINE_SCHEMA))
            .ok_or_else(|| format!("expected `# {BASELINE_SCHEMA}` in the first line"))?;
        let field = |name: &str| {
            let mut words = fields.split_whitespace();
            let value = words.find_map(|w| w.strip_prefix(name)?.strip_prefix('='));
            value.map(str::to_owned).ok_or_else(|| format!("the first line lacks `{name}=`"))
        };
        if field("sha256")? != sha256_hex(csv.as_bytes()) {
            return Err("the checksum does not match: the file was edited by hand".to_owned());
        }
        Ok(Self {
            run: field("run")?,
            gold_sha256: field("gold")?,
            kb_sha256: field("kb")?,
            table: Table::from_csv(csv).map_err(|e| e.to_string())?,
        })
    }

    fn to_text(&self) -> String {
        let csv = self.table.to_csv();
        format!(
            "# {BASELINE_SCHEMA} run={} gold={} kb={} sha256={}\n{csv}",
            self.run,
            self.gold_sha256,
            self.kb_sha256,
            sha256_hex(csv.as_bytes())
        )
    }
}

/// Makes a run the baseline and returns what that changes. Overwrites a damaged baseline.
///
/// # Errors
/// If the run is incomplete, or the file cannot be written.
pub fn bless(run: &StoredRun, path: &Path) -> Result<BaselineUpdate, Error> {
    check_complete(run)?;
    let new = Baseline::of(run);
    let old = Baseline::load(path).ok().flatten();
    write_atomic(path, new.to_text().as_bytes())?;
    let empty = Table::default();
    let before = old.as_ref().map_or(&empty, |old| &old.table);
    let only = |table: &Table, other: &Table| -> Vec<QuestionId> {
        let places = other.places();
        let ids = table.questions.iter();
        ids.filter(|id| !places.contains_key(id.as_str())).cloned().collect()
    };
    let columns = before.columns.keys().chain(new.table.columns.keys());
    let means = columns
        .collect::<BTreeSet<&Column>>()
        .into_iter()
        .map(|&column| MeanChange(column, mean(before, column), mean(&new.table, column)))
        .filter(|MeanChange(_, old, new)| old != new)
        .collect();
    Ok(BaselineUpdate {
        path: path.to_owned(),
        added: only(&new.table, before),
        removed: only(before, &new.table),
        changed: changed(before, &new.table),
        questions: new.table.questions.len(),
        run: new.run,
        before: old.map(|old| old.run),
        means,
    })
}

/// Checks that a run was not stopped before its last question.
pub(crate) fn check_complete(run: &StoredRun) -> Result<(), Error> {
    let (done, planned) = (run.records.len(), run.summary.planned);
    if done < planned {
        return Err(Error::Compare(format!(
            "run {run} was stopped after {done} of {planned} questions; finish it with `fiel eval \
             --resume {run}`",
            run = run.summary.timing.run
        )));
    }
    Ok(())
}

fn mean(table: &Table, column: Column) -> Option<f64> {
    let values = table.columns.get(&column)?.iter().flatten().copied();
    Mean::from_values(values).ok()?.mean
}

/// Ids of the questions of both tables with a value that differs in a measure of both.
fn changed(before: &Table, after: &Table) -> Vec<QuestionId> {
    let places = after.places();
    let differs = |(at, id): (usize, &QuestionId)| {
        let now = *places.get(id.as_str())?;
        let mut columns = before.columns.iter();
        columns
            .any(|(column, values)| {
                after.columns.get(column).is_some_and(|new| values[at] != new[now])
            })
            .then(|| id.clone())
    };
    before.questions.iter().enumerate().filter_map(differs).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::tests::{record, run};

    #[test]
    fn a_baseline_comes_back_and_changes_are_noticed() {
        let dir = tempfile::tempdir().expect("temporary folder");
        let path = baseline_path(&dir.path().join("set.jsonl"));
        assert!(path.ends_with("set.baseline.csv"));
        assert_eq!(Baseline::load(&path).expect("absent"), None);
        let first = run("r1", (0..4).map(|i| record(i, "t", i > 0)).collect());
        let blessing = bless(&first, &path).expect("blessed");
        assert_eq!((blessing.before, blessing.added.len()), (None, 4));
        let read = Baseline::load(&path).expect("read").expect("there");
        assert_eq!(read, Baseline::of(&first));

        let second = run("r2", (1..5).map(|i| record(i, "t", i != 2)).collect());
        let blessing = bless(&second, &path).expect("blessed");
        assert_eq!(blessing.before.as_deref(), Some("r1"));
        assert_eq!(
            (blessing.added, blessing.removed, blessing.changed),
            (vec!["q04".into()], vec!["q00".into()], vec!["q02".into()])
        );
        assert!(blessing.means.is_empty(), "3 of 4 are right both times");

        let text = std::fs::read_to_string(&path).expect("read");
        std::fs::write(&path, text.replace('\n', "\r\n")).expect("turned");
        assert!(Baseline::load(&path).expect("read").is_some());
        std::fs::write(&path, text.replacen("q01,1", "q01,0", 1)).expect("altered");
        let error = Baseline::load(&path).expect_err("altered").to_string();
        assert!(error.contains("checksum") && error.contains("fiel bless"), "{error}");
        std::fs::write(&path, "id,e2e.F1\n").expect("other");
        assert!(Baseline::load(&path).is_err());
    }

    #[test]
    fn a_stopped_run_is_not_blessed() {
        let mut stopped = run("r", vec![record(0, "t", true)]);
        stopped.summary.planned = 2;
        let error = bless(&stopped, Path::new("none")).expect_err("stopped");
        assert!(error.to_string().contains("--resume r"), "{error}");
    }
}
