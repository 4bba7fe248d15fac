// What tests in a browser share: the browser, pages in which nothing may go wrong, and the counting of tests.
import { availableParallelism, loadavg } from "node:os";
import { chromium } from "playwright-core";

export const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  headless: true,
  args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-component-update"],
});

/** A tab in a context of its own. What goes wrong in it, and each request to an address that is not its own, is in `wrong`. */
export async function newTab(isOwn, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const tab = await context.newPage();
  const wrong = [];
  tab.on("pageerror", (error) => wrong.push(String(error)));
  tab.on("console", (message) => message.type() === "error" && wrong.push(message.text()));
  tab.on("dialog", (dialog) => { wrong.push(`a dialog: ${dialog.message()}`); void dialog.dismiss(); });
  tab.on("request", (request) => isOwn(request.url()) || wrong.push(`a request to ${request.url()}`));
  return { context, tab, wrong };
}

/** Whether times are not compared with limits, because the machine does other work; says so. */
export function isBusy() {
  const busy = loadavg()[0] > availableParallelism() && process.env.LOFTING_MEASURE === undefined;
  if (busy) {
    console.log("   not compared with the limit: the machine is busy (LOFTING_MEASURE=1 compares)");
  }
  return busy;
}

let [passed, failed] = [0, 0];

export async function test(title, run) {
  try {
    await run();
    passed += 1;
    console.log(`ok: ${title}`);
  } catch (error) {
    failed += 1;
    console.log(`FAILED: ${title}\n${error?.stack ?? error}`);
  }
}

/** Closes the browser and ends the process with `N passed, N failed`. */
export async function finish() {
  await browser.close();
  console.log(`${passed} passed, ${failed} failed`);
  process.exit(failed === 0 ? 0 : 1);
}
