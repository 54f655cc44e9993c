//! Runs made up of a fixed sequence of numbers, in the size of real ones.

use std::{borrow::Cow, collections::BTreeMap};

use fiel_metrics::{Estimate, Interval, Mean, Measure, Paired, PairedTest, Value};
use fiel_record::{
    Abstention, COMPARISON_SCHEMA, Class, ClassCeiling, Cluster, ClusterKind, Column,
    ComparedMeasure, ComparedRun, Comparison, DIAGNOSIS_SCHEMA, DiagnosedQuestion, Diagnosis,
    EvalMode, Evidence, Flip, HitRecord, Latency, LegRecord, Manifest, Mark, PassageRecord, Proof,
    QuestionRecord, RECORD_SCHEMA, ReadRecord, Repair, Rerun, RerunKind, RetrievalRecord,
    SUMMARY_SCHEMA, Split, Summary, TagClasses, Target, Timing, TimingRecord,
};
use fiel_report::{ChunkTexts, PageRun, ReportPage};
use fiel_text::{Lang, id::ChunkId};

/// How much is made up.
pub struct Size {
    questions: usize,
    arms: usize,
    chunks: usize,
}

impl Size {
    pub fn small() -> Self {
        Self { questions: 4, arms: 2, chunks: 12 }
    }

    pub fn large() -> Self {
        Self { questions: 500, arms: 10, chunks: 2_000 }
    }
}

const RETRIEVAL: [&str; 9] =
    ["hit@1", "hit@3", "hit@5", "hit@10", "RR@10", "R@5", "P@5", "nDCG@10", "all@5"];
const READING: [&str; 9] = [
    "EM",
    "contains",
    "F1",
    "answer_contains",
    "accuracy",
    "faithfulness_strict",
    "faithfulness_loose",
    "citation_precision",
    "citation_coverage",
];

/// Numbers that look random and are always the same (SplitMix64).
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % n as u64) as usize
    }

    fn share(&mut self) -> f64 {
        self.below(10_000) as f64 / 10_000.0
    }

    fn words(&mut self, n: usize) -> String {
        const WORDS: [&str; 16] = [
            "contrato", "despido", "plazo", "the", "worker", "of", "días", "notice", "article",
            "una", "period", "salario", "is", "within", "mes", "shall",
        ];
        let words: Vec<&str> = (0..n).map(|_| WORDS[self.below(WORDS.len())]).collect();
        words.join(" ")
    }
}

fn measure(name: &str) -> Measure {
    name.parse().expect(name)
}

fn chunk_id(at: usize) -> ChunkId {
    ChunkId::new(&format!("doc-{}", at / 4 + 1), at % 4 + 1)
}

pub fn page(size: &Size) -> ReportPage<'static> {
    let mut dice = Dice(7);
    let texts: BTreeMap<String, String> = (0..size.chunks)
        .map(|at| {
            let words = dice.words(70);
            (chunk_id(at).to_string(), format!("Doc {at} > Part: {words} evidence {at}."))
        })
        .collect();
    let evidence = (0..size.questions).map(|q| {
        let at = gold(q, size);
        let quote = Some(format!("*evidence* {at}"));
        let doc = chunk_id(at).split('#').next().unwrap_or("").into();
        let piece = Evidence { doc, quote, ..Evidence::default() };
        (format!("q-{q}"), Cow::Owned(vec![piece]))
    });
    let evidence = evidence.collect();
    let mut runs: Vec<PageRun> = (0..size.arms).map(|arm| run(arm, size, &texts)).collect();
    for arm in 1..runs.len() {
        let comparison = comparison(&runs[0], &runs[arm], &mut dice);
        runs[arm].comparison = Some(comparison);
    }
    ReportPage {
        title: None,
        shown: runs.len() - 1,
        runs,
        chunks: vec![ChunkTexts { chunks_sha256: "chunks".into(), texts }],
        evidence,
        notes: Vec::new(),
    }
}

fn gold(q: usize, size: &Size) -> usize {
    (q * 7) % size.chunks
}

fn run(arm: usize, size: &Size, texts: &BTreeMap<String, String>) -> PageRun<'static> {
    let mut dice = Dice(arm as u64 + 100);
    // Arms of a retrieval ablation: the oracle's answers are the same in all.
    let mut oracle_dice = Dice(5);
    let mut records = Vec::new();
    let mut timings = Vec::new();
    for q in 0..size.questions {
        let at = gold(q, size);
        let place = dice.below(13);
        let hits: Vec<HitRecord> =
            (0..10).map(|rank| hit(rank, place, at, size, &mut dice)).collect();
        let read: Vec<ChunkId> = hits.iter().take(3).map(|h| h.chunk.clone()).collect();
        let question = format!("What about question {q} of {}?", Dice(q as u64).words(8));
        let e2e = reading(&question, &read, texts, &mut dice);
        let oracle = reading(&question, &[chunk_id(at)], texts, &mut oracle_dice);
        let class = (!e2e.right).then(|| Class::ALL[1 + dice.below(6)]);
        records.push(QuestionRecord {
            schema: RECORD_SCHEMA.into(),
            id: format!("q-{q}").into(),
            question,
            lang: if q % 2 == 0 { Lang::En } else { Lang::Es },
            split: Split::Test,
            tags: vec![
                format!("kind:{}", q % 7),
                format!("style:{}", q % 5),
                format!("topic:{}", q % 40),
            ],
            unanswerable: false,
            references: vec![format!("reference {q}")],
            retrieval: RetrievalRecord {
                hits,
                groups: 1,
                evidence: vec![chunk_id(at)],
                measures: values(&RETRIEVAL, &mut dice),
                ..RetrievalRecord::default()
            },
            oracle: Some(oracle),
            e2e: Some(e2e),
            class,
            marks: Vec::new(),
        });
        timings.push(TimingRecord {
            id: format!("q-{q}").into(),
            embed_ms: 17.0 + dice.share(),
            dense_ms: dice.share(),
            bm25_ms: dice.share(),
            oracle_ms: None,
            e2e_ms: Some(4_000.0 * dice.share()),
            ..TimingRecord::default()
        });
    }
    let mut run = PageRun::new(Cow::Owned(summary(arm, &records, &mut dice)), Cow::Owned(records));
    run.timings = timings;
    run
}

fn hit(rank: usize, place: usize, gold: usize, size: &Size, dice: &mut Dice) -> HitRecord {
    let leg = |dice: &mut Dice, scale: f64| {
        Some(LegRecord { rank: dice.below(100) + 1, score: scale * dice.share() })
    };
    let (chunk, finds) =
        if rank == place { (gold, vec![0]) } else { (dice.below(size.chunks), vec![]) };
    HitRecord {
        rank: rank + 1,
        chunk: chunk_id(chunk),
        score: 1.0 / (61 + rank) as f64,
        bm25: leg(dice, 20.0),
        dense: leg(dice, 1.0),
        finds,
        ..HitRecord::default()
    }
}

fn values(names: &[&str], dice: &mut Dice) -> BTreeMap<Measure, Value> {
    let mut value = |name: &str| {
        let is_proportion = measure(name).is_proportion();
        Value::Ok(if is_proportion { dice.below(2) as f64 } else { dice.share() })
    };
    names.iter().map(|name| (measure(name), value(name))).collect()
}

fn reading(
    question: &str,
    chunks: &[ChunkId],
    texts: &BTreeMap<String, String>,
    dice: &mut Dice,
) -> ReadRecord {
    let ids: Vec<String> = (1..=chunks.len()).map(|id| id.to_string()).collect();
    let offered = ids.iter().zip(chunks);
    let lines: Vec<String> =
        offered.map(|(id, chunk)| format!("[{id}] {}\n", texts[chunk.as_str()])).collect();
    let claims: Vec<fiel_record::ClaimRecord> = (0..1 + dice.below(2))
        .map(|_| fiel_record::ClaimRecord {
            text: dice.words(6) + ".",
            cites: vec!["1".into()],
            strict: dice.below(3) > 0,
            loose: dice.below(4) > 0,
            share: dice.share(),
            reason: None,
            ..fiel_record::ClaimRecord::default()
        })
        .collect();
    let answer: Vec<String> =
        claims.iter().map(|claim| format!("{} [1].", claim.text.trim_end_matches('.'))).collect();
    ReadRecord {
        passages: ids
            .iter()
            .zip(chunks)
            .map(|(id, chunk)| PassageRecord {
                id: id.clone(),
                chunk: chunk.clone(),
                merged: vec![],
            })
            .collect(),
        prompt: format!("Answer from the passages.\n{}Question: {question}\n", lines.concat()),
        answer: answer.join(" "),
        right: dice.below(2) == 0,
        measures: values(&READING, dice),
        claims,
        prompt_tokens: 300,
        answer_tokens: 20,
        ..ReadRecord::default()
    }
}

fn summary(arm: usize, records: &[QuestionRecord], dice: &mut Dice) -> Summary {
    let mut estimate = |_: &str| {
        let mean = 0.2 + 0.6 * dice.share();
        Estimate {
            mean: Mean { mean: Some(mean), n: records.len(), undefined: 0, failed: 0 },
            interval: Some(Interval { low: mean - 0.05, high: mean + 0.05 }),
        }
    };
    let mut measures = BTreeMap::new();
    for mode in EvalMode::ALL {
        let names = if mode == EvalMode::Retrieval { RETRIEVAL } else { READING };
        let of_mode = names.iter().map(|name| (measure(name), estimate(name)));
        measures.insert(mode, of_mode.collect::<BTreeMap<_, _>>());
    }
    let mut slices = BTreeMap::new();
    for tag in records.iter().flat_map(|r| &r.tags) {
        slices.entry(tag.clone()).or_insert_with(|| {
            let columns = fiel_record::headline().into_iter();
            columns.map(|c: Column| (c, estimate(""))).collect::<BTreeMap<_, _>>()
        });
    }
    let mut classes = BTreeMap::new();
    for class in records.iter().filter_map(|r| r.class) {
        *classes.entry(class).or_insert(0) += 1;
    }
    let stage = Latency { p50: 10.0, p95: 20.0, p99: 30.0, n: records.len() };
    Summary {
        schema: SUMMARY_SCHEMA.into(),
        manifest: manifest(),
        answerable: records.len(),
        unanswerable: 0,
        planned: records.len(),
        measures,
        slices,
        targets: vec![Target {
            mode: EvalMode::E2e,
            measure: measure("F1"),
            bound: 0.5,
            mean: Some(0.4),
            met: Some(false),
        }],
        abstention: Some(Abstention::default()),
        coverage: vec![],
        spread: BTreeMap::new(),
        readers: None,
        bottleneck: Some(fiel_record::Bottleneck::Retrieval),
        classes,
        judge: None,
        split: None,
        dense_loss: None,
        tokens: BTreeMap::new(),
        cost: None,
        errors: BTreeMap::new(),
        records_sha256: "0".repeat(64),
        timing: Timing {
            run: format!("20260101-0000{arm:02}-00000000"),
            started: format!("2026-01-01T00:00:{arm:02}Z"),
            note: Some(format!("arm {arm}")),
            latency: BTreeMap::from([("retrieval".to_owned(), stage)]),
            ..Timing::default()
        },
    }
}

fn manifest() -> Manifest {
    Manifest {
        key: "0".repeat(64),
        version: "0".into(),
        kb: "synthetic".into(),
        kb_sha256: "0".repeat(64),
        gold: "synthetic".into(),
        gold_sha256: "0".repeat(64),
        questions: "test".into(),
        modes: EvalMode::ALL.to_vec(),
        distractors: 0,
        documents: 1,
        left_out: Vec::new(),
        chunks: 1,
        chunks_sha256: "chunks".into(),
        index_sha256: String::new(),
        embedder: "e".into(),
        embedder_sha256: "0".repeat(64),
        reranker: None,
        reader: Some("reader".into()),
        reader_sha256: None,
        prompts_sha256: None,
        judge: None,
        system: None,
        device_class: "cpu".into(),
        claim_unit: "sentence".into(),
        settings_sha256: "0".repeat(64),
        settings: serde_json::json!({"retrieve": {"mode": "hybrid", "top_k": 10}}),
    }
}

fn comparison(a: &PageRun<'_>, b: &PageRun<'_>, dice: &mut Dice) -> Comparison {
    let arm = |run: &PageRun<'_>| ComparedRun {
        run: run.summary.timing.run.clone(),
        note: run.summary.timing.note.clone(),
        git: None,
        abstention: None,
    };
    let rows = EvalMode::ALL.into_iter().flat_map(|mode| {
        let names = if mode == EvalMode::Retrieval { RETRIEVAL } else { READING };
        names.map(|name| Column { mode, measure: measure(name) })
    });
    let row = |column| {
        let difference = 0.2 * dice.share() - 0.1;
        ComparedMeasure {
            column,
            paired: Paired {
                n: a.records.len(),
                left_out: 0,
                mean_a: 0.5,
                mean_b: 0.5 + difference,
                difference,
                interval: Some(Interval { low: difference - 0.04, high: difference + 0.04 }),
                p: 0.04,
                test: PairedTest::SignFlip,
                wins: 20,
                ties: 10,
                losses: 15,
                identical: false,
                mde: None,
            },
            p_holm: 0.2,
        }
    };
    let rows = rows.map(row).collect();
    let flip = |(a, b): (&QuestionRecord, &QuestionRecord)| {
        let (was, is) = (a.e2e.as_ref()?, b.e2e.as_ref()?);
        (was.right != is.right).then(|| Flip {
            id: a.id.clone(),
            question: a.question.clone(),
            mode: EvalMode::E2e,
            better: is.right,
            a: was.answer.clone(),
            b: is.answer.clone(),
        })
    };
    Comparison {
        schema: COMPARISON_SCHEMA.into(),
        a: arm(a),
        b: arm(b),
        unlike: Vec::new(),
        differences: Vec::new(),
        questions: a.records.len(),
        only_a: Vec::new(),
        only_b: Vec::new(),
        identical: false,
        rows,
        worse_slices: Vec::new(),
        flips: a.records.iter().zip(b.records.iter()).filter_map(flip).collect(),
    }
}

/// What reruns could show if the first three answers of a run were wrong.
pub fn diagnosis(run: &PageRun<'_>) -> Diagnosis {
    let question = |record: &QuestionRecord| DiagnosedQuestion {
        id: record.id.clone(),
        question: record.question.clone(),
        tags: record.tags.clone(),
        references: record.references.clone(),
        answer: "wrong | [1]".into(),
        class: Class::ReaderMiss,
        shown_by: Proof::Evidence,
        marks: vec![Mark::GoldSuspect],
        evidence_rank: Some(1),
        group_ranks: vec![Some(1)],
        reruns: vec![Rerun {
            kind: RerunKind::Evidence,
            chunks: record.retrieval.evidence.clone(),
            answer: "again <b>".into(),
            right: false,
            abstained: false,
            error: None,
        }],
        repairs: vec![Repair::Prompt, Repair::Gold],
    };
    let mut wrong: Vec<DiagnosedQuestion> = run.records.iter().take(3).map(question).collect();
    let miss = &mut wrong[1];
    (miss.class, miss.shown_by, miss.evidence_rank) = (Class::RetrievalMiss, Proof::Ranks, Some(7));
    miss.group_ranks = vec![Some(7)];
    miss.repairs = vec![Repair::OtherLeg, Repair::Rerank];
    for (kind, right) in [(RerunKind::EvidenceFirst, true), (RerunKind::Dense, true)] {
        let again = miss.reruns[0].clone();
        miss.reruns.push(Rerun { kind, right, ..again });
    }
    wrong[2].class = Class::Unexplained;
    wrong[2].shown_by = Proof::None;
    let cluster = |name: &str, wrong, p: f64| Cluster {
        kind: ClusterKind::Tag,
        name: name.into(),
        questions: 4,
        wrong,
        p,
        p_holm: (2.0 * p).min(1.0),
    };
    let one = |class, ceilings: &[Repair], first| ClassCeiling {
        class,
        wrong: 1,
        ceilings: ceilings.iter().map(|repair| (*repair, 1)).collect(),
        first,
    };
    let by_class = wrong.iter().map(|q| (q.class, 1));
    Diagnosis {
        schema: DIAGNOSIS_SCHEMA.into(),
        key: "0".repeat(64),
        records_sha256: "0".repeat(64),
        gold: "synthetic".into(),
        kb: "synthetic".into(),
        questions: run.records.len(),
        classes: vec![
            one(Class::RetrievalMiss, &[Repair::OtherLeg, Repair::Rerank], Some(Repair::OtherLeg)),
            one(Class::ReaderMiss, &[Repair::Prompt, Repair::Gold], Some(Repair::Prompt)),
            one(Class::Unexplained, &[Repair::Prompt, Repair::Gold], Some(Repair::Prompt)),
        ],
        clusters: vec![cluster("kind:1", 3, 0.004), cluster("style:2", 1, 0.7)],
        tags: BTreeMap::from([
            ("kind:1".to_owned(), TagClasses { questions: 5, wrong: by_class.collect() }),
            ("style:2".to_owned(), TagClasses::default()),
        ]),
        wrong,
    }
}
