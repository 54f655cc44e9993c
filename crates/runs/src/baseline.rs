use std::path::{Path, PathBuf};

use fiel_metrics::{Mean, Value};
use fiel_record::{Column, Manifest, Table};
use fiel_store::{read_optional_text, sha256_hex, write_atomic};
use fiel_text::id::QuestionId;
use serde::Serialize;

use crate::{Error, StoredRun};

/// Name and version of a baseline, in its first line.
const BASELINE_SCHEMA: &str = "fiel.baseline/1";

/// What the next runs are held against: every measure of every question of a run that was found
/// good. A CSV file beside the gold set, committed with it; its first line names schema, run,
/// gold set, knowledge base and a checksum.
#[derive(Clone, Debug, PartialEq)]
pub struct Baseline {
    /// Id of the run it was made of.
    pub run: String,
    /// SHA-256 of the gold set.
    pub gold_sha256: String,
    /// SHA-256 of the knowledge base.
    pub kb_sha256: String,
    /// The values.
    pub table: Table,
}

/// What a new baseline changes.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Blessing {
    /// The file.
    pub path: PathBuf,
    /// Run of the new baseline.
    pub run: String,
    /// Run of the old one; absent when there was none.
    pub before: Option<String>,
    /// Questions of the new one.
    pub questions: usize,
    /// Questions that the old one lacks.
    pub added: Vec<QuestionId>,
    /// Questions that the new one lacks.
    pub removed: Vec<QuestionId>,
    /// Means that differ, old and new; absent where a baseline lacks the measure.
    pub means: Vec<(Column, Option<f64>, Option<f64>)>,
    /// Questions of both with a value that differs.
    pub changed: Vec<QuestionId>,
}

/// `gold/NAME.jsonl` → `gold/NAME.baseline.csv`.
pub fn baseline_path(gold: &Path) -> PathBuf {
    gold.with_extension("baseline.csv")
}

impl Baseline {
    fn of(run: &StoredRun) -> Self {
        let Manifest { gold_sha256, kb_sha256, .. } = &run.summary.manifest;
        Self {
            run: run.summary.timing.run.clone(),
            gold_sha256: gold_sha256.clone(),
            kb_sha256: kb_sha256.clone(),
            table: Table::of(&run.records),
        }
    }

    /// Reads a baseline; `None` when there is no such file.
    ///
    /// # Errors
    /// When it is damaged or of another version.
    pub fn load(path: &Path) -> Result<Option<Self>, Error> {
        let Some(text) = read_optional_text(path)? else {
            return Ok(None);
        };
        Self::parse(&text).map(Some).map_err(|problem| Error::Run {
            path: path.to_owned(),
            message: format!("{problem}. Restore it, or write a new one with `fiel bless`"),
        })
    }

    fn parse(text: &str) -> Result<Self, String> {
        // A checkout may have turned the line ends.
        let text = text.replace("\r\n", "\n");
        let (header, csv) = text.split_once('\n').ok_or("it has no header")?;
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
            return Err("it was changed by hand: its checksum does not match".to_owned());
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

/// Makes a run the baseline and says what that changes.
///
/// # Errors
/// When the run is not whole, or the file cannot be read or written. A damaged baseline is
/// overwritten.
pub fn bless(run: &StoredRun, path: &Path) -> Result<Blessing, Error> {
    whole(run)?;
    let new = Baseline::of(run);
    let old = Baseline::load(path).ok().flatten();
    write_atomic(path, new.to_text().as_bytes())?;
    let empty = Table::default();
    let before = old.as_ref().map_or(&empty, |old| &old.table);
    let lacking = |of: &Table, other: &Table| -> Vec<QuestionId> {
        let places = other.places();
        let ids = of.questions.iter();
        ids.filter(|id| !places.contains_key(id.as_str())).cloned().collect()
    };
    let columns = before.columns.keys().chain(new.table.columns.keys());
    let columns: std::collections::BTreeSet<Column> = columns.copied().collect();
    let means = columns
        .into_iter()
        .map(|column| (column, mean(before, column), mean(&new.table, column)))
        .filter(|(_, was, is)| was != is)
        .collect();
    Ok(Blessing {
        path: path.to_owned(),
        added: lacking(&new.table, before),
        removed: lacking(before, &new.table),
        changed: changed(before, &new.table),
        questions: new.table.questions.len(),
        run: new.run,
        before: old.map(|old| old.run),
        means,
    })
}

/// A run that was stopped has figures of some of its questions only.
pub(crate) fn whole(run: &StoredRun) -> Result<(), Error> {
    let (done, planned) = (run.records.len(), run.summary.planned);
    if done < planned {
        return Err(Error::Compare(format!(
            "run {} was stopped after {done} of {planned} questions; finish it with `fiel eval \
             --resume {}`",
            run.summary.timing.run, run.summary.timing.run
        )));
    }
    Ok(())
}

fn mean(table: &Table, column: Column) -> Option<f64> {
    let values = table.columns.get(&column)?.iter().flatten().copied();
    Mean::of(values).ok()?.mean
}

fn changed(before: &Table, after: &Table) -> Vec<QuestionId> {
    let places = after.places();
    let differs = |(at, id): (usize, &QuestionId)| {
        let now = *places.get(id.as_str())?;
        let value = |table: &Table, column: &Column, at: usize| -> Option<Value> {
            table.columns.get(column).and_then(|values| values[at])
        };
        let columns = before.columns.keys();
        columns
            .into_iter()
            .filter(|column| after.columns.contains_key(column))
            .any(|column| value(before, column, at) != value(after, column, now))
            .then(|| id.clone())
    };
    let questions = before.questions.iter().enumerate();
    questions.filter_map(differs).collect()
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
