// The table of runs, and the trend of a measure over them.

function runsSection() {
  return h(
    "section",
    { id: "runs", "aria-labelledby": "runs-title" },
    h("h2", { id: "runs-title" }, t("runs")),
    RUNS.length > 1 && h("p", { class: "quiet" }, t("runsHint")),
    h("div", { class: "controls" }, choice(
      t("columns"),
      [["headline", t("headline")], ...MODES.filter((m) => COLUMNS.some((c) => modeOf(c) === m)).map((m) => [m, t(m)]), ["all", t("all")]],
      state.columns,
      (v) => { state.columns = v; redraw("runs"); },
    )),
    runsTable(),
    trend(),
  );
}

function chosenColumns() {
  if (state.columns === "headline") return mains();
  return COLUMNS.filter((c) => state.columns === "all" || modeOf(c) === state.columns);
}

function runsTable() {
  const columns = chosenColumns();
  const keyOf = (run) => {
    if (!state.sort) return 0;
    if (state.sort.by === "run") return runName(run);
    if (state.sort.by === "started") return run.timing.started;
    const e = run.measures[state.sort.by];
    return e && e.mean !== null ? e.mean : -1;
  };
  const sorted = [...RUNS];
  if (state.sort) {
    const way = state.sort.down ? -1 : 1;
    sorted.sort((a, b) => {
      const [x, y] = [keyOf(a), keyOf(b)];
      return way * (typeof x === "string" ? x.localeCompare(y) : x - y);
    });
  }
  return scrollBox(
    t("runs"),
    h(
      "table",
      { class: "runs" },
      h("caption", { class: "sr" }, t("runs")),
      h("thead", {}, h("tr", {}, sorter("run", t("run")), sorter("started", t("started")), columns.map((c) => sorter(c, nameOf(c), t(modeOf(c)))))),
      h("tbody", {}, sorted.map((run) => runRow(run, columns))),
    ),
  );
}

function sorter(by, words, mode) {
  const on = state.sort && state.sort.by === by;
  const sortBy = t("sortBy", mode ? `${words}, ${mode}` : words);
  return h(
    "th",
    { scope: "col", class: mode ? "number" : "", "aria-sort": on ? (state.sort.down ? "descending" : "ascending") : "none" },
    h(
      "button",
      {
        type: "button",
        title: mode ? `${sortBy}\n${definition(by)}` : sortBy,
        "data-sort": by,
        onclick: () => {
          // The first click sorts numbers in descending order.
          state.sort = on ? { by, down: !state.sort.down } : { by, down: by !== "run" };
          redraw("runs", `[data-sort="${by}"]`);
        },
      },
      h("span", {}, words, mode && h("small", {}, mode)),
      h("span", { class: "way", "aria-hidden": "true" }, on ? (state.sort.down ? "↓" : "↑") : ""),
    ),
  );
}

function runRow(run, columns) {
  const at = RUNS.indexOf(run);
  const isShown = at === state.run;
  const isFirst = RUNS.some((r) => r.comparison && r.comparison.run === run.timing.run);
  return h(
    "tr",
    { class: isShown ? "shown" : "", "aria-current": isShown ? "true" : null },
    h(
      "th",
      { scope: "row" },
      h("button", { type: "button", class: "link", onclick: () => chooseRun(at) }, runName(run)),
      isFirst && h("span", { class: "pill none" }, t("asBaseline")),
      h("small", {}, run.label ? shortId(run.timing.run) : run.manifest.reader || t("retrieval"), run.order.length < run.planned ? ` · ${run.order.length}/${run.planned}` : ""),
    ),
    h("td", { class: "quiet nowrap" }, when(run.timing.started)),
    columns.map((column) => runCell(run, column)),
  );
}

function runCell(run, column) {
  const e = run.measures[column];
  if (!e || e.mean === null) return h("td", { class: "number quiet" }, "–");
  const row = rowOf(run, column);
  const verdict = verdictOf(row);
  const cls = verdictClass(verdict);
  return h(
    "td",
    { class: `number ${verdict ? `${cls} marked` : ""}`, title: `${range(e.low, e.high)} · n ${e.n}` },
    h("span", {}, fixed(e.mean)),
    row && h(
      "small",
      { class: cls, title: range(row.low, row.high, signed) },
      h("span", { "aria-hidden": "true" }, verdictMark(verdict)),
      signed(row.difference),
      h("span", { class: "sr" }, ` ${t(verdict > 0 ? "better" : verdict < 0 ? "worse" : "notSignificant")}`),
    ),
  );
}

function trend() {
  if (RUNS.length < 2) return null;
  const column = state.trend && MEASURES[state.trend] ? state.trend : mains()[0];
  const inTime = [...RUNS]
    .filter((run) => run.measures[column] && run.measures[column].mean !== null)
    .sort((a, b) => a.timing.started.localeCompare(b.timing.started));
  return h("div", { class: "wide" }, picture(
    {
      title: t("trend"),
      caption: t("trendOf", fullName(column)),
      controls: measureChoice(column, (c) => { state.trend = c; redraw("runs"); }),
      table: dataTable(t("trend"), [t("run"), t("started"), t("mean"), t("interval"), "n"], inTime.map((run) => {
        const e = run.measures[column];
        return [runName(run), when(run.timing.started), fixed(e.mean), range(e.low, e.high), e.n];
      })),
    },
    (width, label) => trendPicture(width, label, column, inTime),
  ));
}

function trendPicture(width, label, column, runs) {
  const [left, right, top, bottom] = [44, width - 20, 12, 190];
  const all = runs.map((r) => r.measures[column]).flatMap((e) => [e.low ?? e.mean, e.high ?? e.mean]);
  const low = Math.max(0, Math.min(...all) - 0.05);
  const high = Math.min(1, Math.max(...all) + 0.05);
  const y = linear(low, high, bottom, top);
  const x = linear(0, Math.max(1, runs.length - 1), left + 30, right - 30);
  const room = Math.max(6, Math.floor((right - left) / runs.length / 6.4));
  const points = runs.map((run, at) => [x(at), y(run.measures[column].mean)]);
  return canvas(
    width,
    bottom + 28,
    label,
    yAxis(steps(low, high, 4), y, left, right),
    points.length > 1 && path(points, "series quiet-line"),
    runs.map((run, at) => {
      const e = run.measures[column];
      const isShown = run === current();
      const verdict = verdictOf(rowOf(run, column));
      const group = s(
        "g",
        { class: `point ${isShown ? "shown" : ""} ${verdict > 0 ? "good" : verdict < 0 ? "bad" : ""}`, "data-click": "" },
        s("rect", { x: x(at) - 20, y: top, width: 40, height: bottom - top, class: "touch" }),
        e.low !== null && stroke(x(at), y(e.low), x(at), y(e.high), "bar"),
        s("circle", { cx: x(at), cy: y(e.mean), r: isShown ? 6 : 4.5 }),
        word(x(at), bottom + 18, "middle", "tick", cutTo(runName(run), room)),
      );
      group.addEventListener("click", () => chooseRun(RUNS.indexOf(run)));
      return hint(group, () => [runName(run), `${fixed(e.mean)} ${range(e.low, e.high)}`, when(run.timing.started)]);
    }),
  );
}

const cutTo = (text, room) => (text.length > room ? text.slice(0, room - 1) + "…" : text);

function measureChoice(column, onchange, columns = COLUMNS) {
  const groups = MODES.map((m) => [t(m), columns.filter((c) => modeOf(c) === m).map((c) => [c, nameOf(c)])]).filter((g) => g[1].length);
  return choice(t("measure"), groups, column, onchange);
}
