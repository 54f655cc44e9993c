// The frame of the page, and the reactions to its controls.

const SECTIONS = { overview, runs: runsSection, measures: measuresSection, pictures: picturesSection, questions: questionsSection, provenance: provenanceSection };
const made = {};

function stored(name, value) {
  // A browser may deny storage to a page that is opened from disk.
  try {
    if (value === undefined) return localStorage.getItem(`fiel.${name}`);
    localStorage.setItem(`fiel.${name}`, value);
  } catch {
    // The choice then lasts until the page is closed.
  }
  return null;
}

function setTheme(theme) {
  state.theme = theme;
  if (theme === "system") document.documentElement.removeAttribute("data-theme");
  else document.documentElement.setAttribute("data-theme", theme);
}

function topBar() {
  return h(
    "header",
    { class: "top" },
    h("div", { class: "bar" },
      h("a", { class: "brand", href: "#overview" }, mark(), "Fiel"),
      h("nav", { "aria-label": t("overview") }, Object.keys(SECTIONS).map((id) => h("a", { href: `#${id}` }, t(id)))),
      h("div", { class: "switches" },
        segmented(t("language"), [["en", "EN", "English"], ["es", "ES", "Español"]], state.lang, (lang) => { state.lang = lang; document.documentElement.lang = lang; render(`[data-value="${lang}"]`); }),
        segmented(t("theme"), [["system", "◐", t("system")], ["light", "☀", t("light")], ["dark", "☾", t("dark")]], state.theme, (theme) => {
          setTheme(theme);
          stored("theme", theme);
          for (const b of document.querySelectorAll(".switches [data-value]")) if (["system", "light", "dark"].includes(b.dataset.value)) b.setAttribute("aria-pressed", String(b.dataset.value === theme));
        })),
    ),
  );
}

/** The logo: a pair of scales. */
function mark() {
  return s("svg", { viewBox: "0 0 24 24", class: "logo", "aria-hidden": "true" },
    s("path", { d: "M12 3v17M6 20h12M4 8h16", class: "beam" }), s("path", { d: "M12 2.5l2.2 6h-4.4z", class: "needle" }), s("path", { d: "M4 8l-2.5 6h5zM20 8l-2.5 6h5z", class: "pans" }));
}

function heading() {
  const run = current();
  const title = DATA.title || t("evaluationOf", run.manifest.gold, run.manifest.questions);
  return h(
    "div",
    { class: "heading" },
    h("div", {}, h("h1", {}, title), h("p", { class: "quiet" }, runName(run) === shortId(run.timing.run) ? run.timing.run : `${runName(run)} · ${run.timing.run}`)),
    RUNS.length > 1 && choice(t("run"), RUNS.map((r, at) => [at, runLabel(r)]), state.run, (at) => chooseRun(Number(at))),
  );
}

const runLabel = (run) => (run.label ? `${run.label} (${shortId(run.timing.run)})` : `${shortId(run.timing.run)} · ${run.manifest.system || run.manifest.reader || t("retrieval")}`);

function render(focus) {
  const top = scrollY;
  hideHint();
  for (const [id, make] of Object.entries(SECTIONS)) made[id] = make();
  document.getElementById("app").replaceChildren(
    h("a", { class: "skip", href: "#main" }, t("skip")),
    topBar(),
    h("main", { id: "main", tabindex: "-1" }, heading(), Object.values(made)),
  );
  scrollTo(0, top);
  const node = focus && document.querySelector(focus);
  if (node) node.focus({ preventScroll: true });
}

/** Builds one section again and keeps the keyboard focus. */
function redraw(id, focus) {
  const old = made[id];
  const inside = document.activeElement && old.contains(document.activeElement) ? document.activeElement : null;
  const path_ = inside && [...old.querySelectorAll("button, select, input, summary, a")].indexOf(inside);
  hideHint();
  made[id] = SECTIONS[id]();
  old.replaceWith(made[id]);
  if (id === "pictures") buildPictures();
  const node = focus ? made[id].querySelector(focus) || document.querySelector(focus) : path_ !== null && path_ >= 0 ? made[id].querySelectorAll("button, select, input, summary, a")[path_] : null;
  if (node) node.focus({ preventScroll: true });
}

function chooseRun(at) {
  state.run = at;
  if (!current().comparison) state.filter.flipped = "";
  render();
}

function showQuestions(filter) {
  state.filter = { ...NO_FILTER, ...filter };
  redraw("questions");
  made.questions.scrollIntoView({ block: "start" });
  made.questions.querySelector("select[name=outcome]").focus({ preventScroll: true });
}

/** Opens a question, optionally of another run; clears the filters if they hide it. */
function openQuestion(q, run = state.run) {
  hideHint();
  if (run !== state.run) chooseRun(run);
  const at = current().place.get(q);
  if (at === undefined) return;
  let row = made.questions.reach(at);
  if (!row) {
    state.filter = { ...NO_FILTER };
    redraw("questions");
    row = made.questions.reach(at);
  }
  const box = row.querySelector("details");
  box.open = true;
  box.querySelector("summary").focus({ preventScroll: true });
  // The "toggle" event fills the row; scroll after it.
  setTimeout(() => box.scrollIntoView({ block: "start" }));
}

const buildPictures = () => build(made.pictures.querySelector(".pictures"));

function openFromAddress() {
  const id = decodeURIComponent(location.hash.slice(1));
  if (!id.startsWith("q-")) return;
  const q = QUESTIONS.findIndex((x) => x.id === id.slice(2));
  if (q < 0) return;
  // The charts above must have their height before the window scrolls.
  buildPictures();
  openQuestion(q);
}

if (DATA && RUNS.length) {
  const theme = stored("theme");
  if (["light", "dark"].includes(theme)) setTheme(theme);
  render();
  openFromAddress();
  addEventListener("hashchange", openFromAddress);
  addEventListener("beforeprint", () => {
    buildPictures();
    document.querySelectorAll(".frame").forEach(build);
  });
}
