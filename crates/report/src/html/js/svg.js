// Building blocks of the charts: plain SVG in the width of its container.

/** A figure that draws its chart at the current width, and again when the width changes. */
function picture({ title, caption, label, controls, table, legend }, draw) {
  const frame = h("div", { class: "frame" });
  let width = 0;
  const redraw = () => {
    const now = Math.round(frame.clientWidth);
    if (!now || now === width) return;
    width = now;
    frame.replaceChildren(draw(now, label || title));
  };
  // Printing does not wait for the next frame, in which the observer would fire.
  frame.addEventListener("build", redraw);
  if ("ResizeObserver" in window) new ResizeObserver(redraw).observe(frame);
  return h(
    "figure",
    {},
    h("figcaption", {}, h("h3", {}, title), caption && h("p", {}, caption)),
    controls && h("div", { class: "controls" }, controls),
    legend,
    frame,
    table,
  );
}

function canvas(width, height, label, ...children) {
  return s("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": label }, ...children);
}

const linear = (d0, d1, r0, r1) => (x) => r0 + ((x - d0) / (d1 - d0 || 1)) * (r1 - r0);
const word = (x, y, anchor, cls, ...words) => s("text", { x, y, "text-anchor": anchor, class: cls }, ...words);
const stroke = (x1, y1, x2, y2, cls) => s("line", { x1, y1, x2, y2, class: cls });
const path = (points, cls) => s("path", { d: "M" + points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L"), class: cls });

/** Round values that cover a range. */
function steps(low, high, count = 5) {
  const raw = (high - low) / count || 1;
  const power = 10 ** Math.floor(Math.log10(raw));
  const sizes = [0.5, 1, 2, 2.5, 5, 10].map((m) => m * power);
  const of = (step) => {
    const out = [];
    for (let i = Math.ceil(low / step - 1e-9); i * step <= high + step * 1e-9; i += 1) out.push(i * step + 0);
    return out;
  };
  const at = sizes.findIndex((m) => m >= raw);
  const out = of(sizes[at]);
  return out.length < 3 && at > 0 ? of(sizes[at - 1]) : out;
}

const decimals = (ticks) => Math.max(0, ...ticks.map((x) => (String(+x.toFixed(4)).split(".")[1] || "").length));

/** Grid lines and labels of a horizontal axis. */
function xAxis(ticks, x, top, bottom, write = (v) => fixed(v, decimals(ticks))) {
  return ticks.map((v) => [stroke(x(v), top, x(v), bottom, "grid"), word(x(v), bottom + 16, "middle", "tick", write(v))]);
}

function yAxis(ticks, y, left, right, write = (v) => fixed(v, decimals(ticks))) {
  return ticks.map((v) => [stroke(left, y(v), right, y(v), "grid"), word(left - 8, y(v) + 4, "end", "tick", write(v))]);
}

/** A mean with its interval. */
function whisker(x, y, mean, low, high, cls) {
  return s(
    "g",
    { class: `whisker ${cls}` },
    low !== null && [
      stroke(x(low), y, x(high), y, "bar"),
      stroke(x(low), y - 4, x(low), y + 4, "bar"),
      stroke(x(high), y - 4, x(high), y + 4, "bar"),
    ],
    s("circle", { cx: x(mean), cy: y, r: 4.5 }),
  );
}

/** One mean with its interval per row, with the name on the left and the figure on the right. */
function whiskerRows(width, label, rows, { domain, zero, line, row = 26, name = 0.34, figures = 128 }) {
  const left = Math.min(Math.max(96, width * name), 230);
  const right = width - (width < 420 ? 8 : figures);
  const top = 6;
  const bottom = top + rows.length * row + 4;
  const x = linear(domain[0], domain[1], left, right);
  const ticks = steps(domain[0], domain[1], Math.max(2, Math.floor((right - left) / 70)));
  const room = Math.floor((left - 8) / 6.6);
  const cut = (text) => (text.length > room ? text.slice(0, room - 1) + "…" : text);
  return canvas(
    width,
    bottom + 24,
    label,
    xAxis(ticks, x, top, bottom),
    zero && stroke(x(0), top, x(0), bottom, "zero"),
    line !== undefined && line !== null && stroke(x(line), top, x(line), bottom, "level"),
    rows.map((r, at) => {
      const y = top + at * row + row / 2 + 2;
      const group = s(
        "g",
        { class: `row ${r.cls || ""}` },
        s("rect", { x: 0, y: y - row / 2, width, height: row, class: "touch" }),
        word(left - 10, y + 4, "end", "name", cut(r.name)),
        r.mean !== null && whisker(x, y, r.mean, r.low, r.high, r.cls || ""),
        r.tick !== undefined && r.tick !== null && stroke(x(r.tick), y - 8, x(r.tick), y + 8, "target"),
        width >= 420 && word(width, y + 4, "end", "figure", r.figure),
      );
      if (r.onclick) {
        group.setAttribute("data-click", "");
        group.addEventListener("click", r.onclick);
      }
      return hint(group, () => r.hint || [r.name, r.figure]);
    }),
  );
}

/** The legend of a chart; `marks` are pairs of CSS class and text. */
function legendOf(marks) {
  return h("ul", { class: "legend" }, marks.map(([cls, words]) => h("li", {}, h("span", { class: `key ${cls}`, "aria-hidden": "true" }), words)));
}
