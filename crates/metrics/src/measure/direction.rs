//! Whether more or less is better.

use super::{ClaimMeasure, JudgedQuality, Measure};

/// Which values of a measure are the better ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// A greater value is better, as of `F1`.
    HigherIsBetter,
    /// A smaller value is better, as of `hallucination`.
    LowerIsBetter,
}

impl Direction {
    /// Returns whether `a` is strictly better than `b`.
    pub fn is_better(self, a: f64, b: f64) -> bool {
        self.gain(a - b) > 0.0
    }

    /// Returns whether a value reaches a target: at or above it where higher is better, strictly
    /// below it where lower is better.
    pub fn meets(self, value: f64, target: f64) -> bool {
        match self {
            Direction::HigherIsBetter => value >= target,
            Direction::LowerIsBetter => value < target,
        }
    }

    /// Returns the gain of B over A, given the difference B − A, in the unit of the measure. It is
    /// positive if B is better.
    pub fn gain(self, difference: f64) -> f64 {
        match self {
            Direction::HigherIsBetter => difference,
            Direction::LowerIsBetter => -difference,
        }
    }

    /// The sign between a value and the target that it must meet: `≥` or `<`.
    pub fn target_sign(self) -> &'static str {
        match self {
            Direction::HigherIsBetter => "≥",
            Direction::LowerIsBetter => "<",
        }
    }
}

impl Measure {
    /// Whether a greater or a smaller value is better.
    pub fn direction(self) -> Direction {
        match self {
            Measure::Claim(ClaimMeasure::Hallucination | ClaimMeasure::HallucinationRate)
            | Measure::Judged(JudgedQuality::Toxicity) => Direction::LowerIsBetter,
            _ => Direction::HigherIsBetter,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Direction::{HigherIsBetter, LowerIsBetter};
    use crate::Measure;

    #[test]
    fn three_measures_are_better_when_lower() {
        for (name, direction) in [
            ("F1", HigherIsBetter),
            ("hit@5", HigherIsBetter),
            ("grounding", HigherIsBetter),
            ("answer_relevance", HigherIsBetter),
            ("hallucination", LowerIsBetter),
            ("hallucination_rate", LowerIsBetter),
            ("toxicity", LowerIsBetter),
        ] {
            let measure: Measure = name.parse().unwrap();
            assert_eq!(measure.direction(), direction, "{name}");
        }
    }

    #[test]
    fn a_target_is_met_at_the_bound_only_where_higher_is_better() {
        assert!(HigherIsBetter.meets(0.8, 0.8) && !HigherIsBetter.meets(0.79, 0.8));
        assert!(LowerIsBetter.meets(0.09, 0.1) && !LowerIsBetter.meets(0.1, 0.1));
    }

    #[test]
    fn equal_values_are_not_better() {
        for direction in [HigherIsBetter, LowerIsBetter] {
            assert!(!direction.is_better(0.5, 0.5));
        }
        assert!(HigherIsBetter.is_better(0.6, 0.5) && !LowerIsBetter.is_better(0.6, 0.5));
        assert_eq!((HigherIsBetter.gain(0.1), LowerIsBetter.gain(0.1)), (0.1, -0.1));
    }
}
