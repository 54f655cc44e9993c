//! Holm's correction for multiple tests (Holm, "A simple sequentially rejective multiple test
//! procedure", 1979).

/// Returns the adjusted p of a family of tests, in the given order.
///
/// With m values in ascending order, the i-th is multiplied by m − i + 1, raised to at least the
/// adjusted value before it, and cut at 1.
pub fn holm(p: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p.len()).collect();
    order.sort_by(|&a, &b| p[a].total_cmp(&p[b]));
    let mut adjusted = vec![1.0; p.len()];
    let mut greatest: f64 = 0.0;
    for (smaller, &index) in order.iter().enumerate() {
        greatest = greatest.max(p[index] * (p.len() - smaller) as f64).min(1.0);
        adjusted[index] = greatest;
    }
    adjusted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equals_r() {
        // p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm")
        let adjusted = holm(&[0.01, 0.04, 0.03, 0.005]);
        for (got, expected) in adjusted.iter().zip([0.03, 0.06, 0.06, 0.02]) {
            assert!((got - expected).abs() < 1e-12);
        }
        assert_eq!(holm(&[0.7, 0.9]), [1.0, 1.0]);
        assert_eq!(holm(&[]), [0.0; 0]);
    }
}
