// drive-web.cjs ADDRESS WORKSPACE PICTURES: uses the extension that runs in the browser.
const fs = require("node:fs");
const { launch } = require("./browser.cjs");
const { Window } = require("./window.cjs");

const [address, workspace, pictures] = process.argv.slice(2);
let [passed, failed] = [0, 0];

async function check(name, run) {
  try {
    await run();
    passed++;
    console.log(`ok   ${name}`);
  } catch (error) {
    failed++;
    console.log(`FAIL ${name}\n     ${error?.stack ?? error}`);
  }
}

async function main() {
  fs.mkdirSync(pictures, { recursive: true });
  const browser = await launch();
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
  const window = new Window(page, workspace, pictures);
  await window.start(address);
  const squiggle = (kind) => page.locator(`.monaco-editor .squiggly-${kind}`).first().waitFor();
  const status = (text) => page.locator("[id='lofting.lofting.lofting.status']", { hasText: text }).waitFor();

  await check("a Kubernetes file has findings, and the status bar the name of its schema", async () => {
    await window.pick("Control+P", "web.yaml", "web.yaml");
    await squiggle("error");
    await page.locator(".monaco-editor .squiggly-error").nth(1).waitFor();
    await status("Deployment");
    await window.picture("web-kubernetes");
  });
  await check("hover shows the description", async () => {
    await page.locator(".view-line span", { hasText: "replicas" }).last().hover();
    await page.waitForSelector(".monaco-hover:not(.hidden) .hover-contents");
    await page.locator(".monaco-hover:not(.hidden)", { hasText: "Number of desired pods" }).waitFor();
    await window.picture("web-hover");
    await page.keyboard.press("Escape");
  });
  await check("a fix is offered and applied", async () => {
    await window.open("web.yaml", "\"3\"", 1);
    await window.press("Control+.");
    await page.locator(".action-widget .monaco-list-row, .monaco-menu .action-item", { hasText: "quotes" }).first().waitFor();
    await window.picture("web-fix");
    await page.keyboard.press("Enter");
    await page.locator(".view-line", { hasText: /replicas:\s*3/ }).waitFor();
  });
  await check("data values are checked with the schema of another file", async () => {
    await window.pick("Control+P", "values/prod.yml", "prod.yml");
    await squiggle("error");
    await status("schema.yml");
  });
  await check("the definition is in the schema", async () => {
    await page.locator(".view-line span", { hasText: "replicas" }).first().click();
    await window.press("F12");
    await page.locator(".tab.active", { hasText: "schema.yml" }).waitFor();
  });
  await check("completion offers keys of the schema", async () => {
    await window.pick("Control+P", "values/dev.yml", "dev.yml");
    await page.locator(".tab.active", { hasText: "dev.yml" }).waitFor();
    await page.locator(".view-line").last().click();
    await window.press("Control+End", "Enter");
    await window.press("Control+Space");
    await page.waitForSelector(".suggest-widget.visible .monaco-list-row");
    await window.picture("web-completion");
    await page.keyboard.press("Escape");
  });
  await check("an example is opened from the palette, and is checked", async () => {
    if (!(await window.command("Lofting: Open an example with mistakes"))) {
      throw new Error("the palette does not offer it");
    }
    await page.locator(".tab.active", { hasText: "Untitled" }).waitFor();
    await squiggle("error");
  });
  await check("what needs a server is not offered", async () => {
    if (await window.command("Lofting: Show rendered output")) {
      throw new Error("it is");
    }
  });
  await check("the first minute is explained", async () => {
    await window.pick("F1", "Welcome: Open Walkthrough", "Open Walkthrough");
    await window.type("Lofting");
    await page.locator(".quick-input-widget:visible .monaco-list-row", { hasText: "Lofting in a minute" }).first().click();
    await page.locator(".getting-started-step", { hasText: "See every mistake at once" }).first().waitFor();
    await window.picture("web-walkthrough");
  });
  if (failed > 0) {
    await window.picture("web-failed");
  }
  await browser.close();
  console.log(`${passed} passed, ${failed} failed`);
  process.exit(failed === 0 ? 0 : 1);
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
