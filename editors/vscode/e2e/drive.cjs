// drive.cjs ADDRESS WORKSPACE ANSWERS PICTURES: opens VS Code in a browser and checks what probe and page say.
const fs = require("node:fs");
const path = require("node:path");
const { chromium } = require("playwright-core");

const [address, workspace, answersFile, pictures] = process.argv.slice(2);
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
  check("mending and breaking updates", got.changed.length === 1 && got.changed[0].code === "ytt/one-of", got.changed);
}

async function main() {
  fs.mkdirSync(pictures, { recursive: true });
  const browser = await chromium.launch({
    executablePath: "/usr/bin/chromium",
    headless: true,
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
      "--disable-component-update", "--disable-sync"],
  });
  const page = await (await browser.newContext({ viewport: { width: 1000, height: 430 } })).newPage();
  try {
    await page.goto(`${address}/?folder=${encodeURIComponent(workspace)}`);
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
  } catch (error) {
    await page.screenshot({ path: path.join(pictures, "failure.png") });
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
