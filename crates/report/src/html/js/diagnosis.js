// The diagnosis: clusters of wrong answers, the upper bound of each fix, and the reruns of a question.
const REPAIRS = ["chunking", "other_leg", "order", "rerank", "fewer_passages", "retrieval", "prompt", "gold"];
const ALPHA = 0.05;

function diagnosisPanel(run) {
  const d = run.diagnosis;
  if (!d || !d.classes.length) return null;
  const used = REPAIRS.filter((r) => d.classes.some((c) => c.ceilings[r]));
  const sum = (count) => d.classes.reduce((total, c) => total + (count(c) || 0), 0);
  const cell = (n) => h("td", { class: "number" }, n ? whole(n) : h("span", { class: "quiet" }, "·"));
  const head = [["", t("class_")], ["number", t("wrong")], ...used.map((r) => ["number", t(`r_${r}`)]), ["", t("tryFirst")]];
  return h(
    "div",
    { class: "panel below diagnosis" },
    h("h3", {}, t("diagnosis")),
    h("p", { class: "quiet" }, t("diagnosisHint")),
    clustersOf(d),
    scrollBox(t("ceilings"), h(
      "table",
      {},
      h("caption", {}, t("ceilings")),
      h("thead", {}, h("tr", {}, head.map(([cls, words]) => h("th", { scope: "col", class: cls }, capital(words))))),
      h("tbody", {}, d.classes.map((c) => h(
        "tr",
        {},
        h("th", { scope: "row" }, h("button", { type: "button", class: "link", title: outcomeMeans(c.class), onclick: () => showQuestions({ outcome: c.class }) }, t(c.class))),
        h("td", { class: "number strong" }, whole(c.wrong)),
        used.map((r) => cell(c.ceilings[r])),
        h("td", {}, c.first ? h("span", { class: "pill none" }, t(`r_${c.first}`)) : "–"),
      )),
        h("tr", { class: "total" },
          h("th", { scope: "row" }, t("all")),
          h("td", { class: "number strong" }, whole(sum((c) => c.wrong))),
          used.map((r) => cell(sum((c) => c.ceilings[r]))),
          h("td", {}))),
    )),
    h("details", { class: "small" }, h("summary", {}, t("repairsMean")),
      h("dl", { class: "pairs" }, used.map((r) => pair(t(`r_${r}`), t(`rw_${r}`))))),
  );
}

function clustersOf(d) {
  const beyond = d.clusters.filter((c) => c.p_holm < ALPHA).length;
  return [
    d.clusters.length > 0 && h("ul", { class: "plain" }, d.clusters.map((c) => h(
      "li",
      { class: c.p_holm < ALPHA ? "bad" : "" },
      h("span", { class: "tag" }, t(c.kind === "tag" ? "tag" : "document_")), " ",
      h("strong", {}, c.name), ` ${t("wrongOf", whole(c.wrong), whole(c.questions))}`,
      h("small", {}, ` p ${probability(c.p)}, Holm ${probability(c.p_holm)}`),
    ))),
    h("p", { class: "quiet small" }, t("clustersTested", beyond, d.tested[0], d.tested[1])),
  ];
}

const probability = (p) => (p < 0.0005 ? `< ${fixed(0.001)}` : fixed(p));

/** The reruns of a wrong answer with other contexts. */
function rerunsOf(run, at) {
  const d = run.diagnosis;
  const wrong = d && d.wrong[run.order[at]];
  if (!wrong) return null;
  const question = QUESTIONS[run.order[at]];
  return h(
    "details",
    { class: "others", open: true },
    h("summary", {}, t("reruns"), h("small", {}, `${t("shownBy")} ${t(`pf_${wrong.proof}`)}`)),
    wrong.reruns.length > 0 && scrollBox(t("reruns"), h(
      "table",
      {},
      h("caption", { class: "sr" }, t("reruns")),
      h("thead", {}, h("tr", {}, [t("rerunFrom"), t("outcome"), t("answer"), t("passages")].map((words) => h("th", { scope: "col" }, words)))),
      h("tbody", {}, wrong.reruns.map(([kind, chunks, answer, right, refused]) => h(
        "tr",
        {},
        h("th", { scope: "row" }, t(`rr_${kind}`)),
        h("td", {}, h("span", { class: `pill ${right ? "good" : "bad"}` }, t(right ? "right" : refused ? "refusal" : "wrong"))),
        h("td", { lang: question.lang }, answer),
        h("td", {}, h("small", {}, chunks.map(chunkId).join(", "))),
      ))),
    )),
    wrong.repairs.length > 0 && h("p", { class: "small" }, `${t("couldWin")}: `, wrong.repairs.map((r, i) => [i > 0 && ", ", t(`r_${r}`)])),
  );
}
