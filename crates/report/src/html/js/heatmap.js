// Questions × runs, coloured by the rank of the first evidence. All cells of a colour are one path,
// which keeps the number of elements small for thousands of cells.

const LEVELS = [[0.99, "1"], [0.49, "2"], [0.3, "3"], [0.15, "4–6"], [0.0001, "7–10"], [-1, "–"]];

function heatmap() {
  const column = MEASURES[RR] ? RR : COLUMNS.find((c) => c.startsWith("retrieval.RR"));
  const runs = RUNS.filter((r) => column && r.values[column]);
  if (!runs.length) return null;
  const valueOf = (run, q) => (run.place.has(q) ? score(run, column, run.place.get(q)) : null);
  const means = new Map();
  QUESTIONS.forEach((_, q) => {
    const values = runs.map((r) => valueOf(r, q)).filter((v) => v !== null);
    if (values.length) means.set(q, values.reduce((a, b) => a + b, 0) / values.length);
  });
  const columns = [...means.keys()].sort((a, b) => means.get(a) - means.get(b) || a - b);
  const words = (v) => (v === null ? "–" : v > 0 ? `${t("rank")} ${Math.round(1 / v)}` : t("notFound"));
  const figure = picture(
    {
      title: t("heat"), caption: t("heatCap"),
      legend: legendOf(LEVELS.map(([, name], i) => [`level-${i}`, i === LEVELS.length - 1 ? t("notFound") : `${t("rank")} ${name}`])),
      table: dataTable(t("heat"), [t("question"), ...runs.map(runName)], columns.slice(0, 40).map((q) => [openButton(q), ...runs.map((r) => words(valueOf(r, q)))])),
    },
    (width, label) => {
      const left = runs.length > 1 ? Math.min(150, width * 0.3) : 0;
      const cell = (width - left) / columns.length;
      const row = runs.length > 1 ? 24 : 44;
      const gap = cell > 5 ? 1 : 0;
      const shapes = LEVELS.map(() => "");
      runs.forEach((run, r) => columns.forEach((q, c) => {
        const v = valueOf(run, q);
        if (v === null) return;
        const level = LEVELS.findIndex(([least]) => v >= least);
        shapes[level] += `M${(left + c * cell).toFixed(2)} ${r * row + 1}h${(cell - gap).toFixed(2)}v${row - 2}h-${(cell - gap).toFixed(2)}z`;
      }));
      const cursor = s("rect", { class: "cursor", width: Math.max(cell - gap, 2), height: row - 2, visibility: "hidden" });
      const picture_ = canvas(
        width, runs.length * row, label,
        shapes.map((d, level) => d && s("path", { d, class: `cell level-${level}`, "shape-rendering": "crispEdges" })),
        runs.length > 1 && runs.map((r, at) => word(left - 10, at * row + row / 2 + 4, "end", `name ${r === current() ? "shown" : ""}`, cutTo(runName(r), Math.floor(left / 6.8)))),
        cursor,
      );
      const at = (e) => {
        const box = picture_.getBoundingClientRect();
        const c = Math.floor(((e.clientX - box.left) * (width / box.width) - left) / cell);
        const r = Math.floor(((e.clientY - box.top) * (width / box.width)) / row);
        return c >= 0 && c < columns.length && r >= 0 && r < runs.length ? [c, r] : null;
      };
      picture_.setAttribute("data-click", "");
      picture_.addEventListener("pointermove", (e) => {
        const place = at(e);
        cursor.setAttribute("visibility", place ? "visible" : "hidden");
        if (!place) return hideHint();
        cursor.setAttribute("x", left + place[0] * cell);
        cursor.setAttribute("y", place[1] * row + 1);
        const q = columns[place[0]];
        showHint(e.clientX, e.clientY, [QUESTIONS[q].text, runName(runs[place[1]]), words(valueOf(runs[place[1]], q))]);
      });
      picture_.addEventListener("pointerleave", () => { hideHint(); cursor.setAttribute("visibility", "hidden"); });
      picture_.addEventListener("click", (e) => { const place = at(e); if (place) openQuestion(columns[place[0]], RUNS.indexOf(runs[place[1]])); });
      return picture_;
    },
  );
  figure.classList.add("wide");
  return figure;
}

const openButton = (q) => h("button", { type: "button", class: "link", onclick: () => openQuestion(q) }, QUESTIONS[q].id);
