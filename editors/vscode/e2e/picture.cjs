// picture.cjs ADDRESS FOLDER FILE OUT: the manual's picture of VS Code: a file with mistakes, and what the mouse shows at one.
const path = require("node:path");
const { launch } = require("./browser.cjs");
const { Window } = require("./window.cjs");

const [address, folder, file, out] = process.argv.slice(2);

async function main() {
  const browser = await launch();
  const context = await browser.newContext({ viewport: { width: 1000, height: 560 } });
  const window = new Window(await context.newPage(), folder, path.dirname(out));
  try {
    await window.start(address);
    await window.open(file, "apiVersion");
    // All findings are there when the last one is.
    await window.page.locator("#status\\.problems", { hasText: "3" }).waitFor();
    await window.page.locator(".monaco-editor .squiggly-error").first().waitFor();
    const hover = await window.hover('replicas: "3"', '"3"');
    await hover.filter({ hasText: "should be an integer" }).first().waitFor();
    await window.page.locator(".monaco-hover:visible .action", { hasText: "Quick Fix" }).waitFor();
    await window.page.screenshot({ path: out, animations: "disabled" });
  } catch (error) {
    await window.picture("failure");
    throw error;
  } finally {
    await browser.close();
  }
}

main().catch((error) => {
  console.error(String(error));
  process.exit(1);
});
