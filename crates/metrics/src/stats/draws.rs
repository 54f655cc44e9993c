//! Random draws as a function of seed, stream and position.

/// The pseudorandom generator SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom
/// number generators", 2014).
///
/// ```
/// let mut random = fiel_metrics::SplitMix64 { state: 0 };
/// assert_eq!(random.next_bits(), 0xe220_a839_7b1d_cdaf);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct SplitMix64 {
    /// The state before the next number.
    pub state: u64,
}

impl SplitMix64 {
    /// What each number adds to the state: 2⁶⁴ divided by the golden ratio.
    pub const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

    /// The next 64 bits.
    pub fn next_bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(Self::STEP);
        mix(self.state)
    }
}

/// A stream of random bits that can be read at any position: [`SplitMix64`] with its state counted
/// from a key.
#[derive(Clone, Copy, Debug)]
pub(super) struct Draws {
    key: u64,
}

impl Draws {
    /// The stream of this number under this seed.
    pub(super) fn new(seed: u64, stream: u64) -> Draws {
        let seed = mix(seed.wrapping_add(SplitMix64::STEP));
        Draws { key: mix(seed ^ stream.wrapping_mul(SplitMix64::STEP)) }
    }

    pub(super) fn bits(self, position: u64) -> u64 {
        mix(self.key.wrapping_add(position.wrapping_mul(SplitMix64::STEP)))
    }

    /// Fills `indices` with draws from 0..n, two from each position. The bias of the multiplication
    /// (Lemire, 2019) is below n / 2^32.
    pub(super) fn fill(self, indices: &mut [u32], n: u32) {
        let scaled = |half: u64| ((half * u64::from(n)) >> 32) as u32;
        for (position, pair) in (0..).zip(indices.chunks_mut(2)) {
            let bits = self.bits(position);
            pair[0] = scaled(bits >> 32);
            if let Some(second) = pair.get_mut(1) {
                *second = scaled(bits & 0xffff_ffff);
            }
        }
    }
}

fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_are_in_range_even_and_differ_by_seed_and_stream() {
        let mut counts = [0u32; 7];
        let mut indices = [0; 70_001];
        Draws::new(1, 2).fill(&mut indices, 7);
        for &index in &indices {
            counts[index as usize] += 1;
        }
        assert!(counts.iter().all(|&c| (9_500..10_500).contains(&c)), "{counts:?}");
        let first = |seed, stream| Draws::new(seed, stream).bits(0);
        assert_ne!(first(1, 2), first(2, 1));
        assert_ne!(first(1, 2), first(1, 3));
    }
}
