//! A diagnosis in the form that the script of the page reads.

use std::collections::BTreeMap;

use serde::Serialize;

use super::texts::TextPool;
use fiel_record::{ClassCeiling, Cluster, ClusterKind, Diagnosis, Proof, Repair, RerunKind};

/// The number of clusters on the page.
const CLUSTERS: usize = 12;
/// The p-value, before correction, below which a cluster is on the page.
const ALPHA: f64 = 0.05;

#[derive(Serialize)]
pub(super) struct PageDiagnosis<'a> {
    questions: usize,
    classes: &'a [ClassCeiling],
    clusters: Vec<&'a Cluster>,
    /// Numbers of tags and of documents that were tested.
    tested: [usize; 2],
    /// By position of the question in the page.
    wrong: BTreeMap<usize, WrongAnswer<'a>>,
}

#[derive(Serialize)]
struct WrongAnswer<'a> {
    proof: Proof,
    repairs: &'a [Repair],
    reruns: Vec<PageRerun<'a>>,
}

/// Kind, positions of the chunks, answer or error, whether it is right, whether it is an
/// abstention.
type PageRerun<'a> = (RerunKind, Vec<usize>, &'a str, bool, bool);

impl<'a> PageDiagnosis<'a> {
    pub(super) fn new(
        diagnosis: &'a Diagnosis,
        question_places: &BTreeMap<&str, usize>,
        pool: &mut TextPool<'_>,
    ) -> Self {
        let tested = |kind| {
            let of_kind = diagnosis.clusters.iter().filter(|c| c.kind == kind);
            of_kind.count()
        };
        let mut wrong = BTreeMap::new();
        for question in &diagnosis.wrong {
            let Some(&place) = question_places.get(question.id.as_str()) else {
                continue;
            };
            let reruns = question.reruns.iter().map(|rerun| {
                let answer = rerun.error.as_deref().unwrap_or(&rerun.answer);
                let chunks = pool.chunks(&rerun.chunks);
                (rerun.kind, chunks, answer, rerun.right, rerun.abstained)
            });
            wrong.insert(
                place,
                WrongAnswer {
                    proof: question.shown_by,
                    reruns: reruns.collect(),
                    repairs: &question.repairs,
                },
            );
        }
        let clusters = diagnosis.clusters.iter().filter(|c| c.p < ALPHA);
        Self {
            questions: diagnosis.questions,
            classes: &diagnosis.classes,
            clusters: clusters.take(CLUSTERS).collect(),
            tested: [tested(ClusterKind::Tag), tested(ClusterKind::Document)],
            wrong,
        }
    }
}
