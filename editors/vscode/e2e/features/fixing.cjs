// What changes text: completion, fixes, refactorings, rename, formatting, typing.
const PROD = "values/prod.yml";

const texts = (locator) => locator.allInnerTexts();

/** The rows of the menu of actions, once it is there. */
async function actions(w, keys) {
  await w.press(keys);
  const rows = w.page.locator(".action-widget .monaco-list-row.action");
  await rows.first().waitFor();
  return rows;
}

async function suggestions(w) {
  await w.page.waitForSelector(".suggest-widget.visible .monaco-list-row");
  return texts(w.page.locator(".suggest-widget .monaco-list-row"));
}

exports.webshop = {
  "the preferred fix is the first one, and fixes": async (w, check) => {
    await w.open(PROD, "\"8080\"", 2);
    await w.page.waitForSelector(".squiggly-error");
    const rows = await actions(w, "Control+.");
    const all = await texts(rows);
    await w.picture("quick-fix");
    check("a suppression is offered, too", all.some((row) => /suppress|ignore/i.test(row)), all);
    await w.press("Enter");
    check("fixed", await w.shows("port: 8080"), await w.lines());
    await w.revert();
  },
  "a finding can be suppressed": async (w, check) => {
    await w.open(PROD, "sometimes", 2);
    const rows = await actions(w, "Control+.");
    await rows.filter({ hasText: /suppress|ignore/i }).first().click();
    check("a comment says so", await w.until(async () => (await w.lines()).some((line) => /# ?!? ?lofting/.test(line)), 20000), await w.lines());
    await w.picture("suppressed");
    await w.revert();
  },
  "refactorings have a menu": async (w, check) => {
    await w.open(PROD, "languages", 3);
    const rows = await actions(w, "Control+Shift+R");
    const all = await texts(rows);
    await w.picture("refactorings");
    check("block and flow", all.some((row) => /block|flow|lines/i.test(row)), all);
    await w.press("Escape");
  },
  "an accepted key opens its values": async (w, check) => {
    await w.open(PROD, "  currency: euro");
    await w.press("Shift+End", "Delete");
    await w.type("  cur");
    const keys = await suggestions(w);
    check("the key is listed", keys[0]?.startsWith("currency"), keys);
    await w.picture("completion-key");
    await w.press("Tab");
    await w.page.locator(".suggest-widget.visible .monaco-list-row", { hasText: "USD" }).first().waitFor();
    await w.picture("completion-values");
    await w.press("Tab");
    check("a value is taken", await w.until(async () => (await w.lines()).some((line) => /^ {2}currency: (EUR|USD|GBP)$/.test(line)), 10000), await w.lines());
    await w.revert();
  },
  "Enter indents below a key": async (w, check) => {
    await w.open(PROD, "web:", 4);
    await w.press("Enter");
    await w.cursor("Col 3");
    check("by two columns", true);
    await w.press("Control+Z");
    await w.revert();
  },
  "a selection and a document are formatted": async (w, check) => {
    await w.open(PROD, "name: The Webshop", 5);
    await w.type("   ");
    check("unformatted", await w.shows("name:    The"), await w.lines());
    await w.press("Shift+End", "Control+K", "Control+F");
    check("the selection", await w.shows("name: The Webshop"), await w.lines());
    await w.revert();
    await w.open(PROD, "host: shop", 5);
    await w.type("   ");
    await w.press("Control+Shift+I");
    check("the document", await w.shows("host: shop.example.com"), await w.lines());
    await w.revert();
  },
  "saving fixes what can be fixed safely": async (w, check) => {
    await w.open(PROD, "\"8080\"", 2);
    await w.page.waitForSelector(".squiggly-error");
    await w.press("End");
    await w.type(" ");
    await w.press("Control+S");
    const text = await w.saved(PROD, "port: 8080");
    check("the port is a number", text.includes("port: 8080"), text);
    await w.picture("saved");
  },
  "a data value is renamed in all files": async (w, check) => {
    await w.open(PROD, "replicas", 2);
    await w.press("F2");
    await w.page.locator(".rename-box input:focus").waitFor();
    await w.press("Control+A");
    await w.type("instances");
    await w.picture("rename");
    await w.press("Control+Enter");
    const preview = w.page.locator(".part.panel .monaco-list-row", { hasText: "deployment.yml" }).first();
    await preview.waitFor();
    await w.picture("rename-preview");
    await w.page.locator(".part.panel a.monaco-button, .part.panel .monaco-text-button", { hasText: "Apply" }).first().click();
    check("here", await w.shows("instances: 32"), await w.lines());
    await w.command("File: Save All Files");
    check("in the schema", (await w.saved("config/schema.yml", "instances: 2")).includes("instances: 2"));
    check("in the template", (await w.saved("config/deployment.yml", "web.instances")).includes("web.instances"));
  },
};

exports.platform = {
  "parameters while a call is typed": async (w, check) => {
    await w.open("config/api/deployment.yml", "\"api\", api.size", 2);
    const hint = w.page.locator(".parameter-hints-widget.visible");
    // In a window that was just opened, no server may be there yet to answer.
    const shown = await w.until(async () => {
      await w.press("Control+Shift+Space");
      return hint.waitFor({ timeout: 2000 }).then(() => true, () => false);
    });
    check("they are shown", shown);
    check("they are named", (await hint.innerText()).includes("component"), await hint.innerText());
    await w.picture("signature");
    await w.press("Escape");
  },
  "loads follow a file that is renamed in the explorer": async (w, check) => {
    await w.open("config/lib/images.star");
    await w.command("File: Reveal Active File in Explorer View");
    const row = w.page.locator(".explorer-folders-view .monaco-list-row", { hasText: "images.star" });
    await row.click();
    await w.press("F2");
    await w.page.locator(".explorer-folders-view .monaco-inputbox input").waitFor();
    await w.press("Control+A");
    await w.type("pictures.star");
    await w.press("Enter");
    await w.page.locator(".monaco-dialog-box .monaco-button", { hasText: "OK" }).click();
    await w.active("pictures.star");
    await w.picture("renamed-file");
    await w.command("File: Save All Files");
    const text = await w.saved("config/lib/containers.lib.yml", "pictures.star");
    check("in what loads it", text.includes("load(\"pictures.star\""), text.split("\n").slice(0, 3));
  },
};
