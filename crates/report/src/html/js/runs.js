// Runs in a table, and a measure over the runs.

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
    return e && e[0] !== null ? e[0] : -1;
  };
  const sorted = [...RUNS];
  if (state.sort) {
    const way = state.sort.down ? -1 : 1;
    sorted.sort((a, b) => {
      const [x, y] = [keyOf(a), keyOf(b)];
      return way * (typeof x === "string" ? x.localeCompare(y) : x - y);
    });
  }
  return h(
    "div",
    { class: "scroll", tabindex: "0", role: "region", "aria-labelledby": "runs-title" },
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
  return h(
    "th",
    { scope: "col", class: mode ? "number" : "", "aria-sort": on ? (state.sort.down ? "descending" : "ascending") : "none" },
    h(
      "button",
      {
        type: "button",
        title: t("sortBy", mode ? `${words}, ${mode}` : words),
        "data-sort": by,
        onclick: () => {
          // Figures start with the best.
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
  if (!e || e[0] === null) return h("td", { class: "number quiet" }, "–");
  const row = run.comparison && run.comparison.rows[column];
  const verdict = verdictOf(row);
  const cls = { "-1": "bad", 0: "quiet", 1: "good" }[verdict];
  return h(
    "td",
    { class: `number ${verdict ? `${cls} marked` : ""}`, title: `${range(e[4], e[5])} · n ${e[1]}` },
    h("span", {}, fixed(e[0])),
    row && h(
      "small",
      { class: cls, title: range(row[3], row[4], signed) },
      verdict ? h("span", { "aria-hidden": "true" }, verdict > 0 ? "▲ " : "▼ ") : "",
      signed(row[2]),
      h("span", { class: "sr" }, ` ${t(verdict > 0 ? "better" : verdict < 0 ? "worse" : "notSignificant")}`),
    ),
  );
}

function trend() {
  if (RUNS.length < 2) return h("p", { class: "quiet" }, t("oneRun"));
  const column = state.trend && DATA.measures[state.trend] ? state.trend : mains()[0];
  const inTime = [...RUNS]
    .filter((run) => run.measures[column] && run.measures[column][0] !== null)
    .sort((a, b) => a.timing.started.localeCompare(b.timing.started));
  return h("div", { class: "wide" }, picture(
    {
      title: t("trend"),
      caption: t("trendOf", fullName(column)),
      controls: measureChoice(column, (c) => { state.trend = c; redraw("runs"); }),
      table: dataTable(t("trend"), [t("run"), t("started"), t("mean"), t("interval"), "n"], inTime.map((run) => {
        const e = run.measures[column];
        return [runName(run), when(run.timing.started), fixed(e[0]), range(e[4], e[5]), e[1]];
      })),
    },
    (width, label) => trendPicture(width, label, column, inTime),
  ));
}

function trendPicture(width, label, column, runs) {
  const [left, right, top, bottom] = [44, width - 20, 12, 190];
  const all = runs.flatMap((r) => [r.measures[column][4] ?? r.measures[column][0], r.measures[column][5] ?? r.measures[column][0]]);
  const low = Math.max(0, Math.min(...all) - 0.05);
  const high = Math.min(1, Math.max(...all) + 0.05);
  const y = linear(low, high, bottom, top);
  const x = linear(0, Math.max(1, runs.length - 1), left + 30, right - 30);
  const room = Math.max(6, Math.floor((right - left) / runs.length / 6.4));
  const points = runs.map((run, at) => [x(at), y(run.measures[column][0])]);
  return canvas(
    width,
    bottom + 28,
    label,
    yAxis(steps(low, high, 4), y, left, right),
    points.length > 1 && path(points, "series quiet-line"),
    runs.map((run, at) => {
      const e = run.measures[column];
      const isShown = run === current();
      const verdict = verdictOf(run.comparison && run.comparison.rows[column]);
      const group = s(
        "g",
        { class: `point ${isShown ? "shown" : ""} ${verdict > 0 ? "good" : verdict < 0 ? "bad" : ""}`, "data-click": "" },
        s("rect", { x: x(at) - 20, y: top, width: 40, height: bottom - top, class: "touch" }),
        e[4] !== null && stroke(x(at), y(e[4]), x(at), y(e[5]), "bar"),
        s("circle", { cx: x(at), cy: y(e[0]), r: isShown ? 6 : 4.5 }),
        word(x(at), bottom + 18, "middle", "tick", cutTo(runName(run), room)),
      );
      group.addEventListener("click", () => chooseRun(RUNS.indexOf(run)));
      return hint(group, () => [runName(run), `${fixed(e[0])} ${range(e[4], e[5])}`, when(run.timing.started)]);
    }),
  );
}

const cutTo = (text, room) => (text.length > room ? text.slice(0, room - 1) + "…" : text);

function measureChoice(column, onchange, columns = COLUMNS) {
  const groups = MODES.map((m) => [t(m), columns.filter((c) => modeOf(c) === m).map((c) => [c, nameOf(c)])]).filter((g) => g[1].length);
  return choice(t("measure"), groups, column, onchange);
}
