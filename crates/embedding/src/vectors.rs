//! Vectors of equal width and their dot product.

/// Rows of equal width in one block of memory.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Vectors {
    dim: usize,
    data: Vec<f32>,
}

impl Vectors {
    /// Creates a matrix without rows.
    pub fn new(dim: usize) -> Self {
        Self { dim, data: Vec::new() }
    }

    /// Appends a row.
    ///
    /// # Panics
    /// If the row does not have [`dim`](Self::dim) values.
    pub fn push(&mut self, row: &[f32]) {
        assert_eq!(row.len(), self.dim, "width of a row");
        self.data.extend_from_slice(row);
    }

    /// Width of a row.
    pub fn dim(&self) -> usize {
        self.dim
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.data.len().checked_div(self.dim).unwrap_or(0)
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.data.is_empty()
    }

    /// The row at `index`.
    ///
    /// # Panics
    /// If `index` is out of range.
    pub fn row(&self, index: usize) -> &[f32] {
        &self.data[index * self.dim..(index + 1) * self.dim]
    }

    /// All rows, in order.
    pub fn rows(&self) -> impl Iterator<Item = &[f32]> {
        self.data.chunks_exact(self.dim.max(1))
    }
}

/// The dot product of two vectors of equal width; for unit vectors, their cosine. Uses AVX2 if
/// the processor has it.
pub fn dot(a: &[f32], b: &[f32]) -> f32 {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
        // SAFETY: both features were detected above.
        return unsafe { dot_avx2(a, b) };
    }
    dot_portable(a, b)
}

/// Eight running sums, which the compiler can keep in a vector register.
fn dot_portable(a: &[f32], b: &[f32]) -> f32 {
    let mut sums = [0.0f32; 8];
    let (chunks_a, chunks_b) = (a.chunks_exact(8), b.chunks_exact(8));
    let rest: f32 = chunks_a.remainder().iter().zip(chunks_b.remainder()).map(|(x, y)| x * y).sum();
    for (x, y) in chunks_a.zip(chunks_b) {
        for lane in 0..8 {
            sums[lane] += x[lane] * y[lane];
        }
    }
    sums.iter().sum::<f32>() + rest
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn dot_avx2(a: &[f32], b: &[f32]) -> f32 {
    use std::arch::x86_64::*;
    let len = a.len().min(b.len());
    let (mut s0, mut s1) = (_mm256_setzero_ps(), _mm256_setzero_ps());
    let mut i = 0;
    while i + 16 <= len {
        // SAFETY: `i + 16` is at most the length of both slices.
        unsafe {
            let load = |s: &[f32], i| _mm256_loadu_ps(s.as_ptr().add(i));
            s0 = _mm256_fmadd_ps(load(a, i), load(b, i), s0);
            s1 = _mm256_fmadd_ps(load(a, i + 8), load(b, i + 8), s1);
        }
        i += 16;
    }
    let mut lanes = [0.0f32; 8];
    // SAFETY: `lanes` has room for eight values.
    unsafe { _mm256_storeu_ps(lanes.as_mut_ptr(), _mm256_add_ps(s0, s1)) };
    let rest: f32 = a[i..len].iter().zip(&b[i..len]).map(|(x, y)| x * y).sum();
    lanes.iter().sum::<f32>() + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_kernels_agree_at_every_width() {
        for width in 0..70 {
            let a: Vec<f32> = (0..width).map(|i| (i as f32 * 0.37).sin()).collect();
            let b: Vec<f32> = (0..width).map(|i| (i as f32 * 0.11).cos()).collect();
            let exact: f64 = a.iter().zip(&b).map(|(x, y)| f64::from(*x) * f64::from(*y)).sum();
            assert!((f64::from(dot(&a, &b)) - exact).abs() < 1e-5, "width {width}");
            assert!((f64::from(dot_portable(&a, &b)) - exact).abs() < 1e-5, "width {width}");
        }
    }
}
