// The charts of the current run, and of all runs where they are compared.

function picturesSection() {
  const draw = [byDepth, coverage, comparisonPicture, faithPicture, latencyPicture, slicesPicture, heatmap];
  return h(
    "section",
    { id: "pictures", "aria-labelledby": "pictures-title" },
    h("h2", { id: "pictures-title" }, t("pictures")),
    later(h("div", { class: "pictures" }), () => draw.map((make) => make(current())).filter(Boolean)),
  );
}

function byDepth(run) {
  const n = run.depth.hit.length;
  if (n < 2) return null;
  const ks = run.depth.hit.map((_, i) => i + 1);
  const others = RUNS.filter((r) => r !== run && r.depth.hit.length > 1);
  return picture(
    {
      title: t("byDepth"),
      caption: t("byDepthCap"),
      legend: legendOf([["line", t("hit")], ["dashed", t("recall")], ...(others.length ? [["pale", `${t("hit")}, ${t("otherRuns").toLowerCase()}`]] : [])]),
      table: dataTable(t("byDepth"), ["k", t("hit"), t("recall")], ks.map((k) => [k, fixed(run.depth.hit[k - 1]), fixed(run.depth.recall[k - 1])])),
    },
    (width, label) => {
      const [left, right, top, bottom] = [40, width - 46, 10, 230];
      const all = [...run.depth.hit, ...run.depth.recall, ...others.flatMap((r) => r.depth.hit)];
      const floor = Math.max(0, Math.floor((Math.min(...all) - 0.05) * 10) / 10);
      const [x, y] = [linear(1, n, left, right), linear(floor, 1, bottom, top)];
      const line = (values, cls) => path(values.map((v, i) => [x(i + 1), y(v)]), cls);
      const end = (values, name, shift) => word(right + 6, y(values[n - 1]) + shift, "start", "tick strong", name);
      const known = ks.filter((k) => run.measures[`retrieval.hit@${k}`] && run.measures[`retrieval.hit@${k}`].low !== null);
      const close = Math.abs(y(run.depth.hit[n - 1]) - y(run.depth.recall[n - 1])) < 14;
      return canvas(
        width, bottom + 40, label,
        yAxis(steps(floor, 1, 5), y, left, right),
        ks.map((k) => word(x(k), bottom + 17, "middle", "tick", k)),
        word((left + right) / 2, bottom + 35, "middle", "tick", `k, ${t("passages").toLowerCase()}`),
        others.map((r) => hint(line(r.depth.hit, "series pale"), () => [runName(r), `${t("hit")} …${fixed(r.depth.hit.at(-1))}`])),
        known.map((k) => {
          const e = run.measures[`retrieval.hit@${k}`];
          return stroke(x(k), y(Math.max(floor, e.low)), x(k), y(e.high), "bar accent");
        }),
        line(run.depth.recall, "series accent dashed"),
        line(run.depth.hit, "series accent"),
        end(run.depth.hit, "hit", close ? -3 : 4),
        end(run.depth.recall, "recall", close ? 12 : 4),
        ks.map((k) => hint(
          s("g", { class: "point accent" }, s("rect", { x: x(k) - 14, y: top, width: 28, height: bottom - top, class: "touch" }), s("circle", { cx: x(k), cy: y(run.depth.hit[k - 1]), r: 3.5 })),
          () => [`k = ${k}`, `${t("hit")} ${fixed(run.depth.hit[k - 1])}`, `${t("recall")} ${fixed(run.depth.recall[k - 1])}`],
        )),
      );
    },
  );
}

function coverage(run) {
  if (!run.answered) return null;
  const { curve, run: point } = run.answered;
  const others = RUNS.filter((r) => r !== run && r.answered);
  const rows = [[runName(run), percent(point[0]), fixed(point[1])], ...others.map((r) => [runName(r), percent(r.answered.run[0]), fixed(r.answered.run[1])])];
  return picture(
    { title: t("coverage"), caption: t("coverageCap"), table: dataTable(t("coverage"), [t("run"), t("share"), "F1"], rows) },
    (width, label) => {
      const [left, right, top, bottom] = [40, width - 16, 10, 230];
      const high = Math.min(1, Math.ceil((Math.max(0.2, point[1], ...curve.map((c) => c[1]), ...others.map((r) => r.answered.run[1])) + 0.05) * 10) / 10);
      const [x, y] = [linear(0, 1, left, right), linear(0, high, bottom, top)];
      const dot = (r, cls, radius) => hint(s("circle", { cx: x(r.answered.run[0]), cy: y(r.answered.run[1]), r: radius, class: cls }), () => [runName(r), `${t("share")} ${percent(r.answered.run[0])}`, `F1 ${fixed(r.answered.run[1])}`]);
      return canvas(
        width, bottom + 40, label,
        yAxis(steps(0, high, 5), y, left, right),
        [0, 0.25, 0.5, 0.75, 1].map((v) => word(x(v), bottom + 17, v === 1 ? "end" : v ? "middle" : "start", "tick", percent(v))),
        word((left + right) / 2, bottom + 35, "middle", "tick", t("share")),
        word(left + 6, top + 10, "start", "tick", "F1"),
        curve.length > 1 && path(curve.map(([a, b]) => [x(a), y(b)]), "series accent"),
        others.map((r) => dot(r, "dot pale", 5)),
        dot(run, "dot accent", 7),
        curve.map(([a, b]) => hint(s("rect", { x: x(a) - 4, y: top, width: 8, height: bottom - top, class: "touch" }), () => [`${t("share")} ${percent(a)}`, `F1 ${fixed(b)}`])),
      );
    },
  );
}

function comparisonPicture() {
  const compared = RUNS.filter((r) => r.comparison && Object.keys(r.comparison.rows).length);
  if (RUNS.length < 2 || !compared.length) return null;
  const columns = COLUMNS.filter((c) => compared.some((r) => r.comparison.rows[c]));
  const column = columns.includes(state.compared) ? state.compared : mains().find((c) => columns.includes(c)) || columns[0];
  const rows = compared.filter((r) => r.comparison.rows[column]).map((r) => {
    const row = rowOf(r, column);
    const verdict = verdictOf(row);
    const note = row.identical ? ` · ${t("identical")}` : "";
    return {
      name: runName(r), mean: row.difference, low: row.low, high: row.high,
      cls: `${verdict > 0 ? "good" : verdict < 0 ? "bad" : "even"} ${r === current() ? "shown" : ""}`,
      figure: `${verdictMark(verdict)}${signed(row.difference)}`,
      hint: [runName(r), `${signed(row.difference)} ${range(row.low, row.high, signed)}`, `p ${fixed(row.p)} · Holm ${fixed(row.holm)}${note}`],
      onclick: () => chooseRun(RUNS.indexOf(r)),
      data: [runName(r), fixed(row.meanA), fixed(row.meanB), signed(row.difference), range(row.low, row.high, signed), fixed(row.holm)],
    };
  });
  return picture(
    {
      title: t("arms"), caption: t("armsCap"), label: `${t("arms")}: ${fullName(column)}`,
      controls: measureChoice(column, (c) => { state.compared = c; redraw("pictures"); }, columns),
      table: dataTable(t("arms"), [t("run"), "A", "B", t("difference"), t("interval"), "p (Holm)"], rows.map((r) => r.data)),
    },
    (width, label) => {
      const reach = Math.max(0.05, ...rows.flatMap((r) => [Math.abs(r.low ?? r.mean), Math.abs(r.high ?? r.mean)])) * 1.08;
      return whiskerRows(width, label, rows, { domain: [-reach, reach], zero: true, figures: 84, row: 30 });
    },
  );
}

function faithPicture(run) {
  const columns = ["e2e.faithfulness_strict", "e2e.faithfulness_loose"].filter((c) => run.values[c]);
  if (!columns.length) return null;
  const names = ["0", "0–¼", "¼–½", "½–¾", "¾–1", "1"];
  const bin = (v) => (v <= 0 ? 0 : v >= 1 ? 5 : 1 + Math.min(3, Math.floor(v * 4)));
  const series = columns.map((c) => {
    const counts = names.map(() => 0);
    run.order.forEach((_, at) => { const v = score(run, c, at); if (v !== null) counts[bin(v)] += 1; });
    return counts;
  });
  const kinds = columns.map((c) => t(c.endsWith("strict") ? "strict" : "loose"));
  return picture(
    {
      title: t("faithDist"), caption: t("faithDistCap"),
      legend: legendOf(kinds.map((k, i) => [i ? "box-pale" : "box", k])),
      table: dataTable(t("faithDist"), [t("supportedShare"), ...kinds], names.map((name, i) => [name, ...series.map((c) => c[i])])),
    },
    (width, label) => {
      const [left, right, top, bottom] = [36, width - 8, 14, 220];
      const most = Math.max(1, ...series.flat());
      const y = linear(0, most * 1.08, bottom, top);
      const slot = (right - left) / names.length;
      const bar = Math.min(34, slot / 2 - 6);
      return canvas(
        width, bottom + 24, label,
        yAxis(steps(0, most, 4).filter(Number.isInteger), y, left, right, whole),
        names.map((name, i) => [
          word(left + slot * (i + 0.5), bottom + 17, "middle", "tick", name),
          series.map((counts, k) => {
            const x = left + slot * (i + 0.5) + (k - series.length / 2) * (bar + 2) + 1;
            const up = y(counts[i]);
            return hint(
              s("g", {},
                s("rect", { x, y: up, width: bar, height: bottom - up, class: k ? "bin pale" : "bin" }),
                counts[i] > 0 && word(x + bar / 2, up - 4, "middle", "tick", counts[i])),
              () => [`${kinds[k]}: ${name}`, `${counts[i]} ${t("answers")}`],
            );
          }),
        ]),
      );
    },
  );
}

function latencyPicture(run) {
  const stages = Object.entries(run.timing.latency).sort((a, b) => MODES.indexOf(a[0].split(":")[0]) - MODES.indexOf(b[0].split(":")[0]));
  if (!stages.length) return null;
  const cached = run.timing.cached_answers;
  return picture(
    {
      title: t("latency"), caption: t("latencyCap", cached),
      legend: legendOf([["disc", "p50"], ["tick-mark", "p95"], ["ring", "p99"]]),
      table: dataTable(t("latency"), [t("stage"), "p50", "p95", "p99", "n"], stages.map(([name, l]) => [name, ms(l.p50), ms(l.p95), ms(l.p99), l.n])),
    },
    (width, label) => {
      const row = 28;
      const longest = Math.max(...stages.map(([name]) => stageName(name).length));
      const [left, right, top] = [Math.min(longest * 7.2 + 14, width * 0.45), width - 74, 6];
      const bottom = top + stages.length * row + 4;
      const log = (v) => Math.log10(Math.max(v, 0.01));
      const low = Math.floor(Math.min(...stages.map(([, l]) => log(l.p50))));
      const high = Math.ceil(Math.max(...stages.map(([, l]) => log(l.p99))));
      const x = linear(low, high, left, right);
      const ticks = [];
      const every = Math.ceil(((high - low) * 54) / Math.max(54, right - left));
      for (let p = low; p <= high; p += every) ticks.push(p);
      const short = (p) => (p >= 3 ? `${10 ** (p - 3)} s` : p < 0 ? `${fixed(10 ** p, -p)} ms` : `${10 ** p} ms`);
      return canvas(
        width, bottom + 24, label,
        xAxis(ticks, x, top, bottom, short),
        stages.map(([name, l], at) => {
          const y = top + at * row + row / 2 + 2;
          return hint(
            s("g", { class: `row stage ${name.includes(":") ? "part" : ""}` },
              s("rect", { x: 0, y: y - row / 2, width, height: row, class: "touch" }),
              word(left - 10, y + 4, "end", "name", cutTo(stageName(name), Math.floor((left - 8) / 6.4))),
              stroke(x(log(l.p50)), y, x(log(l.p99)), y, "bar accent"),
              stroke(x(log(l.p95)), y - 6, x(log(l.p95)), y + 6, "bar accent thick"),
              s("circle", { cx: x(log(l.p99)), cy: y, r: 4, class: "dot hollow" }),
              s("circle", { cx: x(log(l.p50)), cy: y, r: 4.5, class: "dot accent" }),
              word(width, y + 4, "end", "figure", ms(l.p50))),
            () => [stageName(name), `p50 ${ms(l.p50)}`, `p95 ${ms(l.p95)}`, `p99 ${ms(l.p99)}`, `n ${l.n}`],
          );
        }),
      );
    },
  );
}

function stageName(name) {
  const [mode, part] = name.split(": ");
  const short = { retrieval: t("retrieval"), oracle: "oracle", e2e: "e2e" }[mode] || mode;
  return part ? `${short}: ${{ embed: t("embed"), dense: t("dense"), bm25: "BM25", read: t("stageRead"), whole: t("stageWhole") }[part] || part}` : short;
}

function slicesPicture(run) {
  const columns = [...new Set(Object.values(run.slices).flatMap((of) => Object.keys(of)))].sort((a, b) => COLUMNS.indexOf(a) - COLUMNS.indexOf(b));
  if (!columns.length) return null;
  const column = columns.includes(state.slice) ? state.slice : columns.includes("e2e.F1") ? "e2e.F1" : columns[0];
  const groups = sliceGroups(run);
  const sizeOf = (tag) => (run.slices[tag][column] ? run.slices[tag][column].n : 0);
  const names = [...groups.keys()];
  const large = (g) => groups.get(g).filter((tag) => sizeOf(tag) >= 10).length;
  const best = [...names].sort((a, b) => large(b) - large(a))[0];
  const group = state.slices === "" || groups.has(state.slices) ? state.slices : best;
  const tags = (group === "" ? Object.keys(run.slices) : groups.get(group)).filter((tag) => sizeOf(tag) > 0 && (state.small || sizeOf(tag) >= 10));
  const rows = tags.map((tag) => {
    const e = run.slices[tag][column];
    return {
      name: group === "" ? tag : tag.slice(group.length + 1) || tag,
      mean: e.mean, low: e.low, high: e.high, cls: e.n < 10 ? "pale" : "", figure: `${fixed(e.mean, 2)} · n ${e.n}`,
      hint: [tag, `${fixed(e.mean)} ${range(e.low, e.high)}`, `n ${e.n}`], onclick: () => showQuestions({ tag }),
      data: [tag, fixed(e.mean), range(e.low, e.high), e.n],
    };
  }).filter((r) => r.mean !== null).sort((a, b) => b.mean - a.mean);
  const all = run.measures[column];
  const figure = picture(
    {
      title: t("slices"), caption: t("slicesCap"), label: `${t("slices")}: ${fullName(column)}`,
      controls: [
        measureChoice(column, (c) => { state.slice = c; redraw("pictures"); }, columns),
        choice(t("tagGroup"), [...names.map((g) => [g, g]), ["", t("allTags")]], group, (g) => { state.slices = g; redraw("pictures"); }),
        h("label", { class: "check" }, h("input", { type: "checkbox", checked: state.small, onchange: (e) => { state.small = e.target.checked; redraw("pictures"); } }), t("showSmall")),
      ],
      table: dataTable(t("slices"), [t("tag"), t("mean"), t("interval"), "n"], rows.map((r) => r.data)),
    },
    (width, label) => whiskerRows(width, label, rows, { domain: [0, 1], line: all ? all.mean : null, figures: 100 }),
  );
  // A long list takes the whole width, because its neighbour in the grid would be mostly empty.
  if (rows.length > 12) figure.classList.add("wide");
  return figure;
}
