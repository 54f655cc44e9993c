// Tests the HTML report in headless Chromium.
//
//     npm ci && node report.mjs REPORT.html [--out FOLDER] [--large LARGE.html]
//
// REPORT.html must show a run with answers and targets, preferably several runs with comparisons.
// LARGE.html (500 questions × 10 runs, written by the tests of fiel-report) must open within a second.
// The variable CHROMIUM sets the path of the browser.

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const args = process.argv.slice(2);
const option = (name) => {
  const at = args.indexOf(name);
  return at < 0 ? undefined : args.splice(at, 2)[1];
};
const out = resolve(option("--out") || "screenshots");
const large = option("--large");
const [report] = args;
assert(report, "usage: node report.mjs REPORT.html");
mkdirSync(out, { recursive: true });

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM || "/usr/bin/chromium", args: ["--no-sandbox"] });
const complaints = [];

async function open(file, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, colorScheme: "light", ...options });
  const page = await context.newPage();
  page.on("console", (m) => ["error", "warning"].includes(m.type()) && complaints.push(`${m.type()}: ${m.text()}`));
  page.on("pageerror", (e) => complaints.push(`error: ${e.message}`));
  page.on("request", (r) => r.url().startsWith("file:") || complaints.push(`request: ${r.url()}`));
  await page.goto(pathToFileURL(resolve(file)).href);
  return page;
}

const shot = (page, name, fullPage = false) => page.screenshot({ path: join(out, `${name}.png`), fullPage });

/** Scrolls through the page, so that every chart is drawn. */
async function drawAll(page) {
  await page.evaluate(async () => {
    for (let y = 0; y < document.body.scrollHeight; y += 400) {
      scrollTo(0, y);
      await new Promise((done) => setTimeout(done, 30));
    }
    scrollTo(0, 0);
  });
}

const steps = {
  async "targets and charts are shown"() {
    const page = await open(report);
    assert.equal(await page.locator("h1").count(), 1);
    assert((await page.locator(".card").count()) > 0, "no targets");
    await drawAll(page);
    const figures = await page.locator("#pictures figure").count();
    assert(figures >= 5, `${figures} charts`);
    assert.equal(await page.locator("figure svg[role=img][aria-label]").count(), await page.locator("figure .frame").count());
    await shot(page, "light");
    await shot(page, "light-whole", true);
    await page.context().close();
  },

  async "retrieval misses can be filtered, opened, and a citation followed"() {
    const page = await open(report);
    const all = await page.locator("#questions .count").textContent();
    await page.selectOption("select[name=outcome]", "retrieval_miss");
    assert.notEqual(await page.locator("#questions .count").textContent(), all);
    const row = page.locator("#questions > ol > li > details").first();
    for (const pill of await page.locator("#questions > ol > li > details > summary .pill:not(:has-text('▼')):not(:has-text('▲'))").allTextContents()) {
      assert.equal(pill, "retrieval miss");
    }
    await row.locator("> summary").click();
    await row.locator(".reading").first().waitFor();
    assert((await row.locator(".hits tbody tr").count()) > 0, "no passages");
    assert((await row.locator("mark").count()) > 0, "no evidence is marked");
    await page.selectOption("select[name=outcome]", "");
    const cited = page.locator("#questions > ol > li > details");
    let followed = false;
    for (let at = 0; at < Math.min(20, await cited.count()) && !followed; at += 1) {
      await cited.nth(at).locator("> summary").click();
      const link = cited.nth(at).locator(".answer a.cite").first();
      if (await link.count()) {
        const target = (await link.getAttribute("href")).slice(1);
        await link.click();
        assert.equal(await page.evaluate(() => document.activeElement.id), target);
        await page.waitForTimeout(800);
        assert(await page.evaluate((id) => {
          const box = document.getElementById(id).getBoundingClientRect();
          return box.top >= 0 && box.top < innerHeight;
        }, target), "the passage is not in view");
        followed = true;
        await shot(page, "question");
      }
    }
    assert(followed, "no answer cites anything");
    await page.context().close();
  },

  async "runs are sorted by a measure in both directions"() {
    const page = await open(report);
    const head = page.locator(".runs thead th").filter({ has: page.locator("[data-sort='retrieval.hit@5']") });
    assert.equal(await head.getAttribute("aria-sort"), "none");
    await head.locator("button").click();
    assert.equal(await head.getAttribute("aria-sort"), "descending");
    const means = async () => (await page.locator(".runs tbody tr td:nth-of-type(2) > span").allTextContents()).map(Number);
    const down = await means();
    assert.deepEqual(down, [...down].sort((a, b) => b - a));
    // The focus stays on the button that was pressed.
    assert.equal(await page.evaluate(() => document.activeElement.dataset.sort), "retrieval.hit@5");
    await page.keyboard.press("Enter");
    assert.equal(await head.getAttribute("aria-sort"), "ascending");
    assert.deepEqual(await means(), [...down].sort((a, b) => a - b));
    await page.context().close();
  },

  async "language and theme switch"() {
    const page = await open(report);
    const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await paper();
    await page.click(".switches [data-value=dark]");
    assert.notEqual(await paper(), light);
    assert.equal(await page.locator(".switches [data-value=dark]").getAttribute("aria-pressed"), "true");
    await page.click(".switches [data-value=es]");
    assert.equal(await page.evaluate(() => document.documentElement.lang), "es");
    assert.equal(await page.locator("#questions-title").textContent(), "Preguntas");
    await drawAll(page);
    await shot(page, "dark-spanish");
    await shot(page, "dark-spanish-whole", true);
    await page.click(".switches [data-value=light]");
    assert.equal(await paper(), light);
    await page.context().close();
    const dark = await open(report, { colorScheme: "dark" });
    assert.notEqual(await dark.evaluate(() => getComputedStyle(document.body).backgroundColor), light, "the page ignores the theme of the system");
    await dark.context().close();
  },

  async "a question holding markup is shown literally"() {
    const evil = `</script><script>window.broken = 1</script><img src=x onerror="window.broken = 2"><b>bold</b>`;
    const html = readFileSync(report, "utf8");
    const [before, rest] = html.split(`id="data">`);
    const end = rest.indexOf("</script>");
    const data = JSON.parse(rest.slice(0, end));
    const question = data.questions[data.runs[data.shown].order[0]];
    question.q = evil;
    question.refs = [evil];
    const json = JSON.stringify(data).replaceAll("<", "\\u003c");
    const file = join(mkdtempSync(join(tmpdir(), "fiel-")), "markup.html");
    writeFileSync(file, `${before}id="data">${json}${rest.slice(end)}`);
    const page = await open(file);
    const row = page.locator("#questions > ol > li > details").first();
    await row.locator("> summary").click();
    await row.locator(".detail").waitFor();
    assert((await row.locator("> summary").textContent()).includes(evil));
    assert((await row.locator(".wanted").textContent()).includes(evil));
    assert.equal(await page.evaluate(() => window.broken), undefined);
    assert.equal(await page.locator("#app img, #app b, #app script").count(), 0);
    await shot(page, "markup");
    await page.context().close();
  },

  async "the keyboard reaches the content, and an address opens its question"() {
    const page = await open(report);
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement.className), "skip");
    await page.keyboard.press("Enter");
    const id = await page.locator("#questions > ol > li > details").nth(3).getAttribute("id");
    await page.evaluate((hash) => { location.hash = hash; }, id);
    await page.locator(`[id="${id}"] .detail`).waitFor();
    await page.context().close();
  },

  async "a narrow window does not scroll sideways"() {
    const page = await open(report, { viewport: { width: 390, height: 800 } });
    await page.locator("#questions > ol > li > details > summary").first().click();
    await drawAll(page);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    assert(width <= 390, `${width} pixels wide`);
    await shot(page, "narrow");
    await page.context().close();
  },

  async "it prints"() {
    const page = await open(report);
    const pdf = await page.pdf({ path: join(out, "print.pdf"), format: "A4", preferCSSPageSize: true });
    assert(pdf.length > 20_000);
    await page.context().close();
  },
};

if (large) {
  steps["500 questions × 10 runs open within a second"] = async () => {
    const page = await open(large);
    const shown = await page.evaluate(() => {
      const [navigation] = performance.getEntriesByType("navigation");
      return navigation.domContentLoadedEventEnd;
    });
    console.log(`  opened in ${Math.round(shown)} ms`);
    assert(shown < 1000, `${shown} ms`);
    await drawAll(page);
    await shot(page, "large-whole", true);
    await page.context().close();
  };
}

let failed = 0;
for (const [name, step] of Object.entries(steps)) {
  try {
    await step();
    assert.deepEqual(complaints.splice(0), []);
    console.log(`ok      ${name}`);
  } catch (error) {
    failed += 1;
    complaints.length = 0;
    console.error(`FAILED  ${name}\n${error.stack}`);
  }
}
await browser.close();
console.log(`screenshots in ${out}`);
process.exit(failed ? 1 : 0);
