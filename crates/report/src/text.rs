//! Figures as text.

/// Three digits; what would round to 0.000 is `<0.001`.
pub(crate) fn p_value(p: f64) -> String {
    if p < 0.0005 { "<0.001".to_owned() } else { format!("{p:.3}") }
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
