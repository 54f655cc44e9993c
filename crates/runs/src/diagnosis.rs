//! The diagnosis stored with a run.

use std::collections::BTreeMap;

use fiel_record::{Class, DIAGNOSIS_SCHEMA, Diagnosis, Mark, QuestionRecord};

use crate::{Error, RunFolder, run::versioned};

/// Replaces the classes and marks of records by those that the reruns of a diagnosis showed.
pub fn with_diagnosis(records: &mut [QuestionRecord], diagnosis: &Diagnosis) {
    let known = diagnosis.wrong.iter();
    let known: BTreeMap<&str, (Class, &[Mark])> =
        known.map(|q| (q.id.as_str(), (q.class, &q.marks[..]))).collect();
    for record in records {
        if let Some((class, marks)) = known.get(record.id.as_str()) {
            record.class = Some(*class);
            record.marks = marks.to_vec();
        }
    }
}

/// Its file in the folder of a run.
const FILE: &str = "diagnosis.json";

impl RunFolder {
    /// What `fiel diagnose` found out about the run; `None` where it was not asked.
    ///
    /// # Errors
    /// When it cannot be read, or is of another version or of other records.
    pub fn diagnosis(&self) -> Result<Option<Diagnosis>, Error> {
        let path = self.path.join(FILE);
        let Some(text) = fiel_store::read_optional_text(&path)? else {
            return Ok(None);
        };
        let bad = |message: String| Error::Run {
            path: path.clone(),
            message: format!("{message}; `fiel diagnose {}` writes it again", self.id),
        };
        let diagnosis: Diagnosis = versioned(&text, DIAGNOSIS_SCHEMA).map_err(bad)?;
        if diagnosis.records_sha256 == self.summary()?.records_sha256 {
            Ok(Some(diagnosis))
        } else {
            Err(bad("the diagnosis belongs to other records".to_owned()))
        }
    }

    /// Keeps a diagnosis beside the run.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write_diagnosis(&self, diagnosis: &Diagnosis) -> Result<(), Error> {
        self.write_json(FILE, diagnosis)
    }
}
