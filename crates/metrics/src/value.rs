//! What one question scored, and the mean of many.

use serde::de::{self, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// What one question scored by one measure.
///
/// In serialized form a number, `"undefined"` or `"failed"`. A value that is
/// not finite refuses to serialize: JSON would make it `null`, which does not
/// come back.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// A score; 0 is a score like any other.
    Ok(f64),
    /// The measure makes no statement about this question: left out of the mean and counted.
    Undefined,
    /// The question broke (a leg failed, a time-out): scores 0 and is in n.
    Failed,
}

/// A number that is NaN or infinite, where it arose.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error(
    "value {index} is {value}, not a finite number: the measure that made it divided by zero or was given such a number"
)]
pub struct NotFinite {
    /// Position in the input, from 0.
    pub index: usize,
    /// NaN or an infinity.
    pub value: f64,
}

/// Refuses the first number that is not finite.
pub(crate) fn all_finite(values: &[f64]) -> Result<(), NotFinite> {
    match values.iter().position(|v| !v.is_finite()) {
        Some(index) => Err(NotFinite {
            index,
            value: values[index],
        }),
        None => Ok(()),
    }
}

impl Value {
    /// What enters the mean: the score, 0 for a failed question, nothing for an undefined one.
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
        Value::Ok(f64::from(u8::from(right)))
    }
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match *self {
            Value::Ok(score) if score.is_finite() => serializer.serialize_f64(score),
            Value::Ok(score) => Err(serde::ser::Error::custom(NotFinite {
                index: 0,
                value: score,
            })),
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
            "description": "What one question scored by one measure.",
            "anyOf": [{ "type": "number" }, { "enum": ["undefined", "failed"] }]
        })
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Value, D::Error> {
        struct ValueVisitor;

        impl Visitor<'_> for ValueVisitor {
            type Value = Value;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a finite number, \"undefined\" or \"failed\"")
            }

            fn visit_f64<E: de::Error>(self, v: f64) -> Result<Value, E> {
                if v.is_finite() {
                    Ok(Value::Ok(v))
                } else {
                    Err(E::invalid_value(de::Unexpected::Float(v), &self))
                }
            }

            fn visit_u64<E: de::Error>(self, v: u64) -> Result<Value, E> {
                Ok(Value::Ok(v as f64))
            }

            fn visit_i64<E: de::Error>(self, v: i64) -> Result<Value, E> {
                Ok(Value::Ok(v as f64))
            }

            fn visit_str<E: de::Error>(self, v: &str) -> Result<Value, E> {
                match v {
                    "undefined" => Ok(Value::Undefined),
                    "failed" => Ok(Value::Failed),
                    _ => Err(E::invalid_value(de::Unexpected::Str(v), &self)),
                }
            }
        }

        deserializer.deserialize_any(ValueVisitor)
    }
}

/// The mean of a measure over the questions of a run, with its denominator.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Mean {
    /// Sum of the scores / n; none where n is 0.
    pub mean: Option<f64>,
    /// Questions in the mean, the failed ones included.
    pub n: usize,
    /// Questions left out because the measure makes no statement about them.
    pub undefined: usize,
    /// Questions that failed: each scores 0 and is in `n`.
    pub failed: usize,
}

impl Mean {
    /// Counts and averages. The index in the error is that of the question.
    pub fn of(values: impl IntoIterator<Item = Value>) -> Result<Mean, NotFinite> {
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
        let mean = Mean::of([
            Value::Ok(1.0),
            Value::Failed,
            Value::Undefined,
            Value::Ok(0.0),
            Value::Ok(1.0),
        ]);
        let expected = Mean {
            mean: Some(0.5),
            n: 4,
            undefined: 1,
            failed: 1,
        };
        assert_eq!(mean, Ok(expected));
        assert_eq!(Mean::of([Value::Undefined]).unwrap().mean, None);
        assert_eq!(Mean::of([Value::Ok(0.0)]).unwrap().mean, Some(0.0));
    }

    #[test]
    fn not_a_number_is_an_error_where_it_arises() {
        let error = Mean::of([Value::Ok(1.0), Value::Ok(f64::NAN)]).unwrap_err();
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
