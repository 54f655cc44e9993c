// The questions of the current run: filters, and rows that are created when they are needed.

const PAGE = 60;

function questionsSection() {
  const list = h("ol", { class: "questions" });
  const count = h("p", { class: "count", role: "status", "aria-live": "polite" });
  const more = h("button", { type: "button", class: "more" });
  const section = h(
    "section",
    { id: "questions", "aria-labelledby": "questions-title" },
    h("h2", { id: "questions-title" }, t("questions")),
    filterBar(() => update()),
    count,
    list,
    more,
  );
  let chosen = [];
  const add = (n = PAGE) => {
    const made = list.childElementCount;
    list.append(...chosen.slice(made, made + n).map((at) => questionRow(current(), at)));
    const left = chosen.length - list.childElementCount;
    more.hidden = left <= 0;
    more.textContent = t("more", Math.min(PAGE, left));
  };
  const update = () => {
    const run = current();
    chosen = run.order.map((_, at) => at).filter(matcher(run));
    list.replaceChildren();
    count.textContent = chosen.length ? t("shownOf", whole(chosen.length), whole(run.order.length)) : t("noneFit");
    add();
  };
  more.addEventListener("click", () => {
    const made = list.childElementCount;
    add();
    const next = list.children[made];
    if (next) next.querySelector("summary").focus();
  });
  section.update = update;
  /** Creates rows up to that of a question; returns null if the filters hide it. */
  section.reach = (at) => {
    const place = chosen.indexOf(at);
    if (place < 0) return null;
    if (place >= list.childElementCount) add(place - list.childElementCount + 1);
    return list.children[place];
  };
  update();
  return section;
}

function filterBar(update) {
  const run = current();
  const f = state.filter;
  const set = (name) => (v) => { f[name] = v; update(); };
  const results = new Map();
  run.order.forEach((_, at) => results.set(outcome(run, at), (results.get(outcome(run, at)) || 0) + 1));
  const order = ["right", "foundIt", "wrong", ...CLASSES, "refusedRight", "falseAnswer", "notRead"];
  const options = order.filter((o) => results.has(o)).map((o) => [o, `${t(o)} (${results.get(o)})`]);
  const wrong = run.order.filter((_, at) => !isGood(outcome(run, at)) && outcome(run, at) !== "notRead").length;
  const search = h("input", { type: "search", value: f.text, placeholder: t("searchHint"), oninput: (e) => { f.text = e.target.value; update(); } });
  return h(
    "form",
    { class: "controls filters", role: "search", "aria-label": t("questions"), onsubmit: (e) => e.preventDefault() },
    h("label", { class: "field grow" }, h("span", {}, t("search")), search),
    named("outcome", choice(t("outcome"), [["", t("any")], ["!", `${t("wrongAll")} (${wrong})`], ...options], f.outcome, set("outcome"))),
    named("tag", choice(t("tag"), [["", t("any")], ...tagOptions(run)], f.tag, set("tag"))),
    run.values["e2e.faithfulness_strict"] && named("below", choice(
      t("faithBelow"),
      [["", "–"], ...[0.5, 0.7, 1].flatMap((x) => [[`strict ${x}`, `${fixed(x, 2)} ${t("strict")}`], [`loose ${x}`, `${fixed(x, 2)} ${t("loose")}`]])],
      f.below, set("below"),
    )),
    run.comparison && named("flipped", choice(t("flipped"), [["", t("any")], ["either", t("anyChange")], ["better", t("better")], ["worse", t("worse")]], f.flipped, set("flipped"))),
    run.e2e.some((r) => r !== null) && h("label", { class: "check" }, h("input", { type: "checkbox", checked: f.abstained, onchange: (e) => { f.abstained = e.target.checked; update(); } }), t("abstained")),
    h("button", { type: "button", class: "quiet-button", onclick: () => { state.filter = { ...NO_FILTER }; redraw("questions", "#questions input[type=search]"); } }, t("clear")),
  );
}

function named(name, label) {
  label.querySelector("select").setAttribute("name", name);
  return label;
}

function tagOptions(run) {
  const counts = new Map();
  for (const q of run.order) for (const tag of QUESTIONS[q].tags) counts.set(tag, (counts.get(tag) || 0) + 1);
  return [...counts.keys()].sort().map((tag) => [tag, `${tag} (${counts.get(tag)})`]);
}

function matcher(run) {
  const f = state.filter;
  const words = fold(f.text).split(/\s+/).filter(Boolean);
  const [kind, below] = f.below.split(" ");
  return (at) => {
    const q = run.order[at];
    const question = QUESTIONS[q];
    const result = outcome(run, at);
    if (f.outcome === "!" ? isGood(result) || result === "notRead" : f.outcome && result !== f.outcome) return false;
    if (f.tag && !question.tags.includes(f.tag)) return false;
    if (below) {
      const v = score(run, `e2e.faithfulness_${kind}`, at);
      if (v === null || v >= Number(below)) return false;
    }
    const flips = run.flips.get(q) || [];
    if (f.flipped && !flips.some(({ better }) => f.flipped === "either" || better === (f.flipped === "better"))) return false;
    const reading = readingOf(run, "e2e", at);
    if (f.abstained && !(reading && reading.abstained)) return false;
    if (words.length) {
      const hay = fold([question.id, question.text, ...question.references, reading ? reading.answer : "", ...question.tags].join(" "));
      if (!words.every((w) => hay.includes(w))) return false;
    }
    return true;
  };
}

/** Removes accents and case, so that "cancion" finds "Canción". */
const fold = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

function questionRow(run, at) {
  const q = run.order[at];
  const question = QUESTIONS[q];
  const result = outcome(run, at);
  const cls = isGood(result) ? "good" : result === "notRead" ? "none" : "bad";
  const f1 = value(run, "e2e.F1", at);
  const first = foundIn(run, at);
  const flips = (run.flips.get(q) || []).filter(({ mode }) => mode === (run.e2e[at] === null ? "retrieval" : "e2e"));
  const row = h("details", { id: `q-${question.id}`, "data-question": q });
  const summary = h(
    "summary",
    {},
    h("span", { class: `dot-mark ${cls}`, "aria-hidden": "true" }, { good: "✓", bad: "✗", none: "–" }[cls]),
    h("span", { class: "asked" }, h("span", { lang: question.lang }, question.text), h("small", {}, question.id)),
    h("span", { class: "row-facts" },
      flips.map(({ better }) => h("span", { class: `pill ${better ? "good" : "bad"}` }, better ? "▲ " : "▼ ", t(better ? "better" : "worse"))),
      h("span", { class: `pill ${cls}`, title: outcomeMeans(result) }, t(result)),
      typeof f1 === "number" && h("span", { class: "fact", title: definition("e2e.F1") }, h("small", {}, "F1"), fixed(f1, 2)),
      question.groups > 0 && h("span", { class: "fact", title: t("firstHit") }, h("small", {}, t("rank")), first || "–")),
  );
  row.append(summary);
  row.addEventListener("toggle", () => {
    if (row.open && row.childElementCount === 1) row.append(detail(run, at));
  });
  return h("li", {}, row);
}
