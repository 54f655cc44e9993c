// The inputs and settings of a run, and the commands that reproduce it.

function provenanceSection() {
  const run = current();
  const m = run.manifest;
  return h(
    "section",
    { id: "provenance", "aria-labelledby": "provenance-title" },
    h("h2", { id: "provenance-title" }, t("provenance")),
    h("div", { class: "columns" },
      h("div", { class: "panel" }, h("h3", {}, t("system_")), pairs(runFacts(run))),
      h("div", { class: "panel" }, h("h3", {}, t("manifest")), pairs(manifestFacts(m)), h("details", { class: "small" }, h("summary", {}, t("files")), pairs(digests(run), true))),
    ),
    !m.system && h("div", { class: "panel below" }, h("h3", {}, t("rerun")), h("p", { class: "quiet" }, t("rerunHint")), code(commands(run)), h("h4", {}, "fiel.toml"), code(toml(m.settings))),
    h("p", { class: "quiet small made" }, t("madeBy")),
  );
}

const pairs = (list, mono) => h("dl", { class: `pairs ${mono ? "mono" : ""}` }, list.filter((p) => p && p[1] !== null && p[1] !== undefined && p[1] !== "").map(([name, words]) => (mono ? h("div", {}, h("dt", {}, name), h("dd", {}, words)) : pair(name, words))));

function runFacts(run) {
  const x = run.timing;
  const git = x.git ? x.git.replace(/-dirty$/, "") : null;
  const tokens = Object.entries(run.tokens).map(([mode, k]) => `${t(mode)}: ${t("tokens", whole(k.prompt / Math.max(1, k.questions)), fixed(k.answer / Math.max(1, k.questions), 1))}`);
  const errors = Object.entries(run.errors).map(([words, n]) => `${n} × ${words}`);
  const loss = run.dense_loss;
  const split = run.split;
  return [
    [t("run"), x.run],
    [t("started"), when(x.started)],
    [t("seconds"), `${fixed(x.seconds, 1)} s`],
    [t("machine"), x.machine],
    [t("threads"), whole(x.threads)],
    [t("memory"), x.peak_memory ? `${fixed(x.peak_memory / 2 ** 30, 2)} GiB` : null],
    [t("cachedAnswers"), x.cached_answers + x.fresh_answers ? `${whole(x.cached_answers)} / ${whole(x.fresh_answers)}` : null],
    [t("commit"), git ? `${git}${git !== x.git ? ` (${t("dirty")})` : ""}` : null],
    tokens.length ? [t("tokensBy"), tokens.map((words) => h("div", {}, words))] : null,
    run.cost && run.cost.per_month ? [t("cost"), `${fixed(run.cost.per_month, 2)} ${t("perMonth", whole(run.cost.questions_per_month))}`] : null,
    split ? [t("claimsBy"), t("splitBy", split.model, whole(split.tokens), whole(split.refused), whole(split.sentences))] : null,
    loss ? [t("denseLoss"), t("lossOf", fixed(loss.overlap_at_10), signed(loss.hit_at_5), signed(loss.ndcg_at_10))] : null,
    [t("errors"), errors.length ? errors.map((words) => h("div", {}, words)) : "0"],
  ];
}

function manifestFacts(m) {
  return [
    [t("version"), `Fiel ${m.version}`],
    [t("otherSystem"), m.system],
    [t("knowledgeBase"), `${m.kb} (${t("nDocuments", m.documents)}, ${t("nPassages", m.chunks)})`],
    [t("goldSet"), `${m.gold}, ${m.questions}`],
    [t("modes"), m.modes.map((mode) => t(mode)).join(", ")],
    [t("embedder"), m.embedder],
    [t("reader"), m.reader],
    [t("device"), m.device_class],
    [t("claimUnit"), m.claim_unit],
    [t("distractors"), m.distractors ? whole(m.distractors) : null],
    [t("key"), h("code", {}, m.key.slice(0, 16))],
  ];
}

function digests(run) {
  const m = run.manifest;
  const names = ["key", "kb_sha256", "gold_sha256", "chunks_sha256", "index_sha256", "embedder_sha256", "reader_sha256", "prompts_sha256", "settings_sha256"];
  return [...names.map((name) => [name, m[name]]), ["records_sha256", run.records_sha256]];
}

/** A shell argument, quoted if needed. */
const quoted = (words) => (/^[\w./:@%+=,-]+$/.test(words) ? words : `'${words.replace(/'/g, "'\\''")}'`);

function commands(run) {
  const m = run.manifest;
  const git = run.timing.git ? run.timing.git.replace(/-dirty$/, "") : null;
  const [split, ...rest] = m.questions.split(", ");
  const flags = ["fiel eval", "--config fiel.toml", `--kb ${quoted(m.kb)}`, `--gold ${quoted(m.gold)}`, `--split ${quoted(split)}`];
  for (const part of rest) {
    const [flag, ...words] = part.split(" ");
    if (flag === "only" || flag === "limit") flags.push(`--${flag} ${quoted(words.join(" "))}`);
  }
  flags.push(`--modes ${quoted(m.modes.join(","))}`);
  const dirty = git && git !== run.timing.git ? `  # ${t("dirty")}` : "";
  return `${git ? `git checkout ${git}${dirty}\n` : ""}${flags.join(" ")}`;
}

/** Settings in the syntax of fiel.toml. */
function toml(settings) {
  const key = (name) => (/^[\w-]+$/.test(name) ? name : JSON.stringify(name));
  const plain = (v) => (Array.isArray(v) ? `[${v.map(plain).join(", ")}]` : JSON.stringify(v));
  const isTable = (v) => v !== null && typeof v === "object" && !Array.isArray(v);
  const lines = [];
  const walk = (table, name) => {
    const entries = Object.entries(table).filter(([, v]) => v !== null);
    const own = entries.filter(([, v]) => !isTable(v));
    if (name && own.length) lines.push(`${lines.length ? "\n" : ""}[${name}]`);
    for (const [k, v] of own) lines.push(`${key(k)} = ${plain(v)}`);
    for (const [k, v] of entries) if (isTable(v)) walk(v, name ? `${name}.${key(k)}` : key(k));
  };
  if (isTable(settings)) walk(settings, "");
  return lines.join("\n");
}

function code(words) {
  const button = h("button", { type: "button", class: "copy" }, t("copy"));
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(words);
      button.textContent = t("copied");
    } catch {
      getSelection().selectAllChildren(pre);
    }
  });
  const pre = h("pre", { tabindex: "0" }, words);
  return h("div", { class: "code" }, pre, button);
}
