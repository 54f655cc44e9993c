//! The value of a measure for one question, and the mean over questions.

use serde::{Deserialize, Serialize, Serializer, ser};

/// The value of a measure for one question.
///
/// Serialized as a number, `"undefined"` or `"failed"`. Serializing a number that is not finite is
/// an error, because JSON would turn it into `null`.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(try_from = "StoredValue")]
pub enum Value {
    /// A score. 0 is a score like any other.
    Ok(f64),
    /// The measure is undefined for this question, which is left out of the mean and counted.
    Undefined,
    /// The question failed, for example by a time-out. It scores 0 and is included in n.
    Failed,
}

/// A value that is NaN or infinite.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("value {index} is {value}, expected a finite number")]
pub struct NotFinite {
    /// Position in the input, from 0.
    pub index: usize,
    /// The value: NaN or an infinity.
    pub value: f64,
}

/// Returns an error for the first value that is not finite.
pub(crate) fn all_finite(values: &[f64]) -> Result<(), NotFinite> {
    match values.iter().position(|v| !v.is_finite()) {
        Some(index) => Err(NotFinite { index, value: values[index] }),
        None => Ok(()),
    }
}

impl Value {
    /// The score that enters the mean: 0 if failed, `None` if undefined.
    pub fn score(self) -> Option<f64> {
        match self {
            Value::Ok(score) => Some(score),
            Value::Failed => Some(0.0),
            Value::Undefined => None,
        }
    }
}

impl From<Option<f64>> for Value {
    fn from(score: Option<f64>) -> Value {
        score.map_or(Value::Undefined, Value::Ok)
    }
}

impl From<f64> for Value {
    fn from(score: f64) -> Value {
        Value::Ok(score)
    }
}

impl From<bool> for Value {
    fn from(right: bool) -> Value {
        Value::Ok(f64::from(right))
    }
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match *self {
            Value::Ok(score) if score.is_finite() => serializer.serialize_f64(score),
            Value::Ok(score) => Err(ser::Error::custom(NotFinite { index: 0, value: score })),
            Value::Undefined => serializer.serialize_str("undefined"),
            Value::Failed => serializer.serialize_str("failed"),
        }
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Value {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Value".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "description": "The value of a measure for one question.",
            "anyOf": [{ "type": "number" }, { "enum": ["undefined", "failed"] }]
        })
    }
}

/// What a serialized value holds.
#[derive(Deserialize)]
#[serde(untagged, expecting = "expected a finite number, \"undefined\" or \"failed\"")]
enum StoredValue {
    Score(f64),
    Word(StoredWord),
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum StoredWord {
    Undefined,
    Failed,
}

impl TryFrom<StoredValue> for Value {
    type Error = NotFinite;

    fn try_from(stored: StoredValue) -> Result<Value, NotFinite> {
        match stored {
            StoredValue::Score(value) if !value.is_finite() => Err(NotFinite { index: 0, value }),
            StoredValue::Score(score) => Ok(Value::Ok(score)),
            StoredValue::Word(StoredWord::Undefined) => Ok(Value::Undefined),
            StoredValue::Word(StoredWord::Failed) => Ok(Value::Failed),
        }
    }
}

/// The mean of a measure over the questions of a run, with its counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Mean {
    /// Sum of the scores / n; `None` if n is 0.
    pub mean: Option<f64>,
    /// Number of questions in the mean, including failed ones.
    pub n: usize,
    /// Number of questions left out because the measure is undefined for them.
    pub undefined: usize,
    /// Number of questions that failed. Each scores 0 and is included in `n`.
    pub failed: usize,
}

impl Mean {
    /// Counts and averages the values of a measure.
    ///
    /// # Errors
    /// If a score is not finite. The error holds the index of the question.
    pub fn from_values(values: impl IntoIterator<Item = Value>) -> Result<Mean, NotFinite> {
        let mut mean = Mean::default();
        let mut sum = 0.0;
        for (index, value) in values.into_iter().enumerate() {
            mean.failed += usize::from(value == Value::Failed);
            match value.score() {
                Some(value) if !value.is_finite() => return Err(NotFinite { index, value }),
                Some(score) => {
                    sum += score;
                    mean.n += 1;
                }
                None => mean.undefined += 1,
            }
        }
        mean.mean = (mean.n > 0).then(|| sum / mean.n as f64);
        Ok(mean)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failed_scores_zero_and_undefined_is_left_out() {
        let mean = Mean::from_values([
            Value::Ok(1.0),
            Value::Failed,
            Value::Undefined,
            Value::Ok(0.0),
            Value::Ok(1.0),
        ]);
        let expected = Mean { mean: Some(0.5), n: 4, undefined: 1, failed: 1 };
        assert_eq!(mean, Ok(expected));
        assert_eq!(Mean::from_values([Value::Undefined]).unwrap().mean, None);
        assert_eq!(Mean::from_values([Value::Ok(0.0)]).unwrap().mean, Some(0.0));
    }

    #[test]
    fn a_value_that_is_not_finite_is_an_error() {
        let error = Mean::from_values([Value::Ok(1.0), Value::Ok(f64::NAN)]).unwrap_err();
        assert_eq!(error.index, 1);
        assert!(serde_json::to_string(&Value::Ok(f64::NAN)).is_err());
        assert!(serde_json::from_str::<Value>("null").is_err());
    }

    #[test]
    fn json_round_trip() {
        for (value, json) in [
            (Value::Ok(0.0), "0.0"),
            (Value::Ok(1.0 / 3.0), "0.3333333333333333"),
            (Value::Undefined, "\"undefined\""),
            (Value::Failed, "\"failed\""),
        ] {
            assert_eq!(serde_json::to_string(&value).unwrap(), json);
            assert_eq!(serde_json::from_str::<Value>(json).unwrap(), value);
        }
        assert_eq!(serde_json::from_str::<Value>("1").unwrap(), Value::Ok(1.0));
    }
}
