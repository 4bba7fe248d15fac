// drive.mjs PAGE PICTURES [ONLY]: uses the built page in a browser, from a server on this machine that serves files as they
// are. With ONLY, the tests whose titles contain that text. Ends with `N passed, N failed`.
import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join, normalize } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import { browser, finish, isBusy, newTab, test as run } from "./browser.mjs";

const [page, pictures, only = ""] = process.argv.slice(2);
mkdirSync(pictures, { recursive: true });

/** What a page may take until it shows the first finding, and what it may transfer. */
const MOST_TIME = 1000;
const MOST_BYTES = 6_000_000;
const PATIENCE = 90_000;

const types = { html: "text/html", js: "text/javascript", css: "text/css", wasm: "application/wasm", svg: "image/svg+xml" };
let transferred = 0;
// Before anything is measured; a server of files does not pack better than this.
const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };
const packed = new Map(readdirSync(page).map((name) => [`/${name}`, brotliCompressSync(readFileSync(join(page, name)), quality)]));
const server = createServer((request, answer) => {
  const path = normalize(new URL(request.url, "http://localhost").pathname);
  const file = path === "/" ? "/index.html" : path;
  const body = packed.get(file);
  if (body === undefined) {
    answer.writeHead(404).end();
    return;
  }
  transferred += body.length;
  answer.writeHead(200, { "content-type": types[file.split(".").pop()] ?? "text/plain", "content-encoding": "br" });
  answer.end(body);
});
await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
const origin = `http://127.0.0.1:${server.address().port}`;

/** A page in a context of its own; what goes wrong in it is in `wrong`. */
async function opened(fragment = "", options = {}) {
  const { context, tab, wrong } = await newTab((url) => url.startsWith(origin), options);
  await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin });
  tab.setDefaultTimeout(PATIENCE);
  await tab.goto(`${origin}/${fragment}`);
  return { tab, wrong, close: () => context.close() };
}

const messages = (tab) => tab.locator("#problems .message").allInnerTexts();
const found = (tab, text) => tab.locator("#problems .message", { hasText: text }).first().waitFor();
const none = (tab) => tab.locator("#problems .none", { hasText: "None found." }).waitFor();
const text = (tab) => tab.evaluate(() => document.querySelector(".cm-content").cmTile?.view?.state.doc.toString()
  ?? document.querySelector(".cm-content").cmView.view.state.doc.toString());

async function write(tab, content) {
  await tab.locator(".cm-content").click();
  await tab.keyboard.press("Control+A");
  await tab.keyboard.press("Delete");
  await tab.evaluate((content) => navigator.clipboard.writeText(content), content);
  await tab.keyboard.press("Control+V");
}

const test = async (title, use) => title.includes(only) && run(title, use);

async function withPage(fragment, use, options) {
  const { tab, wrong, close } = await opened(fragment, options);
  try {
    await use(tab);
    assert.deepEqual(wrong, []);
  } catch (error) {
    await tab.screenshot({ path: join(pictures, "failed.png") });
    throw error;
  } finally {
    await close();
  }
}

await test("the first finding is there soon, and little is transferred", async () => {
  const times = [];
  for (let round = 0; round < 5; round += 1) {
    const before = transferred;
    await withPage("", async (tab) => {
      await tab.locator("#problems .message").first().waitFor();
      times.push(await tab.evaluate(() => performance.getEntriesByName("lofting:findings")[0].startTime));
      assert.ok(transferred - before <= MOST_BYTES, `${transferred - before} bytes`);
      if (round === 0) {
        console.log(`   transferred, with brotli: ${((transferred - before) / 1e6).toFixed(2)} MB`);
      }
    });
  }
  times.sort((a, b) => a - b);
  console.log(`   first findings after ${times.map((time) => time.toFixed(0)).join(", ")} ms`);
  assert.ok(isBusy() || times[2] <= MOST_TIME, `${times[2]} ms`);
});

for (const scheme of ["light", "dark"]) {
  await test(`examples in every language have findings (${scheme})`, () => withPage("", async (tab) => {
    const names = await tab.locator("#examples option").evaluateAll((options) => options.map((option) => option.value));
    assert.ok(names.length >= 7, names.join());
    for (const name of names) {
      await tab.selectOption("#examples", name);
      await tab.waitForURL(`**/#example=${name}`);
      await tab.locator("#problems .message").first().waitFor();
      await tab.locator("#status", { hasText: "Schema: " }).waitFor();
      await tab.screenshot({ path: join(pictures, `${name}-${scheme}.png`) });
      await tab.locator("#problems").evaluate((list) => list.replaceChildren());
      await tab.locator("#status").evaluate((line) => line.replaceChildren());
    }
  }, { colorScheme: scheme }));
}

await test("a fix, a completion, a hover, a definition and the formatter work", () => withPage("#example=json-schema", async (tab) => {
  await found(tab, "port");
  await write(tab, "# yaml-language-server: $schema=service.schema.json\nname:   shop\nport: \"80\"\n");
  await found(tab, "integer");
  await tab.locator("#problems .fixes button").first().click();
  await none(tab);
  assert.match(await text(tab), /^port: 80$/m);
  await tab.locator("#format").click();
  await tab.locator("#toast.shown", { hasText: "Formatted" }).waitFor();
  assert.match(await text(tab), /^name: shop$/m);
  await tab.locator(".cm-line span", { hasText: "port" }).first().hover();
  await tab.locator(".cm-tooltip .hovered").waitFor();
  await tab.screenshot({ path: join(pictures, "hover.png") });
  await tab.locator(".cm-tooltip .link", { hasText: "service.schema.json:6" }).click();
  await tab.locator("[role=tab][aria-selected=true]", { hasText: "service.schema.json" }).waitFor();
  await tab.locator("[role=tab]", { hasText: "service.yaml" }).click();
  await tab.mouse.move(5, 5);
  await write(tab, "# yaml-language-server: $schema=service.schema.json\nname: shop\npo");
  await tab.keyboard.press("Control+Space");
  await tab.locator(".cm-tooltip-autocomplete li", { hasText: "port" }).waitFor();
  await tab.screenshot({ path: join(pictures, "completion.png") });
  // The editor ignores Enter right after its list appears.
  await tab.waitForFunction(() => document.querySelector(".cm-tooltip-autocomplete li[aria-selected]"));
  await tab.locator(".cm-tooltip-autocomplete li", { hasText: "port" }).click();
  assert.match(await text(tab), /^port:/m);
  await tab.keyboard.type("80");
  await tab.keyboard.press("F12");
  await tab.locator("[role=tab][aria-selected=true]", { hasText: "service.schema.json" }).waitFor();
}));

await test("a line that is being typed is not reported before it rests", () => withPage("#example=json-schema", async (tab) => {
  await found(tab, "port");
  await write(tab, "# yaml-language-server: $schema=service.schema.json\nname: shop\n");
  await none(tab);
  const reported = tab.evaluate(() => new Promise((done) => {
    const typed = performance.now();
    new MutationObserver(() => document.querySelector("#problems .message") && done(performance.now() - typed))
      .observe(document.querySelector("#problems"), { childList: true });
  }));
  await tab.keyboard.type("po");
  assert.ok((await reported) >= 2000, `after ${await reported} ms`);
}));

await test("the menu of fixes is for the keyboard", () => withPage("#example=json-schema", async (tab) => {
  await found(tab, "port");
  await tab.locator(".cm-line", { hasText: "port" }).click();
  await tab.keyboard.press("Control+.");
  await tab.locator("#menu [role=menuitem]").first().waitFor();
  await tab.screenshot({ path: join(pictures, "menu.png") });
  await tab.keyboard.press("Escape");
  assert.equal(await tab.locator("#menu").count(), 0);
  assert.ok(await tab.evaluate(() => document.activeElement.classList.contains("cm-content")));
}));

await test("a file is added, checked with the others and closed", () => withPage("#example=json-schema", async (tab) => {
  await found(tab, "port");
  await tab.locator("#new").click();
  await tab.locator("#name").fill("../other.yml");
  await tab.locator("#create").click();
  await tab.locator("#naming-problem", { hasText: "No folder" }).waitFor();
  await tab.locator("#name").fill("other.yml");
  await tab.locator("#create").click();
  await write(tab, "# yaml-language-server: $schema=service.schema.json\nnam: x\n");
  await found(tab, "nam");
  await tab.locator("[role=tab]", { hasText: "service.schema.json" }).click();
  await tab.locator(".cm-content", { hasText: "additionalProperties" }).waitFor();
  await tab.locator("button.close").last().click();
  assert.equal(await tab.locator("[role=tab]").count(), 2);
}));

await test("files are shared by the address alone", async () => {
  let link = "";
  await withPage("#example=compose", async (tab) => {
    await write(tab, "services:\n  web:\n    imag: 🙂\n");
    await found(tab, "imag");
    await tab.locator("#share").click();
    await tab.locator("#toast.shown", { hasText: "copied" }).waitFor();
    link = await tab.evaluate(() => navigator.clipboard.readText());
  });
  await withPage(link.slice(link.indexOf("#")), async (tab) => {
    await found(tab, "imag");
    assert.equal(await text(tab), "services:\n  web:\n    imag: 🙂\n");
  });
});

await test("a hostile link is text", async () => {
  const { deflateRawSync } = await import("node:zlib");
  const made = (said) => `#1.${deflateRawSync(JSON.stringify(said)).toString("base64url")}`;
  const markup = "<img src=x onerror=alert(1)>[x](javascript:alert(1))";
  const schema = JSON.stringify({ properties: { a: { type: "integer", title: markup, description: markup } } });
  const value = `# yaml-language-server: $schema=s.json\na: "${markup}"\n`;
  await withPage(made({ files: [["v.yml", value], ["s.json", schema]], show: "v.yml" }), async (tab) => {
    await found(tab, "integer");
    await tab.locator(".cm-line span", { hasText: "a" }).last().hover();
    await tab.locator(".cm-tooltip").first().waitFor();
    assert.equal(await tab.locator("img:not([src='icon.svg'])").count(), 0);
    assert.equal(await tab.locator("a[href^='javascript']").count(), 0);
  });
  for (const fragment of ["#1.AAAA", "#<img src=x onerror=alert(1)>", made({ files: [["<b>", ""]] }), `#1.${"A".repeat(200_000)}`]) {
    await withPage(fragment, async (tab) => {
      await tab.locator("#toast.shown").waitFor();
      await tab.locator("#problems .message").first().waitFor();
    });
  }
});

await test("a text that is too large is reported, and the page goes on", () => withPage("#example=json-schema", async (tab) => {
  await found(tab, "port");
  for (const [title, content] of [
    ["flow", "a: ".concat("[".repeat(20_000))],
    ["block", Array.from({ length: 3000 }, (_, depth) => `${" ".repeat(depth)}a:`).join("\n")],
    ["items", `${"- ".repeat(20_000)}x`],
  ]) {
    await write(tab, content);
    await tab.waitForFunction(() => !document.querySelector("#note").hidden || document.querySelector("#problems .message, #problems .none"));
    console.log(`   ${title}: ${(await tab.locator("#note").isVisible()) ? "too much" : "checked"}`);
    await write(tab, "# yaml-language-server: $schema=service.schema.json\nport: x\n");
    await found(tab, "`name`");
  }
}));

await test("a narrow page can be used", () => withPage("#example=kubernetes", async (tab) => {
  await tab.locator("#problems .fixes button").first().waitFor();
  await tab.screenshot({ path: join(pictures, "narrow.png") });
  const overflow = await tab.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  assert.ok(overflow <= 0, `${overflow} pixels too wide`);
}, { viewport: { width: 420, height: 800 } }));

await test("controls have names", () => withPage("", async (tab) => {
  await tab.locator("#problems .message").first().waitFor();
  const nameless = await tab.locator("button, select, input, a").evaluateAll((controls) => controls
    .filter((control) => !(control.getAttribute("aria-label") ?? control.textContent ?? "").trim() && !(control.labels?.length > 0))
    .map((control) => control.outerHTML));
  assert.deepEqual(nameless, []);
}));

server.close();
await finish();
