//! Tags and documents with more wrong answers than chance explains.

use std::collections::{BTreeMap, BTreeSet};

use fiel_metrics::{holm, over_representation};
use fiel_record::{Cluster, ClusterKind, QuestionRecord};
use fiel_text::id::doc_of;

/// Significance level of the test.
const ALPHA: f64 = 0.05;

/// Tags and documents of the wrong answers, tested for over-representation. Per kind, the test covers
/// and corrects for the groups that could fall below the level if all their questions were wrong
/// (Tarone, "A modified Bonferroni method for discrete data", 1990). Which groups these are does not
/// depend on the answers.
pub(crate) fn clusters(read: &[&QuestionRecord], wrong: &BTreeSet<&str>) -> Vec<Cluster> {
    let (total, drawn) = (read.len() as u64, wrong.len() as u64);
    let mut all = Vec::new();
    for kind in [ClusterKind::Tag, ClusterKind::Document] {
        let mut groups: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
        for record in read {
            let is_wrong = u64::from(wrong.contains(record.id.as_str()));
            for name in names(record, kind) {
                let (marked, hits) = groups.entry(name).or_default();
                *marked += 1;
                *hits += is_wrong;
            }
        }
        let tested = groups.into_iter().filter_map(|(name, (marked, hits))| {
            let least = over_representation(marked.min(drawn), drawn, marked, total)?;
            let p = over_representation(hits, drawn, marked, total)?;
            (least <= ALPHA).then(|| Cluster {
                kind,
                name: name.to_owned(),
                questions: marked as usize,
                wrong: hits as usize,
                p,
                p_holm: p,
            })
        });
        let mut tested: Vec<Cluster> = tested.collect();
        let p: Vec<f64> = tested.iter().map(|cluster| cluster.p).collect();
        for (cluster, adjusted) in tested.iter_mut().zip(holm(&p)) {
            cluster.p_holm = adjusted;
        }
        all.extend(tested);
    }
    all.sort_by(|a, b| a.p.total_cmp(&b.p).then_with(|| (a.kind, &a.name).cmp(&(b.kind, &b.name))));
    all
}

fn names(record: &QuestionRecord, kind: ClusterKind) -> BTreeSet<&str> {
    match kind {
        ClusterKind::Tag => record.tags.iter().map(String::as_str).collect(),
        ClusterKind::Document => {
            record.retrieval.evidence.iter().map(|chunk| doc_of(chunk)).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(id: usize, tag: &str) -> QuestionRecord {
        let json = serde_json::json!({
            "schema": "fiel.record/1", "id": format!("q{id:02}"), "question": "Q?", "lang": "en",
            "split": "test", "tags": [tag], "unanswerable": false, "references": ["x"],
            "retrieval": {"hits": [], "groups": 1, "evidence": [], "measures": {}},
        });
        serde_json::from_value(json).expect("a record")
    }

    #[test]
    fn what_is_wrong_more_often_than_chance_comes_first() {
        // Of 30 questions 10 are wrong: 8 of the 10 tagged `down`, 2 of the 18 `up`, 0 of 2 `few`.
        let tag = |id| match id {
            0..18 => "up",
            18..28 => "down",
            _ => "few",
        };
        let is_wrong = |id| id < 2 || (18..26).contains(&id);
        let records: Vec<QuestionRecord> = (0..30).map(|id| record(id, tag(id))).collect();
        let read: Vec<&QuestionRecord> = records.iter().collect();
        let wrong = (0..30).filter(|&id| is_wrong(id));
        let wrong: BTreeSet<&str> = wrong.map(|id| records[id].id.as_str()).collect();
        let found = clusters(&read, &wrong);
        // Two questions of thirty could both be wrong by chance: they are not tested.
        let names: Vec<&str> = found.iter().map(|c| c.name.as_str()).collect();
        assert_eq!(names, ["down", "up"]);
        // (C(10,8) C(20,2) + C(10,9) C(20,1) + 1) / C(30,10)
        let expected = (45.0 * 190.0 + 10.0 * 20.0 + 1.0) / 30_045_015.0;
        assert!((found[0].p - expected).abs() < 1e-12, "{}", found[0].p);
        assert!((found[0].p_holm - 2.0 * expected).abs() < 1e-12);
        assert!(found[1].p > 0.99 && found[1].p_holm > 0.99);
    }
}
