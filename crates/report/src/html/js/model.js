// The data of the page, the state of its controls, and the formats of numbers.
const DATA = JSON.parse(document.getElementById("data").textContent);
const RUNS = DATA.runs;
const CLASSES = ["failed", "retrieval_miss", "context_cut", "over_refusal", "reader_hallucination", "retrieval_distract", "reader_miss", "unexplained"];
const MARKS = ["format", "self_knowledge", "gold_suspect", "falseAnswer"];
const MODES = ["retrieval", "oracle", "e2e"];
const HEADLINE = ["retrieval.hit@5", "retrieval.RR@10", "oracle.F1", "e2e.F1", "e2e.accuracy", "e2e.faithfulness_strict"];
const RR = "retrieval.RR@10";

/** Whether a smaller value of a measure is better. */
const lowerIsBetter = (measure) => measure.startsWith("hallucination") || measure === "toxicity";

// ---- the data block: its arrays and one-letter keys become objects with named fields

const mapValues = (object, change) => Object.fromEntries(Object.entries(object).map(([key, v]) => [key, change(v, key)]));

const toEstimate = ([mean, n, undefined_, failed, low, high]) => ({ mean, n, undefined: undefined_, failed, low, high });

/** A row of a comparison. Verdict: 1 better, -1 worse beyond chance, else 0. */
function toRow([meanA, meanB, difference, low, high, p, holm, n, wins, ties, losses, identical, verdict]) {
  return { meanA, meanB, difference, low, high, p, holm, n, wins, ties, losses, identical, verdict };
}

/** An answer. Places of claims and markers are UTF-16 offsets into it; a claim that is not in it has text instead. */
function toReading(r) {
  return {
    passages: r.p, ids: r.i || r.p.map((_, at) => String(at + 1)), dropped: r.d || [], prompt: r.s,
    answer: r.a, echo: r.o, abstained: (r.f & 1) !== 0, right: (r.f & 2) !== 0,
    claims: r.c.map(([start, end, support, share, cites, reason, text]) => ({
      start, end, strict: (support & 1) !== 0, loose: (support & 2) !== 0, share, cites, text,
      reason: typeof reason === "number" ? DATA.strings[reason] : "",
    })),
    markers: r.m.map(([start, end, ids]) => ({ start, end, ids })),
    tokens: { prompt: r.t[0], answer: r.t[1] }, error: r.e,
  };
}

const TIMES = ["embed", "dense", "bm25", "rewrite", "rerank", "oracle", "e2e", "judge"];
const toTimes = (times) => times && Object.fromEntries(times.map((ms_, at) => [TIMES[at], ms_]));

const QUESTIONS = DATA.questions.map(({ q, un, refs, ...question }) => ({ ...question, text: q, unanswerable: un, references: refs }));
const MEASURES = mapValues(DATA.measures, ([name, definition]) => ({ name, definition }));
for (const run of RUNS) {
  run.measures = mapValues(run.measures, toEstimate);
  run.slices = mapValues(run.slices, (of) => mapValues(of, toEstimate));
  run.place = new Map(run.order.map((q, at) => [q, at]));
  run.flips = new Map();
  const comparison = run.comparison;
  if (!comparison) continue;
  comparison.rows = mapValues(comparison.rows, toRow);
  comparison.flips = comparison.flips.map(([question, mode, better]) => ({ question, mode, better }));
  for (const flip of comparison.flips) run.flips.set(flip.question, [...(run.flips.get(flip.question) || []), flip]);
}

// ---- state of the controls

const NO_FILTER = { text: "", outcome: "", tag: "", below: "", flipped: "", abstained: false };
const state = {
  run: DATA.shown,
  lang: document.documentElement.lang === "es" ? "es" : "en",
  theme: "system",
  columns: "headline",
  sort: null,
  trend: null,
  compared: null,
  slice: null,
  slices: null,
  small: false,
  filter: { ...NO_FILTER },
};

const t = (key, ...args) => {
  const words = (state.lang === "es" ? ES : EN)[key];
  return typeof words === "function" ? words(...args) : words === undefined ? key : words;
};

// ---- formats of numbers

const formats = new Map();
function format(value, digits, signed) {
  const key = `${state.lang} ${digits} ${signed}`;
  if (!formats.has(key)) {
    formats.set(key, new Intl.NumberFormat(state.lang, {
      minimumFractionDigits: digits, maximumFractionDigits: digits, signDisplay: signed ? "exceptZero" : "auto",
    }));
  }
  // A true minus sign has the width of a digit.
  return formats.get(key).format(value).replace("-", "−");
}

const fixed = (x, digits = 3) => (x === null || x === undefined ? "–" : format(x, digits, false));
const signed = (x) => (x === null || x === undefined ? "–" : format(x, 3, true));
const range = (low, high, write = fixed) =>
  low === null || low === undefined ? "" : `[${write(low)}${state.lang === "es" ? ";" : ","} ${write(high)}]`;
const percent = (x) => `${format(x * 100, 0, false)}${state.lang === "es" ? "\u00a0" : ""}%`;
const capital = (words) => words.charAt(0).toUpperCase() + words.slice(1);
const whole = (x) => format(x, 0, false);

function ms(x) {
  if (x === null || x === undefined) return "–";
  if (x >= 999.5) return `${fixed(x / 1000, x >= 9995 ? 1 : 2)} s`;
  return `${fixed(x, x < 10 ? 2 : x < 100 ? 1 : 0)} ms`;
}

function when(started) {
  const date = new Date(started);
  if (isNaN(date)) return started || "–";
  return new Intl.DateTimeFormat(state.lang === "es" ? "es" : "en-GB", { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" }).format(date) + " UTC";
}

// ---- measures

const modeOf = (column) => column.slice(0, column.indexOf("."));
const nameOf = (column) => (MEASURES[column] ? MEASURES[column].name : column.slice(column.indexOf(".") + 1));
const fullName = (column) => `${nameOf(column)} · ${t(modeOf(column))}`;

/** The definition of a measure in one sentence. */
function definition(column) {
  const english = MEASURES[column] ? MEASURES[column].definition : "";
  if (state.lang === "en") return english;
  const name = column.slice(column.indexOf(".") + 1).replace(/[(@].*$/, "");
  return ES_DEFINITIONS[name] || english;
}

/** Columns by mode and, within a mode, from the most general measure on. */
const COLUMNS = Object.keys(MEASURES).sort(
  (a, b) => MODES.indexOf(modeOf(a)) - MODES.indexOf(modeOf(b)) || collate(a, b),
);
const mains = () => {
  const main = HEADLINE.filter((c) => MEASURES[c]);
  return main.length ? main : COLUMNS.slice(0, 6);
};

function collate(a, b) {
  const order = ["hit", "RR", "R@", "P@", "nDCG", "AP", "all", "EM", "contains", "F1", "answer_contains", "accuracy", "faithfulness_strict", "faithfulness_loose", "grounding", "citation_precision", "citation_coverage"];
  const place = (c) => {
    const name = c.slice(c.indexOf(".") + 1);
    const at = order.findIndex((o) => name.startsWith(o));
    return at < 0 ? order.length : at;
  };
  return place(a) - place(b) || a.localeCompare(b, "en", { numeric: true });
}

const current = () => RUNS[state.run];
const runName = (run) => run.label || run.manifest.system || shortId(run.timing.run);
const shortId = (id) => {
  const parts = /^(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)/.exec(id);
  return parts ? `${parts[1]}-${parts[2]}-${parts[3]} ${parts[4]}:${parts[5]}` : id;
};
const comparedWith = (run) => run.comparison && (RUNS.find((r) => r.timing.run === run.comparison.run) || { timing: { run: run.comparison.run }, manifest: {} });

const rowOf = (run, column) => run.comparison && run.comparison.rows[column];
const verdictOf = (row) => (row ? row.verdict : 0);
const verdictClass = (verdict) => (verdict > 0 ? "good" : verdict < 0 ? "bad" : "quiet");
const verdictMark = (verdict) => (verdict > 0 ? "▲ " : verdict < 0 ? "▼ " : "");

// ---- questions of a run; `at` is a position in `run.order`

const value = (run, column, at) => (run.values[column] ? run.values[column][at] : null);
/** The value as it enters the mean: 0 for a failed question, null if the measure does not apply. */
const score = (run, column, at) => {
  const v = value(run, column, at);
  return v === "f" ? 0 : typeof v === "number" ? v : null;
};
const written = (v) => (v === "u" ? t("undefinedValue") : v === "f" ? t("failed") : fixed(v, 2));

// Answers become objects when they are first needed, because there may be ten thousand.
const readings = [];
function readingOf(run, mode, at) {
  const place = mode === "retrieval" ? null : run[mode][at];
  if (place === null) return null;
  readings[place] ||= toReading(DATA.readings[place]);
  return readings[place];
}

const chunkId = (chunk) => DATA.chunks[chunk][0];
const textOf = (chunk) => {
  const place = DATA.chunks[chunk][1];
  return place === null ? null : DATA.strings[place];
};
/** The rank of the first hit that contains evidence; 0 if there is none. */
const foundIn = (run, at) => (run.finds[at].length ? run.finds[at][0][0] + 1 : 0);

/** The hits of a question: chunk, fused score, rank and score in each list of the run, evidence groups found. */
function hitsOf(run, at) {
  const flat = run.hits[at];
  const step = 2 + 2 * run.lists.length;
  const out = [];
  for (let i = 0; i < flat.length; i += step) {
    const lists = run.lists.map((_, list) => ({ rank: flat[i + 2 + 2 * list], score: flat[i + 3 + 2 * list] / 1e3 }));
    out.push({ chunk: flat[i], score: flat[i + 1] / 1e4, lists, finds: [] });
  }
  for (const [place, ...groups] of run.finds[at]) out[place].finds = groups;
  return out;
}

function outcome(run, at) {
  const question = QUESTIONS[run.order[at]];
  if (run.class[at] !== null) return CLASSES[run.class[at]];
  if (run.failures[at]) return "failed";
  const reading = readingOf(run, "e2e", at);
  if (!reading) {
    if (!question.groups || question.unanswerable) return "notRead";
    return foundIn(run, at) ? "foundIt" : "retrieval_miss";
  }
  if (question.unanswerable) return reading.abstained ? "refusedRight" : "falseAnswer";
  return reading.right ? "right" : "wrong";
}

/** The definition of an outcome, null if its name says it. */
const outcomeMeans = (result) => ((state.lang === "es" ? ES : EN)[`cw_${result}`] ? t(`cw_${result}`) : null);
const isGood = (result) => result === "right" || result === "refusedRight" || result === "foundIt";

/** Tags by group: the part before the colon. */
function sliceGroups(run) {
  const groups = new Map();
  for (const tag of Object.keys(run.slices)) {
    const group = tag.includes(":") ? tag.slice(0, tag.indexOf(":")) : tag;
    if (!groups.has(group)) groups.set(group, []);
    groups.get(group).push(tag);
  }
  return groups;
}
