//! A comparison on the terminal.

use fiel_record::WorseSlice;
use fiel_report::{Style, comparison_screen};

use crate::synthetic::{Size, page};

const PLAIN: Style = Style { color: false, width: 100 };

#[test]
fn identical_runs_are_reported_as_identical() {
    let mut page = page(&Size::small());
    let comparison = page.runs[1].comparison.as_mut().expect("a comparison");
    assert!(!comparison_screen(comparison, PLAIN).contains("identical"));
    comparison.identical = true;
    assert!(comparison_screen(comparison, PLAIN).contains("identical, record by record"));
}

#[test]
fn a_worse_slice_is_in_the_first_three_lines() {
    let mut page = page(&Size::small());
    let comparison = page.runs[1].comparison.as_mut().expect("a comparison");
    comparison.worse_slices = vec![WorseSlice {
        tag: "down".into(),
        column: "e2e.accuracy".parse().expect("a column"),
        n: 10,
        difference: -0.2,
        overall: 0.2667,
    }];
    let screen = comparison_screen(comparison, PLAIN);
    let first: Vec<&str> = screen.lines().take(3).collect();
    assert_eq!(
        first[2],
        "down is worse in e2e.accuracy: -0.200 (n 10), while all questions are better: +0.267"
    );
}
