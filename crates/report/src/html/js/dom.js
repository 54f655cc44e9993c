// Elements are created only here, and text enters them only as text nodes.
const SVG_NS = "http://www.w3.org/2000/svg";

function fill(node, attrs, children) {
  for (const [name, value] of Object.entries(attrs || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "class") node.setAttribute("class", value);
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  append(node, children);
  return node;
}

function append(node, children) {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    if (Array.isArray(child)) append(node, child);
    else node.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
}

function h(tag, attrs, ...children) {
  return fill(document.createElement(tag), attrs, children);
}

function s(tag, attrs, ...children) {
  return fill(document.createElementNS(SVG_NS, tag), attrs, children);
}

/** A name that may wrap after its underscores. */
const breakable = (name) => name.split("_").flatMap((part, at) => (at ? ["_", h("wbr"), part] : [part]));

/** A select with its label; `options` are [value, words] or [group, [options]]. */
function choice(label, options, value, onchange) {
  const option = ([v, words]) => h("option", { value: v, selected: String(v) === String(value) }, words);
  const select = h(
    "select",
    { onchange: (e) => onchange(e.target.value) },
    options.map((o) => (Array.isArray(o[1]) ? h("optgroup", { label: o[0] }, o[1].map(option)) : option(o))),
  );
  return h("label", { class: "field" }, h("span", {}, label), select);
}

/** Buttons of which exactly one is pressed. */
function segmented(label, options, value, onchange) {
  return h(
    "div",
    { class: "segmented", role: "group", "aria-label": label },
    options.map(([v, words, title]) =>
      h("button", { type: "button", "aria-pressed": String(v === value), title, "aria-label": title, "data-value": v, onclick: () => onchange(v) }, words),
    ),
  );
}

/** A box that scrolls sideways, also by keyboard. */
const scrollBox = (label, ...children) => h("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": label }, children);

/** The figures of a chart as a table, for screen readers and for copying. */
function dataTable(caption, head, rows) {
  return h(
    "details",
    { class: "figures" },
    h("summary", {}, t("figures")),
    scrollBox(caption, h(
      "table",
      {},
      h("caption", { class: "sr" }, caption),
      h("thead", {}, h("tr", {}, head.map((c) => h("th", { scope: "col" }, c)))),
      h("tbody", {}, rows.map((r) => h("tr", {}, r.map((c, i) => h(i ? "td" : "th", i ? {} : { scope: "row" }, c))))),
    )),
  );
}

// One tooltip for all charts. It only repeats what the table of the chart contains.
let bubble = null;

function hint(node, words) {
  node.addEventListener("pointermove", (e) => showHint(e.clientX, e.clientY, words()));
  node.addEventListener("pointerleave", hideHint);
  return node;
}

function showHint(x, y, words) {
  if (!words) return hideHint();
  if (!bubble) document.body.append((bubble = h("div", { class: "bubble", "aria-hidden": "true" })));
  bubble.replaceChildren(...[].concat(words).map((line) => h("div", {}, line)));
  bubble.hidden = false;
  const box = bubble.getBoundingClientRect();
  const left = Math.min(x + 14, innerWidth - box.width - 8);
  const top = y + 18 + box.height > innerHeight ? y - box.height - 10 : y + 18;
  bubble.setAttribute("style", `left:${Math.max(8, left)}px;top:${top}px`);
}

function hideHint() {
  if (bubble) bubble.hidden = true;
}

/** Builds a part after the first paint, or earlier on its "build" event. */
function later(node, build) {
  let done = false;
  const run = () => {
    if (done) return;
    done = true;
    node.replaceChildren(...build().filter(Boolean));
  };
  node.addEventListener("build", run);
  requestAnimationFrame(() => setTimeout(run));
  return node;
}

const build = (node) => node.dispatchEvent(new Event("build"));
