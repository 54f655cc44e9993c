//! The diagnosis stored with a run.

use std::collections::BTreeMap;

use fiel_record::{DIAGNOSIS_SCHEMA, DiagnosedQuestion, Diagnosis};

use crate::{Error, RunFolder, StoredRun, run::versioned};

/// Replaces the classes and marks of a run by those that the reruns of a diagnosis showed, in its
/// records and in the counts of its summary.
pub fn apply_diagnosis(run: &mut StoredRun, diagnosis: &Diagnosis) {
    let wrong: BTreeMap<&str, &DiagnosedQuestion> =
        diagnosis.wrong.iter().map(|q| (q.id.as_str(), q)).collect();
    for record in &mut run.records {
        if let Some(question) = wrong.get(record.id.as_str()) {
            record.class = Some(question.class);
            record.marks.clone_from(&question.marks);
        }
    }
    let classes = diagnosis.classes.iter();
    run.summary.classes = classes.map(|row| (row.class, row.wrong)).collect();
}

/// The file in the folder of a run.
const FILE: &str = "diagnosis.json";

impl RunFolder {
    /// The diagnosis of the run. Returns `None` if `fiel diagnose` did not run.
    ///
    /// # Errors
    /// If the file cannot be read, has another version, or belongs to other records.
    pub fn diagnosis(&self) -> Result<Option<Diagnosis>, Error> {
        let path = self.path.join(FILE);
        let Some(text) = fiel_store::read_optional_text(&path)? else {
            return Ok(None);
        };
        let error = |message: String| Error::Run {
            path: path.clone(),
            message: format!("{message}; write it again with `fiel diagnose {}`", self.id),
        };
        let diagnosis: Diagnosis = versioned(&text, DIAGNOSIS_SCHEMA).map_err(error)?;
        if diagnosis.records_sha256 == self.summary()?.records_sha256 {
            Ok(Some(diagnosis))
        } else {
            Err(error("the diagnosis belongs to other records".to_owned()))
        }
    }

    /// Writes the diagnosis of the run.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write_diagnosis(&self, diagnosis: &Diagnosis) -> Result<(), Error> {
        self.write_json(FILE, diagnosis)
    }
}
