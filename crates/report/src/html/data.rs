//! The data of the page as its script reads it: arrays instead of maps where there are many
//! entries, and each text once.

use std::collections::{BTreeMap, BTreeSet};

use fiel_metrics::Estimate;
use fiel_text::id::ChunkId;
use serde::Serialize;

use super::{
    PAGE_SCHEMA, PageRun, ReportPage,
    curves::{CoverageCurve, DepthCurves, by_depth, coverage},
    diagnosed::PageDiagnosis,
    number::{Cell, Num, estimate},
    parts::{PageComparison, RankedList, finds, marks, milliseconds, push_hit, ranked_lists},
    question::Question,
    reading::Reading,
    texts::TextPool,
};
use fiel_record::{
    Abstention, Bottleneck, ClaimSplitSummary, Class, Column, Cost, DenseLoss, EvalMode,
    GateReport, Manifest, QuestionRecord, ReadRecord, ReaderComparison, RetrievalRecord, Table,
    Target, Timing, TimingRecord, Tokens,
};

/// The whole data block.
#[derive(Serialize)]
pub(super) struct PageData<'a> {
    schema: &'static str,
    title: Option<&'a str>,
    shown: usize,
    notes: &'a [String],
    strings: Vec<String>,
    /// Id, and position of the text in `strings`.
    chunks: Vec<(String, Option<usize>)>,
    questions: Vec<Question<'a>>,
    readings: Vec<Reading>,
    runs: Vec<RunData<'a>>,
    /// The name of the mean of each measure, and the definition of the measure.
    measures: BTreeMap<Column, (String, &'static str)>,
}

#[derive(Serialize)]
struct RunData<'a> {
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
    split: &'a Option<ClaimSplitSummary>,
    dense_loss: &'a Option<DenseLoss>,
    tokens: &'a BTreeMap<EvalMode, Tokens>,
    cost: Option<Cost>,
    errors: &'a BTreeMap<String, usize>,
    records_sha256: &'a str,
    lists: Vec<RankedList>,
    #[serde(flatten)]
    questions: RunQuestions<'a>,
    /// Values of each measure by question.
    values: BTreeMap<Column, Vec<Cell>>,
    depth: DepthCurves,
    #[serde(rename = "answered")]
    coverage: Option<CoverageCurve>,
    comparison: Option<PageComparison<'a>>,
    gate: &'a Option<GateReport>,
    diagnosis: Option<PageDiagnosis<'a>>,
}

/// What a run has by question, in the order of the run.
#[derive(Default, Serialize)]
struct RunQuestions<'a> {
    /// Positions of the questions in the page.
    order: Vec<usize>,
    /// See [`push_hit`].
    hits: Vec<Vec<i64>>,
    /// See [`finds`].
    finds: Vec<Vec<Vec<usize>>>,
    /// Chunks that contain the evidence.
    evidence: Vec<Vec<usize>>,
    /// Error of retrieval by position in the run.
    failures: BTreeMap<usize, &'a str>,
    /// Positions of the answers.
    oracle: Vec<Option<usize>>,
    e2e: Vec<Option<usize>>,
    /// Positions in [`Class::ALL`].
    class: Vec<Option<usize>>,
    /// See [`marks`].
    marks: Vec<u8>,
    /// See [`milliseconds`].
    times: Vec<Option<[Option<Num>; 8]>>,
}

impl<'a> PageData<'a> {
    pub(super) fn new(page: &'a ReportPage<'a>) -> Self {
        let mut builder = Builder::new(page);
        let runs: Vec<RunData<'a>> = page.runs.iter().map(|run| builder.run(run)).collect();
        let measures = runs.iter().flat_map(|run| run.measures.keys());
        let measures =
            measures.map(|c| (*c, (c.measure.mean_name(), c.measure.description()))).collect();
        let (strings, chunks) = builder.pool.into_lists();
        Self {
            schema: PAGE_SCHEMA,
            title: page.title.as_deref(),
            shown: page.shown.min(page.runs.len().saturating_sub(1)),
            notes: &page.notes,
            strings,
            chunks,
            questions: builder.questions,
            readings: builder.readings,
            runs,
            measures,
        }
    }

    /// The title of the browser window; it names the run, so that tabs differ.
    pub(super) fn title(&self) -> String {
        let of_run = self.runs.get(self.shown).map(|run| {
            let name = run.label.unwrap_or(&run.timing.run);
            format!("{} · {} · {name}", run.manifest.gold, run.manifest.questions)
        });
        let title = self.title.map(str::to_owned).or(of_run);
        format!("{} · Fiel", title.unwrap_or_default())
    }
}

/// Numbers the questions, answers and texts of all runs.
struct Builder<'a> {
    page: &'a ReportPage<'a>,
    pool: TextPool<'a>,
    questions: Vec<Question<'a>>,
    question_places: BTreeMap<&'a str, usize>,
    readings: Vec<Reading>,
    /// By the JSON of the answer.
    reading_places: BTreeMap<String, usize>,
}

impl<'a> Builder<'a> {
    fn new(page: &'a ReportPage<'a>) -> Self {
        let mut builder = Self {
            page,
            pool: TextPool::default(),
            questions: Vec::new(),
            question_places: BTreeMap::new(),
            readings: Vec::new(),
            reading_places: BTreeMap::new(),
        };
        // Where gold sets differ, the questions are those of the run that the page opens with.
        let (before, from_shown) = page.runs.split_at(page.shown.min(page.runs.len()));
        for record in from_shown.iter().chain(before).flat_map(PageRun::records) {
            if !builder.question_places.contains_key(record.id.as_str()) {
                let place = builder.questions.len();
                builder.question_places.insert(&record.id, place);
                let evidence = page.evidence.get(record.id.as_str()).map_or(&[][..], AsRef::as_ref);
                builder.questions.push(Question::new(record, evidence));
            }
        }
        builder
    }

    fn run(&mut self, run: &'a PageRun<'a>) -> RunData<'a> {
        let digest = run.summary.manifest.chunks_sha256.as_str();
        self.pool.select(digest, &self.page.chunks);
        let lists = ranked_lists(&run.records);
        let timings = run.timings.iter();
        let timings: BTreeMap<&str, &TimingRecord> = timings.map(|t| (t.id.as_str(), t)).collect();
        let mut questions = RunQuestions::default();
        for record in run.records() {
            self.question(record, &lists, &mut questions);
            let times = timings.get(record.id.as_str());
            questions.times.push(times.map(|t| milliseconds(t)));
        }
        let places = &self.question_places;
        let diagnosis = run.diagnosis.as_ref();
        let diagnosis = diagnosis.map(|d| PageDiagnosis::new(d, places, &mut self.pool));
        let comparison = run.comparison.as_ref();
        let comparison = comparison.map(|c| PageComparison::new(c, places));
        run_data(run, lists, questions, comparison, diagnosis)
    }

    fn question(
        &mut self,
        record: &'a QuestionRecord,
        lists: &[RankedList],
        out: &mut RunQuestions<'a>,
    ) {
        let place = self.question_places.get(record.id.as_str());
        let place = place.copied().unwrap_or(0);
        let retrieval = &record.retrieval;
        let mut hits = Vec::with_capacity((2 + 2 * lists.len()) * retrieval.hits.len());
        for hit in &retrieval.hits {
            push_hit(&mut hits, hit, self.pool.chunk(&hit.chunk).chunk, lists);
        }
        if let Some(error) = &retrieval.error {
            out.failures.insert(out.order.len(), error);
        }
        out.order.push(place);
        out.hits.push(hits);
        out.finds.push(finds(&retrieval.hits));
        out.evidence.push(self.pool.chunks(&retrieval.evidence));
        self.mark_evidence(place, retrieval);
        out.oracle.push(self.reading(record.oracle.as_ref()));
        out.e2e.push(self.reading(record.e2e.as_ref()));
        let class = |class| Class::ALL.iter().position(|c| *c == class);
        out.class.push(record.class.and_then(class));
        out.marks.push(marks(&record.marks));
    }

    fn mark_evidence(&mut self, question: usize, retrieval: &RetrievalRecord) {
        let found = retrieval.hits.iter().filter(|hit| !hit.finds.is_empty());
        let chunks: BTreeSet<&ChunkId> =
            found.map(|hit| &hit.chunk).chain(&retrieval.evidence).collect();
        for id in chunks {
            let place = self.pool.chunk(id);
            if let Some(text) = place.text {
                let text = self.pool.get(text);
                self.questions[question].mark_evidence(id, place.chunk, text);
            }
        }
    }

    /// The position of an answer.
    fn reading(&mut self, read: Option<&ReadRecord>) -> Option<usize> {
        let reading = Reading::new(read?, &mut self.pool);
        let key = serde_json::to_string(&reading).unwrap_or_default();
        let readings = &mut self.readings;
        let place = self.reading_places.entry(key).or_insert_with(|| {
            readings.push(reading);
            readings.len() - 1
        });
        Some(*place)
    }
}

fn run_data<'a>(
    run: &'a PageRun<'a>,
    lists: Vec<RankedList>,
    questions: RunQuestions<'a>,
    comparison: Option<PageComparison<'a>>,
    diagnosis: Option<PageDiagnosis<'a>>,
) -> RunData<'a> {
    let summary = run.summary.as_ref();
    let mut measures = BTreeMap::new();
    for (&mode, of_mode) in &summary.measures {
        for (&measure, e) in of_mode {
            measures.insert(Column { mode, measure }, estimate(e));
        }
    }
    let slice = |columns: &BTreeMap<Column, Estimate>| {
        columns.iter().map(|(column, e)| (*column, estimate(e))).collect()
    };
    let slices = summary.slices.iter();
    RunData {
        label: run.label.as_deref().or(summary.timing.note.as_deref()),
        manifest: &summary.manifest,
        timing: &summary.timing,
        answerable: summary.answerable,
        unanswerable: summary.unanswerable,
        planned: summary.planned,
        measures,
        slices: slices.map(|(tag, columns)| (tag.as_str(), slice(columns))).collect(),
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
        lists,
        questions,
        values: Table::of(&run.records)
            .columns
            .iter()
            .map(|(column, values)| (*column, values.iter().map(|v| Cell(*v)).collect()))
            .collect(),
        depth: by_depth(&run.records),
        coverage: coverage(&run.records),
        comparison,
        gate: &run.gate,
        diagnosis,
    }
}
