// Every measure of the current run with its interval, counts and definition.

function measuresSection() {
  const run = current();
  const modes = MODES.filter((m) => COLUMNS.some((c) => modeOf(c) === m && run.measures[c]));
  const c = run.comparison;
  return h(
    "section",
    { id: "measures", "aria-labelledby": "measures-title" },
    h("h2", { id: "measures-title" }, t("measures")),
    h("p", { class: "quiet" }, t("measuresHint")),
    scrollBox(
      t("measures"),
      h(
        "table",
        { class: "measures" },
        h("caption", { class: "sr" }, t("measures")),
        h("thead", {}, h(
          "tr",
          {},
          h("th", { scope: "col" }, t("measure")),
          h("td", { class: "plot-cell" }, scaleHead()),
          [t("mean"), t("interval"), t("target"), c ? t("difference") : null, t("counts"), capital(t("undefinedN")), capital(t("failedN"))]
            .filter(Boolean)
            .map((words) => h("th", { scope: "col", class: "number" }, words)),
        )),
        modes.map((mode) => h(
          "tbody",
          {},
          h("tr", { class: "group" }, h("th", { scope: "rowgroup", colspan: c ? 9 : 8 }, t(mode), h("small", {}, t(`mode_${mode}`)))),
          COLUMNS.filter((col) => modeOf(col) === mode && run.measures[col]).map((col) => measureRow(run, col)),
        )),
      ),
    ),
  );
}

function scaleHead() {
  const x = linear(0, 1, 5, 195);
  return s("svg", { viewBox: "0 0 200 14", class: "gauge", "aria-hidden": "true" },
    [0, 0.5, 1].map((v) => word(x(v), 11, v === 0 ? "start" : v === 1 ? "end" : "middle", "tick", v === 0.5 ? fixed(v, 1) : v)));
}

function measureRow(run, column) {
  const e = run.measures[column];
  const target = run.targets.find((x) => `${x.mode}.${x.measure}` === column);
  const row = rowOf(run, column);
  const verdict = verdictOf(row);
  const met = target && target.met;
  return h(
    "tr",
    {},
    h("th", { scope: "row" }, breakable(nameOf(column)), h("small", {}, definition(column))),
    h("td", { class: "plot-cell" }, e.mean !== null && gauge(e, target ? target.bound : undefined)),
    h("td", { class: "number strong" }, fixed(e.mean)),
    h("td", { class: "number quiet nowrap" }, range(e.low, e.high)),
    h("td", { class: `number nowrap ${target ? (met ? "good" : "bad") : ""}` }, target ? `${boundOf(target.measure, target.bound)} ${met ? "✓" : "✗"}` : "", target && h("span", { class: "sr" }, t(met ? "met" : "missed"))),
    run.comparison && h(
      "td",
      { class: `number nowrap ${verdictClass(verdict)}`, title: row ? `p ${fixed(row.p)} · Holm ${fixed(row.holm)} · ${row.wins}/${row.ties}/${row.losses}` : "" },
      row ? `${verdictMark(verdict)}${signed(row.difference)}` : "–",
      row && h("small", {}, range(row.low, row.high, signed)),
    ),
    h("td", { class: "number" }, whole(e.n)),
    h("td", { class: `number ${e.undefined ? "" : "quiet"}` }, whole(e.undefined)),
    h("td", { class: `number ${e.failed ? "bad" : "quiet"}` }, whole(e.failed)),
  );
}
