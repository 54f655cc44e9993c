//! What the page's script is given: short names, arrays in place of maps, each text once.

use std::collections::{BTreeMap, BTreeSet};

use fiel_metrics::Estimate;
use serde::Serialize;

use super::{
    PAGE_SCHEMA, PageEvidence, PageRun, ReportPage,
    curves::{Answered, ByDepth, answered, by_depth},
    diagnosed::Diagnosed,
    number::{Cell, Num, estimate},
    parts::{Against, Leg, against, finds, legs, mark, marks, milliseconds, push_hit},
    reading::{Reading, Strings},
};
use crate::{
    Abstention, Bottleneck, Class, Column, Cost, DenseLoss, EvalMode, GateReport, Manifest,
    QuestionRecord, ReaderComparison, SplitSummary, Summary, Table, Target, Timing, TimingRecord,
    Tokens,
};

/// Everything, as it stands in the page.
#[derive(Serialize)]
pub(super) struct Data<'a> {
    schema: &'static str,
    title: Option<&'a str>,
    shown: usize,
    notes: &'a [String],
    strings: Vec<String>,
    /// Id, and the place of the text.
    chunks: Vec<(String, Option<usize>)>,
    questions: Vec<Question<'a>>,
    readings: Vec<Reading>,
    runs: Vec<Run<'a>>,
    /// What the mean of each measure is called, and its definition.
    measures: BTreeMap<Column, (String, &'static str)>,
}

#[derive(Serialize)]
pub(super) struct Question<'a> {
    id: &'a str,
    q: &'a str,
    lang: &'a str,
    split: &'a str,
    tags: &'a [String],
    un: bool,
    refs: &'a [String],
    pub(super) evidence: &'a [PageEvidence],
    groups: usize,
    /// By chunk, where evidence stands in its text: `[start, end, …]`.
    pub(super) marks: BTreeMap<usize, Vec<usize>>,
}

#[derive(Serialize)]
struct Run<'a> {
    label: Option<&'a str>,
    manifest: &'a Manifest,
    timing: &'a Timing,
    answerable: usize,
    unanswerable: usize,
    planned: usize,
    measures: BTreeMap<Column, [Option<Num>; 6]>,
    slices: BTreeMap<&'a str, BTreeMap<Column, [Option<Num>; 6]>>,
    targets: &'a [Target],
    abstention: Option<Abstention>,
    readers: Option<ReaderComparison>,
    bottleneck: Option<Bottleneck>,
    classes: &'a BTreeMap<Class, usize>,
    split: &'a Option<SplitSummary>,
    dense_loss: &'a Option<DenseLoss>,
    tokens: &'a BTreeMap<EvalMode, Tokens>,
    cost: Option<Cost>,
    errors: &'a BTreeMap<String, usize>,
    records_sha256: &'a str,
    /// Places of its questions, in its order; what follows is in the same order.
    order: Vec<usize>,
    /// The lists that hits are in.
    legs: Vec<Leg>,
    /// Of each hit: chunk, score × 10,000, then rank and score × 1,000 by each list; rank 0 where
    /// it is not in it.
    hits: Vec<Vec<i64>>,
    /// By hit that holds evidence: its place, and the groups.
    finds: Vec<Vec<Vec<usize>>>,
    /// Chunks that hold the evidence.
    evidence: Vec<Vec<usize>>,
    failures: BTreeMap<usize, &'a str>,
    oracle: Vec<Option<usize>>,
    e2e: Vec<Option<usize>>,
    /// Place in [`Class::ALL`].
    class: Vec<Option<usize>>,
    /// Bits: format, self-knowledge, gold suspect, false answer.
    marks: Vec<u8>,
    /// Milliseconds: embed, dense, bm25, rewrite, rerank, oracle, e2e, judge.
    times: Vec<Option<[Option<Num>; 8]>>,
    values: BTreeMap<Column, Vec<Cell>>,
    depth: ByDepth,
    answered: Option<Answered>,
    comparison: Option<Against<'a>>,
    gate: &'a Option<GateReport>,
    diagnosis: Option<Diagnosed<'a>>,
}

/// What is numbered while runs are read.
#[derive(Default)]
struct Places<'a> {
    strings: Strings,
    chunks: BTreeMap<(&'a str, String), usize>,
    listed: Vec<(String, Option<usize>)>,
    questions: BTreeMap<&'a str, usize>,
    readings: BTreeMap<String, usize>,
}

impl<'a> Data<'a> {
    pub(super) fn of(input: &'a ReportPage) -> Self {
        let mut places = Places::default();
        let mut questions: Vec<Question<'a>> = Vec::new();
        let mut readings = Vec::new();
        // The run that is shown first has the say where gold sets differ.
        let mut in_order: Vec<&PageRun> = input.runs.iter().collect();
        if input.shown < in_order.len() {
            in_order.rotate_left(input.shown);
        }
        for record in in_order.iter().flat_map(|run| &run.records) {
            places.questions.entry(&record.id).or_insert_with(|| {
                questions.push(question(record, &input.evidence));
                questions.len() - 1
            });
        }
        let runs = input.runs.iter();
        let runs: Vec<Run<'a>> = runs
            .map(|run| one_run(run, input, &mut places, &mut questions, &mut readings))
            .collect();
        let measures = runs.iter().flat_map(|run| run.measures.keys());
        let measures = measures
            .map(|c| (*c, (c.measure.mean_name(), c.measure.description())))
            .collect();
        Self {
            schema: PAGE_SCHEMA,
            title: input.title.as_deref(),
            shown: input.shown.min(input.runs.len().saturating_sub(1)),
            notes: &input.notes,
            strings: places.strings.list,
            chunks: places.listed,
            questions,
            readings,
            runs,
            measures,
        }
    }

    /// For the title of the window.
    pub(super) fn title(&self) -> String {
        let manifest = self.runs.get(self.shown).map(|run| run.manifest);
        let gold = manifest.map(|m| format!("{} · {}", m.gold, m.questions));
        let title = self.title.map(str::to_owned).or(gold);
        format!("{} · Fiel", title.unwrap_or_default())
    }
}

fn question<'a>(
    record: &'a QuestionRecord,
    evidence: &'a BTreeMap<String, Vec<PageEvidence>>,
) -> Question<'a> {
    Question {
        id: &record.id,
        q: &record.question,
        lang: &record.lang,
        split: &record.split,
        tags: &record.tags,
        un: record.unanswerable,
        refs: &record.references,
        evidence: evidence.get(&record.id).map_or(&[], Vec::as_slice),
        groups: record.retrieval.groups,
        marks: BTreeMap::new(),
    }
}

fn one_run<'a>(
    run: &'a PageRun,
    input: &'a ReportPage,
    places: &mut Places<'a>,
    questions: &mut [Question<'a>],
    readings: &mut Vec<Reading>,
) -> Run<'a> {
    let Summary { manifest, .. } = &run.summary;
    let texts = input.chunks.iter();
    let texts = texts
        .filter(|set| set.chunks_sha256 == manifest.chunks_sha256)
        .map(|set| &set.texts)
        .next();
    let set = manifest.chunks_sha256.as_str();
    let Places {
        strings,
        chunks,
        listed,
        questions: at_question,
        readings: at_reading,
    } = places;
    let mut chunk = |id: &str, strings: &mut Strings| {
        let at = *chunks.entry((set, id.to_owned())).or_insert_with(|| {
            let text = texts.and_then(|texts| texts.get(id));
            listed.push((id.to_owned(), text.map(|text| strings.place(text))));
            listed.len() - 1
        });
        (at, listed[at].1)
    };
    let table = Table::of(&run.records);
    let (depth, answered) = (by_depth(&run.records), answered(&run.records));
    let mut out = frame(run, &table, depth, answered, at_question);
    let times: BTreeMap<&str, &TimingRecord> =
        run.timings.iter().map(|t| (t.id.as_str(), t)).collect();
    for (at, record) in run.records.iter().enumerate() {
        let place = at_question.get(record.id.as_str()).copied().unwrap_or(0);
        out.order.push(place);
        let found = &record.retrieval;
        let mut hits = Vec::with_capacity((2 + 2 * out.legs.len()) * found.hits.len());
        for hit in &found.hits {
            push_hit(&mut hits, hit, chunk(&hit.chunk, strings).0, &out.legs);
        }
        out.hits.push(hits);
        out.finds.push(finds(&found.hits));
        let evidence = found.evidence.iter();
        out.evidence
            .push(evidence.map(|id| chunk(id, strings).0).collect());
        if let Some(error) = &found.error {
            out.failures.insert(at, error);
        }
        let holders: BTreeSet<&str> = found
            .hits
            .iter()
            .filter(|hit| !hit.finds.is_empty())
            .map(|hit| hit.chunk.as_str())
            .chain(found.evidence.iter().map(String::as_str))
            .collect();
        for id in holders {
            let (at, text) = chunk(id, strings);
            if let Some(text) = text {
                mark(&mut questions[place], id, at, &strings.list[text]);
            }
        }
        for mode in [EvalMode::Oracle, EvalMode::E2e] {
            let reading = record.read(mode).map(|read| {
                let reading = Reading::of(read, strings, &mut chunk);
                let key = serde_json::to_string(&reading).unwrap_or_default();
                *at_reading.entry(key).or_insert_with(|| {
                    readings.push(reading);
                    readings.len() - 1
                })
            });
            match mode {
                EvalMode::Oracle => out.oracle.push(reading),
                _ => out.e2e.push(reading),
            }
        }
        let class = |class| Class::ALL.iter().position(|c| *c == class);
        out.class.push(record.class.and_then(class));
        out.marks.push(marks(&record.marks));
        out.times
            .push(times.get(record.id.as_str()).map(|t| milliseconds(t)));
    }
    let diagnosis = run.diagnosis.as_ref();
    out.diagnosis =
        diagnosis.map(|d| Diagnosed::of(d, at_question, &mut |id| chunk(id, strings).0));
    out
}

/// A run without what stands by question.
fn frame<'a>(
    run: &'a PageRun,
    table: &Table,
    depth: ByDepth,
    answered: Option<Answered>,
    at_question: &BTreeMap<&str, usize>,
) -> Run<'a> {
    let summary = &run.summary;
    let mut measures = BTreeMap::new();
    for (&mode, of_mode) in &summary.measures {
        for (&measure, e) in of_mode {
            measures.insert(Column { mode, measure }, estimate(e));
        }
    }
    let slice = |of: &BTreeMap<Column, Estimate>| {
        of.iter()
            .map(|(column, e)| (*column, estimate(e)))
            .collect()
    };
    let slices = summary.slices.iter();
    Run {
        label: run.label.as_deref().or(summary.timing.note.as_deref()),
        manifest: &summary.manifest,
        timing: &summary.timing,
        answerable: summary.answerable,
        unanswerable: summary.unanswerable,
        planned: summary.planned,
        measures,
        slices: slices.map(|(tag, of)| (tag.as_str(), slice(of))).collect(),
        targets: &summary.targets,
        abstention: summary.abstention,
        readers: summary.readers,
        bottleneck: summary.bottleneck,
        classes: &summary.classes,
        split: &summary.split,
        dense_loss: &summary.dense_loss,
        tokens: &summary.tokens,
        cost: summary.cost,
        errors: &summary.errors,
        records_sha256: &summary.records_sha256,
        order: Vec::new(),
        legs: legs(&run.records),
        hits: Vec::new(),
        finds: Vec::new(),
        evidence: Vec::new(),
        failures: BTreeMap::new(),
        oracle: Vec::new(),
        e2e: Vec::new(),
        class: Vec::new(),
        marks: Vec::new(),
        times: Vec::new(),
        values: table
            .columns
            .iter()
            .map(|(column, values)| (*column, values.iter().map(|v| Cell(*v)).collect()))
            .collect(),
        depth,
        answered,
        comparison: run.comparison.as_ref().map(|c| against(c, at_question)),
        gate: &run.gate,
        diagnosis: None,
    }
}
