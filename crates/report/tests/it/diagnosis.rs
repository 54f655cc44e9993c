//! A diagnosis on the terminal and as Markdown.

use fiel_report::{Style, diagnosis_markdown, diagnosis_screen};

use crate::synthetic::{Size, diagnosis, page};

const PLAIN: Style = Style { color: false, width: 100 };

#[test]
fn clusters_come_first_then_repairs_then_each_answer() {
    let d = diagnosis(&page(&Size::small()).runs[0]);
    insta::assert_snapshot!(diagnosis_screen(&d, PLAIN));
}

#[test]
fn markdown_has_the_same_and_escapes_answers() {
    let d = diagnosis(&page(&Size::small()).runs[0]);
    insta::assert_snapshot!(diagnosis_markdown(&d));
}

#[test]
fn a_run_without_wrong_answers_has_nothing_to_diagnose() {
    let mut d = diagnosis(&page(&Size::small()).runs[0]);
    d.wrong.clear();
    d.classes.clear();
    assert_eq!(diagnosis_screen(&d, PLAIN).lines().count(), 1);
    assert_eq!((d.unexplained(), diagnosis_markdown(&d).lines().count()), (0.0, 1));
}
