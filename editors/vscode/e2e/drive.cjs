// drive.cjs ADDRESS WORKSPACE ANSWERS PICTURES EXAMPLES: opens VS Code in a browser and checks what probe and page say.
const fs = require("node:fs");
const path = require("node:path");
const { launch } = require("./browser.cjs");
const { Window } = require("./window.cjs");

const [address, workspace, answersFile, pictures, examples] = process.argv.slice(2);
const patience = { timeout: 90000 };
let passed = 0;
let failed = 0;

function check(name, good, got) {
  good ? passed++ : failed++;
  console.log(`${good ? "ok  " : "FAIL"} ${name}${good || got === undefined ? "" : `\n     got: ${JSON.stringify(got)}`}`);
}

async function answers() {
  const end = Date.now() + 120000;
  while (!fs.existsSync(answersFile)) {
    if (Date.now() > end) {
      throw new Error("the probe has not answered");
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return JSON.parse(fs.readFileSync(answersFile, "utf8"));
}

function checkAnswers(got) {
  if (got.error) {
    check("the probe runs", false, got.error);
    return;
  }
  const [first] = got.opened;
  check("one diagnostic, once", got.opened.length === 1, got.opened);
  check("it is the type mismatch", first?.code === "ytt/type-mismatch" && first?.severity === 0, first);
  check("on exactly the value", `${first?.start}-${first?.end}` === "1,8-1,12", first);
  check("related to the schema", first?.related.some((file) => file.endsWith("/config/schema.yml")), first);
  check("hover shows the description", got.hover.includes("port which the service listens on"), got.hover);
  check("hover shows the type", got.hover.includes("integer"), got.hover);
  check("the definition is in the schema", got.definition.some((file) => file.endsWith("/config/schema.yml")), got.definition);
  check("the outline has the top key", got.symbols.includes("service"), got.symbols);
  const has = (list, label) => list.some((each) => each === label || each.startsWith(`${label}:`));
  check("completion offers the missing key", has(got.keys, "protocol") && !has(got.keys, "port"), got.keys);
  check("completion offers the allowed values", has(got.values, "grpc") && has(got.values, "http"), got.values);
  check("fixing and breaking updates", got.changed.length === 1 && got.changed[0].code === "ytt/one-of", got.changed);
}

/** Runs a command as a user does: by its title in the palette. False when it is not offered. */
async function command(page, title) {
  await page.keyboard.press("F1");
  await page.waitForSelector(".quick-input-widget .monaco-inputbox input", patience);
  await page.keyboard.type(title);
  const row = page.locator(".quick-input-list .monaco-list-row", { hasText: title }).first();
  const offered = await row.waitFor({ timeout: 10000 }).then(() => true, () => false);
  check(`the palette offers "${title}"`, offered);
  await page.keyboard.press(offered ? "Enter" : "Escape");
}

/** Every command of the extension. This window is a remote one for VS Code: its files are `vscode-remote:`. */
async function commands(page) {
  await command(page, "Lofting: Which schema, and why");
  const panel = page.frameLocator("iframe.webview.ready").frameLocator("iframe#active-frame");
  await panel.locator("h1").waitFor(patience);
  const answer = await panel.locator("body").innerText();
  check("the panel names file and schema", answer.includes("values.yml") && answer.includes("config/schema.yml"), answer);
  await page.screenshot({ path: path.join(pictures, "explain.png") });
  await panel.locator("a[data-target*='schema.yml']").first().click();
  await page.locator(".tab.active", { hasText: "schema.yml" }).waitFor(patience);
  check("its link opens the schema", true);
  await page.keyboard.press("Control+W");

  await page.locator(".tab", { hasText: "values.yml" }).first().click();
  await command(page, "Lofting: Show final data values");
  await page.locator(".view-line", { hasText: "#!" }).first().waitFor(patience);
  await page.screenshot({ path: path.join(pictures, "final-values.png") });
  check("the final data values are shown", true);

  await page.locator(".tab", { hasText: "values.yml" }).first().click();
  await command(page, "Lofting: Choose the schema or input set of this file");
  const choice = page.locator(".quick-input-list .monaco-list-row", { hasText: "config/schema.yml" }).first();
  await choice.waitFor(patience);
  check("the schema in force is marked", (await choice.locator(".codicon-check").count()) === 1, await choice.innerText());
  await page.screenshot({ path: path.join(pictures, "choose-schema.png") });
  await page.keyboard.press("Enter");
  await page.locator(".quick-input-list .monaco-list-row", { hasText: "In a comment at the top" }).first().click(patience);
  await page.locator(".view-line", { hasText: "schema=config/schema.yml" }).first().waitFor(patience);
  check("the choice is written at the top of the file", true);
  await page.locator(".tab", { hasText: "values.yml" }).first().click();
  await page.locator(".view-line").first().click();
  await page.keyboard.press("Control+Z");
  await page.locator(".view-line", { hasText: "schema=config/schema.yml" }).first().waitFor({ state: "detached", ...patience });
  check("and can be undone", true);

  await page.locator(".tab", { hasText: "values.yml" }).first().click();
  await page.waitForSelector(".monaco-editor .squiggly-error", patience);
  // Noted in the page: a server starts in less time than it takes to look from outside.
  await page.evaluate(() => {
    window.withoutFindings = false;
    new MutationObserver(() => {
      window.withoutFindings ||= document.querySelector(".monaco-editor .squiggly-error") === null;
    }).observe(document.body, { subtree: true, childList: true });
  });
  await command(page, "Lofting: Restart the server");
  await page.waitForFunction(() => window.withoutFindings, undefined, patience);
  await page.waitForSelector(".monaco-editor .squiggly-error", patience);
  check("after a restart the findings come back", true);

  await command(page, "Lofting: Show the server's output");
  await page.locator(".part.panel .output-view, .part.panel [id*='output']").first().waitFor(patience);
  await page.screenshot({ path: path.join(pictures, "output.png") });
  check("the output is shown", true);
}

/** The features of `features/`, each on its own: what one of them leaves behind must not hide another. */
async function features(browser) {
  const only = process.env.LOFTING_FEATURE ?? "";
  for (const group of ["reading", "preview", "fixing"]) {
    for (const [example, all] of Object.entries(require(`./features/${group}.cjs`))) {
      const chosen = Object.entries(all).filter(([name]) => name.includes(only));
      if (chosen.length === 0) {
        continue;
      }
      const context = await browser.newContext({ viewport: { width: 1200, height: 700 } });
      const window = new Window(await context.newPage(), path.join(examples, example), pictures);
      await window.start(address);
      for (const [name, run] of chosen) {
        try {
          await run(window, (what, good, got) => check(`${name}: ${what}`, good, got));
        } catch (error) {
          await window.picture(`failure-${group}-${example}-${Object.keys(all).indexOf(name)}`);
          check(name, false, String(error));
          await window.press("Escape", "Escape");
        }
      }
      await context.close();
    }
  }
}

async function main() {
  fs.mkdirSync(pictures, { recursive: true });
  const browser = await launch();
  const page = await (await browser.newContext({ viewport: { width: 1000, height: 430 } })).newPage();
  try {
    await page.goto(`${address}/?folder=${encodeURIComponent(workspace)}`, patience);
    checkAnswers(await answers());

    await page.waitForSelector(".monaco-editor .squiggly-error", patience);
    check("a squiggle is drawn", true);
    await page.locator(".view-line", { hasText: "port" }).locator("span").last().hover();
    await page.waitForSelector(".monaco-hover:not(.hidden) .hover-contents", patience);
    const hover = (await page.locator(".monaco-hover .hover-contents").allInnerTexts()).join("\n");
    check("the mouse shows message and description", hover.includes("port which the service listens on"), hover);
    await page.screenshot({ path: path.join(pictures, "hover.png") });

    await page.locator(".view-line").last().click();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("  pro");
    await page.keyboard.press("Control+Space");
    await page.waitForSelector(".suggest-widget.visible .monaco-list-row", patience);
    const rows = await page.locator(".suggest-widget .monaco-list-row").allInnerTexts();
    check("the list shows the key", rows.some((row) => row.startsWith("protocol")), rows);
    await page.screenshot({ path: path.join(pictures, "completion.png") });
    await page.keyboard.press("Escape");

    await commands(page);
    await page.close();
    await features(browser);
  } catch (error) {
    await page.screenshot({ path: path.join(pictures, "failure.png") }).catch(() => {});
    check("the page does what it should", false, String(error));
  } finally {
    await browser.close();
  }
}

main()
  .catch((error) => check("the test runs", false, String(error)))
  .finally(() => {
    console.log(`${passed} passed, ${failed} failed`);
    process.exit(failed === 0 ? 0 : 1);
  });
