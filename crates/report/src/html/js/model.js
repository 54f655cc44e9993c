// What the page holds, what is chosen on it, and how figures are written.
const DATA = JSON.parse(document.getElementById("data").textContent);
const RUNS = DATA.runs;
const CLASSES = ["failed", "retrieval_miss", "context_cut", "over_refusal", "reader_hallucination", "retrieval_distract", "reader_miss", "unexplained"];
const MARKS = ["format", "self_knowledge", "gold_suspect", "falseAnswer"];
const MODES = ["retrieval", "oracle", "e2e"];
const HEADLINE = ["retrieval.hit@5", "retrieval.RR@10", "oracle.F1", "e2e.F1", "e2e.accuracy", "e2e.faithfulness_strict"];
const RR = "retrieval.RR@10";

/** Whether a smaller value of a measure is the better one. */
const lowerIsBetter = (measure) => measure.startsWith("hallucination") || measure === "toxicity";

const NO_FILTER = { text: "", outcome: "", tag: "", below: "", flipped: "", abstained: false };
const state = {
  run: DATA.shown,
  lang: document.documentElement.lang === "es" ? "es" : "en",
  theme: "system",
  columns: "headline",
  sort: null,
  trend: null,
  arms: null,
  slice: null,
  slices: null,
  small: false,
  filter: { ...NO_FILTER },
};

const t = (key, ...args) => {
  const words = (state.lang === "es" ? ES : EN)[key];
  return typeof words === "function" ? words(...args) : words === undefined ? key : words;
};

// ---- figures in words

const formats = new Map();
function format(value, digits, signed) {
  const key = `${state.lang} ${digits} ${signed}`;
  if (!formats.has(key)) {
    formats.set(key, new Intl.NumberFormat(state.lang, {
      minimumFractionDigits: digits, maximumFractionDigits: digits, signDisplay: signed ? "exceptZero" : "auto",
    }));
  }
  // A true minus sign, so that columns of figures stand straight.
  return formats.get(key).format(value).replace("-", "−");
}

const fixed = (x, digits = 3) => (x === null || x === undefined ? "–" : format(x, digits, false));
const signed = (x) => (x === null || x === undefined ? "–" : format(x, 3, true));
const range = (low, high, write = fixed) =>
  low === null || low === undefined ? "" : `[${write(low)}${state.lang === "es" ? ";" : ","} ${write(high)}]`;
const percent = (x) => `${format(x * 100, 0, false)} %`;
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
const nameOf = (column) => (DATA.measures[column] ? DATA.measures[column][0] : column.slice(column.indexOf(".") + 1));
const fullName = (column) => `${nameOf(column)} · ${t(modeOf(column))}`;

function definition(column) {
  if (state.lang === "en") return DATA.measures[column][1];
  const name = column.slice(column.indexOf(".") + 1).replace(/[(@].*$/, "");
  return ES_DEFINITIONS[name] || DATA.measures[column][1];
}

/** Columns in the order of modes and, within them, of the measures themselves. */
const COLUMNS = Object.keys(DATA.measures).sort(
  (a, b) => MODES.indexOf(modeOf(a)) - MODES.indexOf(modeOf(b)) || collate(a, b),
);
const mains = () => {
  const main = HEADLINE.filter((c) => DATA.measures[c]);
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

/** -1 worse beyond chance, 1 better, 0 neither: the interval of the difference excludes 0. */
function verdictOf(row) {
  if (!row) return 0;
  return row[3] > 0 ? 1 : row[4] < 0 ? -1 : 0;
}

const isSignificant = (row) => verdictOf(row) !== 0;

// ---- questions of the run shown

for (const run of RUNS) {
  run.place = new Map(run.order.map((q, at) => [q, at]));
  run.flips = new Map();
  for (const [q, mode, better] of run.comparison ? run.comparison.flips : []) {
    if (!run.flips.has(q)) run.flips.set(q, []);
    run.flips.get(q).push([mode, better]);
  }
}

const value = (run, column, at) => (run.values[column] ? run.values[column][at] : null);
/** As it enters the mean: 0 for a failed question, null for one without a value. */
const score = (run, column, at) => {
  const v = value(run, column, at);
  return v === "f" ? 0 : typeof v === "number" ? v : null;
};
const written = (v) => (v === "u" ? t("undefinedN") : v === "f" ? t("failed") : fixed(v, 2));
const readingOf = (run, mode, at) => (mode === "retrieval" || run[mode][at] === null ? null : DATA.readings[run[mode][at]]);
const textOf = (chunk) => {
  const place = DATA.chunks[chunk][1];
  return place === null ? null : DATA.strings[place];
};
/** Rank of the first hit that holds evidence, 0 without one. */
const foundIn = (run, at) => (run.finds[at].length ? run.finds[at][0][0] + 1 : 0);

/** The hits of a question: chunk, score, rank and score by each of the run's lists, groups found. */
function hitsOf(run, at) {
  const flat = run.hits[at];
  const step = 2 + 2 * run.legs.length;
  const out = [];
  for (let i = 0; i < flat.length; i += step) {
    const legs = run.legs.map((_, leg) => ({ rank: flat[i + 2 + 2 * leg], score: flat[i + 3 + 2 * leg] / 1e3 }));
    out.push({ chunk: flat[i], score: flat[i + 1] / 1e4, legs, finds: [] });
  }
  for (const [place, ...groups] of run.finds[at]) out[place].finds = groups;
  return out;
}

const idsOf = (reading) => reading.i || reading.p.map((_, at) => String(at + 1));

function outcome(run, at) {
  const question = DATA.questions[run.order[at]];
  if (run.class[at] !== null) return CLASSES[run.class[at]];
  if (run.failures[at]) return "failed";
  const reading = readingOf(run, "e2e", at);
  if (!reading) {
    if (!question.groups || question.un) return "notRead";
    return foundIn(run, at) ? "foundIt" : "retrieval_miss";
  }
  if (question.un) return reading.f & 1 ? "refusedRight" : "falseAnswer";
  return reading.f & 2 ? "right" : "wrong";
}

const isGood = (result) => result === "right" || result === "refusedRight" || result === "foundIt";

function sliceGroups(run) {
  const groups = new Map();
  for (const tag of Object.keys(run.slices)) {
    const group = tag.includes(":") ? tag.slice(0, tag.indexOf(":")) : tag;
    if (!groups.has(group)) groups.set(group, []);
    groups.get(group).push(tag);
  }
  return groups;
}
