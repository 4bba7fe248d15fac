// documentation.mjs LOFTING PICTURES: writes pages of `lofting docs --layout html` and reads them in a browser, from files as
// their readers do. Ends with `N passed, N failed`.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { HtmlValidate } from "html-validate";
import { finish, isBusy, newTab, test } from "./browser.mjs";

const [lofting, pictures] = process.argv.slice(2);
mkdirSync(pictures, { recursive: true });
const folder = mkdtempSync(join(tmpdir(), "lofting-documentation-"));

/** What a page of 2,000 keys may take until it is read, and until a typed character has had its effect, in milliseconds. */
const MOST_TIME = 300;
const MOST_PER_KEY = 100;
const WIDTHS = [320, 800, 1440];

/** Schemas that look like those of users, and one that tries to break the page. */
const schemas = {
  "shop.yml": `#@data/values-schema
---
#@schema/desc "Where the service listens, and **how** it is called. See https://example.com/ports."
service:
  #@schema/validation min=1, max=65535
  port: 8080
  #@schema/validation one_of=["tcp", "udp"]
  protocol: tcp
#@schema/deprecated "Use service.port."
port: 80
#@schema/examples ("Two hosts", ["a.example.com", "b.example.com"])
#@schema/default ["www.example.com"]
hosts:
- ""
#@schema/nullable
tls:
  secret_name: ""
`,
  "odd.json": JSON.stringify({
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "</title><script>alert(1)</script>",
    type: "object",
    // What the page itself, and every page in a browser, has names for.
    properties: Object.fromEntries(["values", "search", "found", "tree", "location", "body", "constructor", "\\page-values",
      "\\page-search", "a.b", "a b", "a\u00a0b", "%20", "#", "ö", "*", "[]", "\u202eabc", "<img src=x onerror=alert(1)>",
      "x".repeat(300), "a\nb"]
      .map((name, at) => [name, { type: "string", description: `Number ${at} <img src=https://example.com/${at}> [x](javascript:alert(1))` }])),
    patternProperties: { "^x-": { type: "integer" } },
    additionalProperties: { type: "array", items: { $ref: "#" } },
  }),
  "many.json": JSON.stringify({
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "Many",
    type: "object",
    properties: Object.fromEntries(Array.from({ length: 200 }, (_, group) => [`group${group}`, {
      type: "object",
      description: `What belongs to group ${group}.`,
      properties: Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`setting${at}`, {
        type: at % 2 === 0 ? "integer" : "string",
        description: `Setting number ${at} of group ${group}, which says in some words what it is for and when to change it.`,
        ...(at % 3 === 0 ? { default: at % 2 === 0 ? at : "text" } : {}),
      }])),
    }])),
  }),
};
const page = (name) => join(folder, name.replace(/\.\w+$/, ".html"));
for (const [name, text] of Object.entries(schemas)) {
  writeFileSync(join(folder, name), text);
  execFileSync(lofting, ["docs", name, "--layout", "html", "--output", page(name)], { cwd: folder });
}

/** Pages of changes: what `diff` and `docs --changelog` write, of schemas with the same odd names and texts. */
const changed = Object.fromEntries(Object.entries(schemas).map(([name, text]) => [name, text
  .replaceAll('"string","description"', '"integer","default":3,"title":"</td></table><script>alert(2)</script>","description"')
  .replace("max=65535", "max=1024").replace("protocol: tcp", "transport: tcp")]));
const git = (...rest) => execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false", "-C", folder, ...rest]);
git("init", "--quiet");
git("add", ".");
git("commit", "--quiet", "-m", "first");
git("tag", "v1<b>");
const changePages = [];
for (const [name, text] of Object.entries(changed)) {
  writeFileSync(join(folder, `new-${name}`), text);
  const { stdout } = spawnSync(lofting, ["diff", name, `new-${name}`, "--documentation", "--format", "html"], { cwd: folder, encoding: "utf8" });
  writeFileSync(page(`changes-${name}`), stdout);
  writeFileSync(join(folder, name), text);
  changePages.push(`changes-${name}`);
}
git("add", ".");
git("commit", "--quiet", "-m", "second");
git("tag", "v2");
for (const name of Object.keys(schemas)) {
  execFileSync(lofting, ["docs", name, "--changelog", "--layout", "html", "--output", page(`log-${name}`)], { cwd: folder });
  changePages.push(`log-${name}`);
}

/** Uses a page in a context of its own, in which nothing may go wrong and nothing else may be asked for. */
async function withPage(name, use, options = {}) {
  const address = pathToFileURL(page(name)).href;
  const { context, tab, wrong } = await newTab((url) => url.split("#")[0] === address, options);
  try {
    await tab.goto(address);
    await use(tab);
    assert.deepEqual(wrong, []);
  } catch (error) {
    await tab.screenshot({ path: join(pictures, "failed.png") });
    throw error;
  } finally {
    await context.close();
  }
}

/** Compares times with a limit, where the machine has time for it. */
function within(times, most, what) {
  const sorted = [...times].sort((a, b) => a - b);
  const median = sorted[sorted.length >> 1];
  console.log(`   ${what}: median ${median.toFixed(0)} ms, longest ${sorted.at(-1).toFixed(0)} ms`);
  assert.ok(isBusy() || median <= most, `${what}: ${median} ms`);
}

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

for (const name of [...Object.keys(schemas), ...changePages]) {
  const isOfValues = name in schemas;
  await test(`${name}: is valid HTML`, async () => {
    const rules = new HtmlValidate({
      extends: ["html-validate:standard"],
      // Our own style: these say how HTML is written, not whether it is right.
      rules: { "no-trailing-whitespace": "off", "long-title": "off", "doctype-style": "off", "no-inline-style": "error" },
    });
    const report = await rules.validateFile(page(name));
    const found = report.results.flatMap((result) => result.messages);
    assert.deepEqual(found.slice(0, 5).map((it) => `${it.line}:${it.column} ${it.ruleId}: ${it.message}`), []);
  });

  await test(`${name}: each anchor is there once, and each link leads to one`, () => withPage(name, async (tab) => {
    const { ids, links } = await tab.evaluate(() => ({
      ids: [...document.querySelectorAll("[id]")].map((element) => element.id),
      links: [...document.querySelectorAll('a[href^="#"]')].map((link) => decodeURIComponent(link.getAttribute("href").slice(1))),
    }));
    assert.equal(new Set(ids).size, ids.length);
    assert.deepEqual(links.filter((link) => !ids.includes(link)), []);
    assert.ok(links.length >= ids.length - 3, `${links.length} links, ${ids.length} anchors`);
    // A page of changes says something.
    assert.ok(isOfValues || await tab.locator("main tbody tr, main li").count() > 0);
  }));

  if (isOfValues) await test(`${name}: a link from elsewhere leads to its value`, () => withPage(name, async (tab) => {
    const hrefs = await tab.locator("nav li a").evaluateAll((links) => links.map((link) => link.getAttribute("href")));
    for (const href of hrefs.slice(0, 40)) {
      await tab.evaluate((href) => { location.hash = href; }, href);
      const target = await tab.evaluate(() => document.querySelector(":target")?.tagName);
      assert.equal(target, "SECTION", href);
    }
  }));

  for (const scheme of ["light", "dark"]) {
    for (const width of WIDTHS) {
      await test(`${name}: nothing is cut off at ${width} pixels (${scheme})`, () => withPage(name, async (tab) => {
        await tab.screenshot({ path: join(pictures, `${name}-${width}-${scheme}.png`) });
        const wide = await tab.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
        assert.equal(wide, 0, `${wide} pixels too wide`);
      }, { viewport: { width, height: 900 }, colorScheme: scheme }));
    }
    // The rules for thousands of values are the rules for a few.
    if (!name.endsWith("many.json")) {
      await test(`${name}: is accessible (${scheme})`, () => withPage(name, async (tab) => {
        await tab.evaluate(axe);
        const { violations } = await tab.evaluate(() => globalThis.axe.run());
        assert.deepEqual(violations.map((it) => `${it.id}: ${it.nodes[0].html}`), []);
      }, { colorScheme: scheme, bypassCSP: true }));
    }
  }

  await test(`${name}: is printed whole, without what only a screen needs`, () => withPage(name, async (tab) => {
    await tab.emulateMedia({ media: "print" });
    assert.equal(await tab.locator("nav").filter({ visible: true }).count(), 0);
    const hidden = await tab.locator("main section, main tr, main li").evaluateAll((all) => all.filter((it) => it.getClientRects().length === 0).length);
    assert.equal(hidden, 0);
  }));
}

await test("2,000 keys are there soon", async () => {
  const times = [];
  for (let round = 0; round < 5; round += 1) {
    await withPage("many.json", async (tab) => {
      times.push(await tab.evaluate(() => new Promise((ready) => {
        const read = () => ready(performance.getEntriesByType("navigation")[0].loadEventEnd);
        // The first frame after the page is loaded is what a reader sees.
        requestAnimationFrame(() => setTimeout(() => (document.readyState === "complete" ? read() : addEventListener("load", () => setTimeout(read)))));
      })));
    });
  }
  within(times, MOST_TIME, "loaded");
});

await test("2,000 keys are searched as one types", () => withPage("many.json", async (tab) => {
  await tab.keyboard.press("/");
  const times = [];
  const typed = async (key) => {
    await tab.evaluate(() => {
      globalThis.painted = new Promise((done, failed) => {
        setTimeout(() => failed(new Error("the key had no effect")), 60_000);
        const input = document.querySelector("nav input");
        input.addEventListener("keydown", () => {
          const start = performance.now();
          input.addEventListener("input", () => requestAnimationFrame(() => setTimeout(() => done(performance.now() - start))), { once: true });
        }, { once: true });
      });
    });
    await tab.keyboard.press(key);
    times.push(await tab.evaluate(() => globalThis.painted));
  };
  const shown = () => tab.locator("main section:not([hidden])").count();
  for (const key of "setting number 7") {
    await typed(key === " " ? "Space" : key);
  }
  const expected = await tab.evaluate(() => [...document.querySelectorAll("main section")]
    .filter((section) => ["setting", "number", "7"].every((word) => section.textContent.toLowerCase().includes(word))).length);
  assert.ok(expected > 0 && expected < 2000, `${expected}`);
  assert.equal(await shown(), expected);
  assert.equal(await tab.locator("nav p").innerText(), `${expected} of 2000 values`);
  await tab.screenshot({ path: join(pictures, "search.png") });
  await tab.keyboard.press("Escape");
  assert.equal(await shown(), 2000);
  for (const key of "group17.setting3") {
    await typed(key);
  }
  assert.equal(await shown(), 1);
  assert.deepEqual(await tab.locator("nav li:not([hidden]) a").allInnerTexts(), ["group17", "setting3"]);
  // A link to what the search hides shows it.
  await tab.evaluate(() => { location.hash = "#group18.setting4"; });
  await tab.locator("section:target").waitFor();
  // The browser went there with the focus as well.
  await tab.keyboard.press("/");
  for (let at = 0; at < "group17.setting3".length; at += 1) {
    await typed("Backspace");
  }
  assert.equal(await shown(), 2000);
  within(times, MOST_PER_KEY, "a key of the search");
}));

await test("a page without its script still says everything", () => withPage("shop.yml", async (tab) => {
  assert.equal(await tab.locator("main section:visible").count(), 7);
  await tab.locator("nav a", { hasText: "secret_name" }).click();
  assert.match(tab.url(), /#tls\.secret_name$/);
}, { javaScriptEnabled: false }));

rmSync(folder, { recursive: true });
await finish();
