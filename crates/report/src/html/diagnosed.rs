//! What reruns showed, in the shape the page's script reads.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::{ClassCeiling, Cluster, ClusterKind, Diagnosis, Proof, Repair, RerunKind};

/// Clusters on the page.
const CLUSTERS: usize = 12;
/// Those whose p is below, before correction.
const ALPHA: f64 = 0.05;

#[derive(Serialize)]
pub(super) struct Diagnosed<'a> {
    questions: usize,
    classes: &'a [ClassCeiling],
    clusters: Vec<&'a Cluster>,
    /// Tags and documents that were tested.
    tested: [usize; 2],
    /// By place of the question among those of the page.
    wrong: BTreeMap<usize, Wrong<'a>>,
}

#[derive(Serialize)]
struct Wrong<'a> {
    proof: Proof,
    repairs: &'a [Repair],
    reruns: Vec<Again<'a>>,
}

/// Kind, chunks, answer; whether it is right, and whether a refusal.
#[derive(Serialize)]
struct Again<'a>(RerunKind, Vec<usize>, &'a str, bool, bool);

impl<'a> Diagnosed<'a> {
    /// `place`: of a question by its id. `chunk`: of a chunk by its id.
    pub(super) fn of(
        diagnosis: &'a Diagnosis,
        place: &BTreeMap<&str, usize>,
        chunk: &mut dyn FnMut(&str) -> usize,
    ) -> Self {
        let tested = |kind| {
            let of_kind = diagnosis.clusters.iter().filter(|c| c.kind == kind);
            of_kind.count()
        };
        let mut wrong = BTreeMap::new();
        for question in &diagnosis.wrong {
            let Some(&at) = place.get(question.id.as_str()) else {
                continue;
            };
            let reruns = question.reruns.iter().map(|rerun| {
                let chunks = rerun.chunks.iter().map(|id| chunk(id)).collect();
                let answer = rerun.error.as_ref().unwrap_or(&rerun.answer);
                Again(rerun.kind, chunks, answer, rerun.right, rerun.abstained)
            });
            wrong.insert(
                at,
                Wrong {
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
