// One question: the expected answer, the answers, their contexts and the retrieved passages.

function detail(run, at) {
  const q = run.order[at];
  const question = QUESTIONS[q];
  const modes = ["e2e", "oracle"].filter((m) => readingOf(run, m, at));
  return h(
    "div",
    { class: "detail" },
    h("div", { class: "wanted" },
      h("h3", {}, t("wanted")),
      question.unanswerable
        ? h("p", {}, t("noAnswerInBase"))
        : h("p", { lang: question.lang }, question.references.map((ref, i) => [i > 0 && h("span", { class: "quiet" }, ` ${t("alternatives")} `), h("q", {}, ref)])),
      evidenceOf(question),
      h("p", { class: "tags" }, [question.split, question.lang, ...question.tags].map((tag) => h("span", { class: "tag" }, tag)), marksOf(run, at)),
    ),
    run.failures[at] && h("p", { class: "note" }, `${t("failedWith")}: ${run.failures[at]}`),
    h("div", { class: "readings" }, modes.map((mode) => readingPanel(run, at, mode))),
    rerunsOf(run, at),
    hitsTable(run, at),
    RUNS.length > 1 && otherRuns(run, q),
    h("p", { class: "times quiet small" }, timesOf(run, at), h("a", { href: `#q-${question.id}` }, t("link"))),
  );
}

function evidenceOf(question) {
  if (!question.evidence.length) return null;
  return h("ul", { class: "evidence" }, question.evidence.map((e) => h(
    "li",
    {},
    e.quote ? h("q", {}, e.quote) : h("span", {}, t("wholeDocument")),
    h("small", {}, e.doc, e.grade !== undefined ? ` · ${e.grade}` : ""),
  )));
}

const marksOf = (run, at) => MARKS.filter((_, bit) => run.marks[at] & (1 << bit)).map((m) => h("span", { class: "tag mark-tag", title: t(`mark_${m}`) }, t(m)));

/** CSS class and text of the verdict on an answer. */
function verdictWords(question, reading) {
  if (question.unanswerable) return reading.abstained ? ["good", t("refusedRight")] : ["bad", t("falseAnswer")];
  if (reading.abstained) return ["bad", t("refusal")];
  return reading.right ? ["good", t("right")] : ["bad", t("wrong")];
}

const valueList = (run, at, columns, name = nameOf) =>
  h("dl", { class: "values" }, columns.map((c) => h("div", { title: definition(c) }, h("dt", {}, name(c)), h("dd", {}, written(value(run, c, at))))));

function readingPanel(run, at, mode) {
  const question = QUESTIONS[run.order[at]];
  const reading = readingOf(run, mode, at);
  const [cls, verdict] = verdictWords(question, reading);
  const key = `${question.id}-${mode}`;
  const cause = mode === "e2e" && run.class[at] !== null ? CLASSES[run.class[at]] : null;
  const columns = COLUMNS.filter((c) => modeOf(c) === mode && value(run, c, at) !== null);
  return h(
    "div",
    { class: "reading" },
    h("h3", { title: t(`mode_${mode}`) }, t(mode), h("span", { class: `pill ${cls}` }, verdict), cause && h("span", { class: "quiet small" }, `${t(cause)}: ${t(`cw_${cause}`)}`)),
    reading.error && h("p", { class: "note" }, `${t("failedWith")}: ${reading.error}`),
    h("p", { class: "answer", lang: question.lang }, reading.answer ? answerParts(reading, key) : h("span", { class: "quiet" }, t("emptyAnswer"))),
    reading.echo && h("p", {}, h("small", {}, t("saidFirst", reading.echo))),
    reading.claims.length > 0 && h("ul", { class: "claims", "aria-label": t("claims") }, reading.claims.map((claim) => claimLine(reading, claim, key))),
    valueList(run, at, columns),
    h("ol", { class: "context" }, reading.passages.map((chunk, place) => h(
      "li",
      { id: `p-${key}-${reading.ids[place]}`, tabindex: "-1" },
      h("span", { class: "cite" }, `[${reading.ids[place]}]`),
      h("div", {}, h("small", {}, chunkId(chunk), holdsEvidence(question, run, at, chunk) && h("span", { class: "pill good" }, t("findsEvidence"))), passageText(question, chunk)),
    ))),
    reading.dropped.length > 0 && h("p", { class: "small quiet" }, `${t("dropped")}: ${reading.dropped.map(chunkId).join(", ")}`),
    reading.prompt.length > 0 && h(
      "details",
      { class: "prompt" },
      h("summary", {}, t("prompt"), h("small", {}, t("tokens", whole(reading.tokens.prompt), whole(reading.tokens.answer)))),
      h("pre", { tabindex: "0" }, reading.prompt.map((i) => DATA.strings[i]).join("")),
    ),
  );
}

const support = (claim) => (claim.strict ? "strict-claim" : claim.loose ? "loose-claim" : "bad-claim");

/** The answer, cut at its claims and citations. */
function answerParts(reading, key) {
  const claim = (c) => ({ start: c.start, end: c.end, make: (words) => h("span", { class: `claim ${support(c)}`, title: claimWords(c) }, words) });
  const marker = (m) => ({ start: m.start, end: m.end, make: () => m.ids.map((id) => citation(reading, id, key)) });
  const cuts = [...reading.claims.filter((c) => c.start !== null).map(claim), ...reading.markers.map(marker)].sort((a, b) => a.start - b.start);
  const out = [];
  let done = 0;
  for (const { start, end, make } of cuts) {
    // A claim that contains markers is underlined up to the first of them.
    if (start < done) continue;
    const next = cuts.find((other) => other.start > start && other.start < end);
    const stop = next ? next.start : end;
    out.push(reading.answer.slice(done, start), make(reading.answer.slice(start, stop)));
    done = stop;
  }
  out.push(reading.answer.slice(done));
  return out;
}

function citation(reading, id, key) {
  if (!reading.ids.includes(id)) return h("span", { class: "cite unknown", title: t("citesUnknown") }, `[${id}]`);
  const target = `p-${key}-${id}`;
  return h("a", {
    class: "cite", href: `#${target}`, "aria-label": `${t("passage")} ${id}`,
    onclick: (e) => { e.preventDefault(); flash(document.getElementById(target)); },
  }, `[${id}]`);
}

function flash(node) {
  if (!node) return;
  node.focus({ preventScroll: true });
  node.scrollIntoView({ block: "nearest", behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth" });
  node.classList.remove("flash");
  void node.offsetWidth;
  node.classList.add("flash");
}

function claimWords(claim) {
  if (claim.strict) return t("claimOk");
  if (claim.loose) return t(claim.cites.length ? "claimLoose" : "claimUncited");
  return (state.lang === "es" && ES_REASONS[claim.reason]) || claim.reason || t("claimBad");
}

function claimLine(reading, claim, key) {
  const words = claim.start === null ? claim.text : reading.answer.slice(claim.start, claim.end);
  return h(
    "li",
    { class: support(claim) },
    h("span", { class: "claim-mark", "aria-hidden": "true" }, claim.strict ? "✓" : claim.loose ? "~" : "✗"),
    h("span", {}, h("span", { class: "claim-text" }, words), " ", claim.cites.map((id) => citation(reading, id, key)),
      h("small", {}, `${claimWords(claim)}; ${t("wordsIn", percent(claim.share))}`)),
  );
}

function holdsEvidence(question, run, at, chunk) {
  return run.evidence[at].includes(chunk) || hitsOf(run, at).some((hit) => hit.chunk === chunk && hit.finds.length);
}

/** Heading and text of a passage with its evidence marked. */
function passageText(question, chunk) {
  const text = textOf(chunk);
  if (text === null) return h("p", { class: "quiet" }, t("noText"));
  const places = question.marks[chunk] || [];
  const pairs = [];
  for (let i = 0; i < places.length; i += 2) pairs.push([places[i], places[i + 1]]);
  pairs.sort((a, b) => a[0] - b[0]);
  const out = [];
  let done = 0;
  for (const [start, end] of pairs) {
    if (end <= done) continue;
    const from = Math.max(start, done);
    out.push(text.slice(done, from), h("mark", {}, text.slice(from, end)));
    done = end;
  }
  out.push(text.slice(done));
  return h("p", { class: "passage" }, out);
}

function hitsTable(run, at) {
  const question = QUESTIONS[run.order[at]];
  const hits = hitsOf(run, at);
  const reading = readingOf(run, "e2e", at);
  const readAs = new Map((reading ? reading.passages : []).map((chunk, place) => [chunk, reading.ids[place]]));
  const missed = run.evidence[at].filter((chunk) => !hits.some((hit) => hit.chunk === chunk));
  if (!hits.length && !missed.length) return null;
  const used = run.lists.map((_, list) => list).filter((list) => hits.some((hit) => hit.lists[list].rank));
  const rankCell = ({ rank, score: points }) => h("td", { class: "number" }, rank ? [rank, h("small", {}, fixed(points, points < 10 ? 3 : 1))] : h("span", { class: "quiet" }, "–"));
  const row = (hit, i) => h(
    "tr",
    { class: hit.finds.length ? "finds" : "" },
    h("td", { class: "number strong" }, i + 1),
    h("td", {},
      h("small", {}, chunkId(hit.chunk),
        hit.finds.length > 0 && h("span", { class: "pill good" }, t("findsEvidence"), question.groups > 1 ? ` ${hit.finds.map((g) => g + 1).join(", ")}` : ""),
        readAs.has(hit.chunk) && h("span", { class: "pill none" }, t("readAs", readAs.get(hit.chunk)))),
      passageText(question, hit.chunk)),
    h("td", { class: "number" }, fixed(hit.score, 4)),
    used.map((list) => rankCell(hit.lists[list])),
  );
  const span = 3 + used.length;
  const values = COLUMNS.filter((c) => modeOf(c) === "retrieval" && value(run, c, at) !== null);
  return h(
    "details",
    { class: "hits", open: !reading || run.class[at] === 1 },
    h("summary", {}, t("found"), h("small", {}, `${whole(hits.length)}${missed.length ? ` · ${t("evidenceMissed").toLowerCase()}: ${missed.length}` : ""}`)),
    valueList(run, at, values, (c) => nameOf(c).replace(/^MRR/, "RR")),
    scrollBox(t("found"), h(
      "table",
      {},
      h("caption", { class: "sr" }, t("found")),
      h("thead", {}, h("tr", {}, [["number", t("rank")], ["", t("passage")], ["number", t("fused")], ...used.map((list) => ["number", t(run.lists[list])])].map(([cls, words]) => h("th", { scope: "col", class: cls }, words)))),
      h("tbody", {}, hits.map(row),
        missed.length > 0 && h("tr", { class: "group" }, h("th", { scope: "rowgroup", colspan: span }, t("evidenceMissed"))),
        missed.map((chunk) => h("tr", { class: "missed" }, h("td", { class: "number bad" }, "✗"), h("td", { colspan: span - 1 }, h("small", {}, chunkId(chunk)), passageText(question, chunk))))),
    )),
  );
}

function otherRuns(run, q) {
  const others = RUNS.filter((r) => r !== run && r.place.has(q));
  if (!others.length) return null;
  return h(
    "details",
    { class: "others" },
    h("summary", {}, t("otherRuns"), h("small", {}, others.length)),
    scrollBox(t("otherRuns"), h(
      "table",
      {},
      h("caption", { class: "sr" }, t("otherRuns")),
      h("thead", {}, h("tr", {}, [t("run"), t("outcome"), t("rank"), "F1", t("answer")].map((words) => h("th", { scope: "col" }, words)))),
      h("tbody", {}, others.map((r) => {
        const at = r.place.get(q);
        const result = outcome(r, at);
        const reading = readingOf(r, "e2e", at);
        return h("tr", {},
          h("th", { scope: "row" }, h("button", { type: "button", class: "link", onclick: () => openQuestion(q, RUNS.indexOf(r)) }, runName(r))),
          h("td", {}, h("span", { class: `pill ${isGood(result) ? "good" : result === "notRead" ? "none" : "bad"}` }, t(result))),
          h("td", { class: "number" }, foundIn(r, at) || "–"),
          h("td", { class: "number" }, written(value(r, "e2e.F1", at))),
          h("td", {}, reading ? reading.answer : "–"));
      })),
    )),
  );
}

function timesOf(run, at) {
  const times = toTimes(run.times[at]);
  if (!times) return "";
  const cached = (v, mode) => (v !== null ? ms(v) : run[mode][at] !== null ? t("cached") : null);
  const parts = [
    [t("embed"), ms(times.embed)], [t("dense"), ms(times.dense)], [t("bm25"), ms(times.bm25)],
    [t("rewrite"), times.rewrite ? ms(times.rewrite) : null], [t("rerank"), times.rerank ? ms(times.rerank) : null],
    [t("oracle"), cached(times.oracle, "oracle")], [t("e2e"), cached(times.e2e, "e2e")],
    [t("judge"), times.judge ? ms(times.judge) : null],
  ].filter(([, time]) => time);
  return `${t("times")}: ${parts.map(([name, v]) => `${name} ${v}`).join(" · ")} · `;
}
