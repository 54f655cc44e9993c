// The first screen: targets, bottleneck, causes of wrong answers, changes.

function overview() {
  const run = current();
  return h(
    "section",
    { id: "overview", "aria-labelledby": "overview-title" },
    h("h2", { id: "overview-title", class: "sr" }, t("overview")),
    h("div", { class: "facts" }, facts(run)),
    notes(run),
    targetCards(run),
    h("div", { class: "columns" }, (run.comparison
      ? [[bottleneck(run), causes(run), refusals(run)], [changes(run)]]
      : [[bottleneck(run), causes(run)], [changes(run), refusals(run)]])
      .filter((stack) => stack.some(Boolean))
      .map((stack) => h("div", { class: "stack" }, stack))),
    diagnosisPanel(run),
  );
}

function facts(run) {
  const m = run.manifest;
  const git = run.timing.git;
  const asked = run.order.length;
  const items = [
    [t("questions"), `${whole(asked)} (${t("answerableSplit", run.answerable, run.unanswerable)})`],
    m.system ? [t("otherSystem"), m.system] : [t("reader"), m.reader || t("none")],
    [t("knowledgeBase"), `${m.kb}, ${t("nPassages", m.chunks)}`],
    [t("started"), when(run.timing.started)],
    [t("commit"), git || "–"],
  ];
  return h("dl", {}, items.map(([name, ...words]) => pair(name, ...words)));
}

function notes(run) {
  const out = [...DATA.notes];
  if (run.order.length < run.planned) out.unshift(t("unfinished", run.order.length, run.planned));
  return out.map((note) => h("p", { class: "note", role: "note" }, note));
}

function targetCards(run) {
  if (!run.targets.length) return h("p", { class: "quiet" }, t("noTargets"));
  const ran = run.targets.filter((x) => x.met !== null && x.met !== undefined);
  const met = ran.filter((x) => x.met).length;
  const order = [...run.targets].sort((a, b) => MODES.indexOf(a.mode) - MODES.indexOf(b.mode));
  return [
    h("p", { class: "lede" }, h("strong", { class: met === ran.length ? "good" : "bad" }, t("targetsMet", met, ran.length))),
    h("ul", { class: "cards" }, order.map((target) => targetCard(run, target))),
  ];
}

function targetCard(run, target) {
  const column = `${target.mode}.${target.measure}`;
  const e = run.measures[column];
  const state_ = target.met === true ? "met" : target.met === false ? "missed" : "notRun";
  const cls = { met: "good", missed: "bad", notRun: "none" }[state_];
  return h(
    "li",
    { class: `card ${cls}` },
    h("div", { class: "card-name", title: definition(column) }, breakable(nameOf(column))),
    h("div", { class: "card-head" }, h("span", { class: "card-mode", title: t(`mode_${target.mode}`) }, t(target.mode)), h("span", { class: `pill ${cls}` }, h("span", { "aria-hidden": "true" }, { good: "✓ ", bad: "✗ ", none: "" }[cls]), t(state_))),
    h("div", { class: "card-figure" }, e ? fixed(e.mean) : "–"),
    h("div", { class: "card-small" }, e ? range(e.low, e.high) : ""),
    e && gauge(e, target.bound),
    h("div", { class: "card-small" }, `${t("target")} ${boundOf(target.measure, target.bound)}`, e ? ` · n ${whole(e.n)}` : ""),
  );
}

const boundOf = (measure, bound) => `${lowerIsBetter(measure) ? "<" : "≥"} ${fixed(bound, 2)}`;

/** A scale from 0 to 1 with interval, mean and target. */
function gauge(e, target) {
  const x = linear(0, 1, 5, 195);
  return s(
    "svg",
    { viewBox: "0 0 200 22", class: "gauge", "aria-hidden": "true", preserveAspectRatio: "none" },
    stroke(x(0), 11, x(1), 11, "track"),
    e.low !== null && s("rect", { x: x(e.low), y: 7, width: Math.max(1, x(e.high) - x(e.low)), height: 8, rx: 2, class: "span" }),
    s("rect", { x: x(e.mean) - 1.5, y: 3, width: 3, height: 16, class: "mean" }),
    target !== undefined && s("path", { d: `M${x(target)} 6L${x(target) - 4} 0h8z M${x(target) - 0.75} 4h1.5v18h-1.5z`, class: "aim" }),
  );
}

function bottleneck(run) {
  if (!run.bottleneck && !run.readers) return null;
  const judged = run.bottleneck === "none" && !run.targets.length ? "unjudged" : run.bottleneck;
  const r = run.readers;
  const hitK = run.manifest.settings && run.manifest.settings.read ? run.manifest.settings.read.context_k : "k";
  return h(
    "div",
    { class: "panel" },
    h("h3", {}, t("bottleneck")),
    run.bottleneck && [
      h("p", { class: "verdict" }, t(`b_${judged}`)),
      h("p", {}, t(`bw_${judged}`)),
    ],
    r && h(
      "dl",
      { class: "pairs" },
      pair(`F1 · ${t("oracle")}`, fixed(r.oracle_f1)),
      pair(`F1 · ${t("e2e")}`, fixed(r.e2e_f1)),
      pair(t("lossF1"), `${fixed(r.difference)} `, h("span", { class: "nowrap" }, range(r.low, r.high))),
      pair(h("span", { title: t("proportionMeans") }, t("proportion").replace("@k", `@${hitK}`)), fixed(r.proportion)),
    ),
  );
}

const pair = (name, ...words) => h("div", {}, h("dt", {}, typeof name === "string" ? capital(name) : name), h("dd", {}, words));

function changes(run) {
  const c = run.comparison;
  const box = (...inside) => h("div", { class: "panel" }, h("h3", {}, t("changed")), inside);
  if (!c) {
    if (run.gate) return box(gateOf(run.gate));
    const isFirst = RUNS.some((r) => r.comparison && r.comparison.run === run.timing.run);
    return box(h("p", { class: "quiet" }, t(isFirst ? "isBaseline" : "noBaseline")));
  }
  const other = comparedWith(run);
  const rows = COLUMNS.filter((col) => verdictOf(c.rows[col]) !== 0);
  const unlike = c.unlike.map((what) => t({ "gold set": "goldSet", "knowledge base": "knowledgeBase" }[what] || what));
  const flips = (better) => c.flips.filter((f) => f.mode === "e2e" && f.better === better).length;
  const hasE2e = c.flips.some((f) => f.mode === "e2e");
  return box(
    h("p", { class: "quiet" }, t("against", runName(other))),
    unlike.length > 0 && h("p", { class: "note" }, t("unlike", unlike.join(", "))),
    c.identical && h("p", {}, t("identical")),
    !c.identical && rows.length === 0 && h("p", {}, t("noChange")),
    rows.length > 0 && h("ul", { class: "changes" }, rows.map((col) => change(col, c.rows[col]))),
    hasE2e && h(
      "p",
      { class: "flips" },
      flipButton(true, flips(true)),
      flipButton(false, flips(false)),
    ),
    c.worse_slices.length > 0 && h(
      "details",
      { class: "small" },
      h("summary", {}, `${t("worseSlices")} (${c.worse_slices.length})`),
      h("ul", { class: "plain" }, c.worse_slices.map((w) => h("li", {}, t("worseSlice", w.tag, fullName(w.column), signed(w.difference))))),
    ),
    differencesOf(c.differences),
    run.gate && gateOf(run.gate),
  );
}

function change(column, row) {
  const up = verdictOf(row) > 0;
  return h(
    "li",
    { class: up ? "good" : "bad" },
    h("span", { "aria-hidden": "true", class: "arrow" }, up ? "▲" : "▼"),
    h("span", { class: "sr" }, t(up ? "better" : "worse")),
    h("span", { class: "change-name", title: definition(column) }, nameOf(column), h("small", {}, t(modeOf(column)))),
    h("span", { class: "number" }, signed(row.difference)),
    h("span", { class: "number quiet" }, range(row.low, row.high, signed)),
  );
}

function flipButton(better, n) {
  return h(
    "button",
    { type: "button", class: `chip ${better ? "good" : "bad"}`, disabled: n === 0, onclick: () => showQuestions({ flipped: better ? "better" : "worse" }) },
    t(better ? "flippedBetter" : "flippedWorse", n),
  );
}

function differencesOf(differences) {
  if (!differences.length) return null;
  const cut = (v) => (v === null || v === undefined || v === "" ? t("none") : /^[0-9a-f]{64}$/.test(v) ? v.slice(0, 12) : v);
  return h(
    "details",
    { class: "small" },
    h("summary", {}, `${t("differs")} (${differences.length})`),
    h("ul", { class: "plain" }, differences.map((d) => h("li", {}, h("code", {}, d.what), ` ${cut(d.a)} → ${cut(d.b)}`))),
  );
}

function gateOf(gate) {
  const failed = gate.checks.filter((c) => c.result === "failed");
  return [
    h("p", { class: gate.passed ? "good" : "bad" }, h("strong", {}, t(gate.passed ? "gatePassed" : "gateFailed")), gate.baseline ? ` ${t("against", shortId(gate.baseline))}` : ""),
    h("ul", { class: "plain" }, failed.map((c) => h(
      "li",
      {},
      c.against === "baseline"
        ? `${fullName(c.column)}: ${fixed(c.expected)} → ${fixed(c.mean)} ${t("regression")} ${c.difference ? range(c.difference.low, c.difference.high, signed) : ""}`
        : `${fullName(c.column)}: ${fixed(c.mean)}, ${t("target").toLowerCase()} ${boundOf(c.column.slice(c.column.indexOf(".") + 1), c.expected)}`,
    ))),
  ];
}

function causes(run) {
  const counted = CLASSES.filter((c) => run.classes[c]).sort((a, b) => run.classes[b] - run.classes[a]);
  const wrong = counted.reduce((sum, c) => sum + run.classes[c], 0);
  if (!run.e2e.some((r) => r !== null)) return null;
  return h(
    "div",
    { class: "panel" },
    h("h3", {}, wrong ? t("wrongAnswers", wrong) : t("noWrong")),
    h("ul", { class: "causes" }, counted.map((c) => {
      const n = run.classes[c];
      return h(
        "li",
        {},
        h("button", { type: "button", onclick: () => showQuestions({ outcome: c }) },
          h("span", { class: "cause-name" }, t(c), h("small", {}, t(`cw_${c}`))),
          h("span", { class: "cause-bar", "aria-hidden": "true" }, h("span", { style: `width:${(100 * n) / wrong}%` })),
          h("span", { class: "number" }, n)),
      );
    })),
  );
}

function refusals(run) {
  const a = run.abstention;
  if (!a) return null;
  const share = (part, all) => (all ? fixed(part / all, 2) : t("undefinedValue"));
  const cell = (n, cls, filter) => h("td", { class: `number ${n ? cls : ""}` }, h("button", { type: "button", disabled: !n, onclick: () => showQuestions(filter) }, n));
  return h(
    "div",
    { class: "panel" },
    h("h3", {}, t("abstained")),
    h(
      "table",
      { class: "cross" },
      h("thead", {}, h("tr", {}, h("td", {}), h("th", { scope: "col" }, capital(t("answered"))), h("th", { scope: "col" }, capital(t("refused"))))),
      h("tbody", {},
        h("tr", {}, h("th", { scope: "row" }, capital(t("answerable"))), h("td", { class: "number" }, a.answered), cell(a.over_refusals, "bad", { outcome: "over_refusal" })),
        h("tr", {}, h("th", { scope: "row" }, capital(t("unanswerable"))), cell(a.false_answers, "bad", { outcome: "falseAnswer" }), cell(a.correct_refusals, "good", { outcome: "refusedRight" }))),
    ),
    h("p", { class: "quiet small" }, t("refusalPR", share(a.correct_refusals, a.correct_refusals + a.over_refusals), share(a.correct_refusals, a.correct_refusals + a.false_answers))),
  );
}
