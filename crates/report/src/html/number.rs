//! Numbers in the JSON of the page.

use fiel_metrics::{Estimate, Value};
use serde::{Serialize, Serializer};

/// A number without decimal point if it is an integer, and null if it is not finite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Num(f64);

impl Num {
    /// The number without rounding.
    pub(super) fn exact(value: f64) -> Self {
        Self(value)
    }

    /// The number rounded to four decimals.
    pub(super) fn short(value: f64) -> Self {
        Self::rounded(value, 4)
    }

    /// The number rounded to `decimals`.
    pub(super) fn rounded(value: f64, decimals: i32) -> Self {
        let scale = 10f64.powi(decimals);
        Self((value * scale).round() / scale)
    }
}

impl From<usize> for Num {
    fn from(value: usize) -> Self {
        Self(value as f64)
    }
}

impl Serialize for Num {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            value if !value.is_finite() => serializer.serialize_none(),
            value if value.fract() == 0.0 && value.abs() < 1e15 => {
                serializer.serialize_i64(value as i64)
            }
            value => serializer.serialize_f64(value),
        }
    }
}

/// The value of a measure for a question: a number, `"u"` if undefined, `"f"` if failed, null if
/// the measure does not cover the question.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Cell(pub(super) Option<Value>);

impl Serialize for Cell {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            None => serializer.serialize_none(),
            Some(Value::Ok(score)) => Num::short(score).serialize(serializer),
            Some(Value::Undefined) => serializer.serialize_str("u"),
            Some(Value::Failed) => serializer.serialize_str("f"),
        }
    }
}

/// `[mean, n, undefined, failed, low, high]`; mean and interval are null if n is 0. The numbers
/// are not rounded, because a number that is rounded twice can differ from that of the terminal.
pub(super) fn estimate(e: &Estimate) -> [Option<Num>; 6] {
    [
        e.mean.mean.map(Num::exact),
        Some(e.mean.n.into()),
        Some(e.mean.undefined.into()),
        Some(e.mean.failed.into()),
        e.interval.map(|i| Num::exact(i.low)),
        e.interval.map(|i| Num::exact(i.high)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_never_break_the_json() {
        let json = |n: Num| serde_json::to_string(&n).expect("a number");
        assert_eq!(json(Num::short(1.0)), "1");
        assert_eq!(json(Num::short(-0.0)), "0");
        assert_eq!(json(Num::short(2.0 / 3.0)), "0.6667");
        assert_eq!(json(Num::short(f64::NAN)), "null");
        let cells = [None, Some(Value::Undefined), Some(Value::Failed)].map(Cell);
        let cells = serde_json::to_string(&cells).expect("cells");
        assert_eq!(cells, r#"[null,"u","f"]"#);
    }
}
