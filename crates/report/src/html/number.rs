use fiel_metrics::{Estimate, Value};
use serde::{Serialize, Serializer};

/// A number as the page needs it: whole ones without a point, and null where it is not finite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Num(f64);

impl Num {
    /// As it is.
    pub(super) fn exact(value: f64) -> Self {
        Self(value)
    }

    /// Rounded to four decimals.
    pub(super) fn of(value: f64) -> Self {
        Self::rounded(value, 4)
    }

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

/// What a question scored: a number, `"u"` for undefined, `"f"` for failed, null where the
/// measure does not cover it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Cell(pub(super) Option<Value>);

impl Serialize for Cell {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            None => serializer.serialize_none(),
            Some(Value::Ok(score)) => Num::of(score).serialize(serializer),
            Some(Value::Undefined) => serializer.serialize_str("u"),
            Some(Value::Failed) => serializer.serialize_str("f"),
        }
    }
}

/// `[mean, n, undefined, failed, low, high]`; mean and interval null where n is 0. Not rounded:
/// a figure that is rounded twice is not the one the terminal shows.
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
        assert_eq!(json(Num::of(1.0)), "1");
        assert_eq!(json(Num::of(-0.0)), "0");
        assert_eq!(json(Num::of(2.0 / 3.0)), "0.6667");
        assert_eq!(json(Num::of(f64::NAN)), "null");
        let cells = [None, Some(Value::Undefined), Some(Value::Failed)].map(Cell);
        let cells = serde_json::to_string(&cells).expect("cells");
        assert_eq!(cells, r#"[null,"u","f"]"#);
    }
}
