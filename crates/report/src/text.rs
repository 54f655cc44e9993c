//! Values as text.

use fiel_metrics::Estimate;
use fiel_record::{Column, EvalMode};

/// A p-value with three digits, or `<0.001`.
pub(crate) fn p_value(p: f64) -> String {
    if p < 0.0005 { "<0.001".to_owned() } else { format!("{p:.3}") }
}

/// A mean with its interval: `0.812 [0.790, 0.834]`. `undefined`: the text of an undefined mean.
pub(crate) fn mean_text(estimate: &Estimate, undefined: &str) -> String {
    match (estimate.mean.mean, estimate.interval) {
        (None, _) => undefined.to_owned(),
        (Some(mean), Some(i)) => format!("{mean:.3} [{:.3}, {:.3}]", i.low, i.high),
        (Some(mean), None) => format!("{mean:.3}"),
    }
}

/// The heading of a column: the measure, with the mode unless it is retrieval.
pub(crate) fn column_title(column: Column) -> String {
    let measure = column.measure.mean_name();
    match column.mode {
        EvalMode::Retrieval => measure,
        mode => format!("{mode}.{measure}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_p_is_not_rounded_to_zero() {
        assert_eq!(p_value(0.00049), "<0.001");
        assert_eq!(p_value(0.0005), "0.001");
    }
}
