// What a reader asks: hover, definitions, references, calls, symbols, colours, hints, lenses, links.
const PROD = "values/prod.yml";
const SCHEMA = "config/schema.yml";
const CONTAINERS = "config/lib/containers.lib.yml";

const texts = (locator) => locator.allInnerTexts();

/** The colour of a word of a line. */
async function colour(w, line, word) {
  const { x, y } = await w.point(line, word);
  return w.page.evaluate(([x, y]) => getComputedStyle(document.elementFromPoint(x, y)).color, [x, y]);
}

exports.webshop = {
  "a finding's hover has links that can be followed": async (w, check) => {
    await w.open(PROD, "euro", 2);
    await w.page.waitForSelector(".squiggly-error");
    const hover = await w.hover("currency: euro", "euro");
    const link = hover.locator("a[data-href*='schema.yml'], a:has-text('schema.yml')").first();
    await link.waitFor();
    check("it says what is allowed", (await texts(hover)).join("\n").includes("EUR"), await texts(hover));
    await w.picture("hover-links");
    await link.click();
    await w.active(SCHEMA);
  },
  "definition, peek and references of a data value": async (w, check) => {
    await w.open(PROD, "replicas", 2);
    await w.press("F12");
    await w.active(SCHEMA);
    await w.open(PROD, "replicas", 2);
    await w.press("Control+Shift+F10");
    await w.page.locator(".peekview-widget .view-line", { hasText: "replicas: 2" }).first().waitFor();
    await w.picture("peek-definition");
    await w.press("Escape");
    await w.press("Shift+F12");
    const rows = w.page.locator(".peekview-widget .ref-tree .monaco-list-row");
    await rows.filter({ hasText: "deployment.yml" }).first().waitFor();
    check("templates and values are among them", (await texts(rows)).some((row) => row.includes("dev.yml") || row.includes("prod.yml")), await texts(rows));
    await w.picture("references");
    await w.press("Escape");
  },
  "symbols of the document": async (w, check) => {
    await w.open(PROD);
    await w.press("Control+Shift+O");
    await w.row("currency").waitFor();
    await w.picture("document-symbols");
    await w.press("Escape");
    check("listed", true);
  },
  "symbols of the workspace": async (w, check) => {
    await w.press("Control+T");
    await w.page.waitForSelector(".quick-input-widget:visible .monaco-inputbox input");
    await w.type("pool");
    await w.row("database.pool").waitFor();
    await w.picture("workspace-symbols");
    await w.press("Enter");
    await w.active(SCHEMA);
    check("the chosen one is opened", true);
  },
  "a lens above a key opens its uses": async (w, check) => {
    await w.open(SCHEMA, "web:");
    await w.page.locator(".codelens-decoration a:visible").first().waitFor();
    await w.picture("lenses");
    const all = await texts(w.page.locator(".codelens-decoration a"));
    check("lenses speak of files", all.some((text) => /file|template/.test(text)), all);
    // The first one may be half above the upper edge.
    await w.page.locator(".codelens-decoration a:visible", { hasText: "set in" }).last().click();
    await w.page.locator(".peekview-widget .ref-tree .monaco-list-row").first().waitFor();
    await w.picture("lens-uses");
    await w.press("Escape");
  },
  "the status bar names the schema": async (w, check) => {
    await w.open(PROD);
    const item = w.page.locator("#lofting\\.lofting\\.lofting\\.status, [id$='lofting.status']").filter({ hasText: "schema.yml" }).first();
    await item.waitFor();
    await w.picture("status");
    await item.click();
    await w.row("config/schema.yml").waitFor();
    await w.press("Escape");
    check("its link offers others", true);
  },
  "problems of files that are not open": async (w, check) => {
    await w.closeAll();
    await w.press("Control+Shift+M");
    await w.page.locator(".markers-panel .monaco-list-row", { hasText: "prod.yml" }).first().waitFor();
    await w.picture("workspace-problems");
    await w.press("Control+J");
    check("listed", true);
  },
};

exports.platform = {
  "annotations and code in comments are coloured as code": async (w, check) => {
    await w.open(CONTAINERS);
    for (const theme of ["light", "dark"]) {
      if (theme === "dark") {
        await w.command("Preferences: Toggle between Light/Dark Themes");
        await w.page.waitForSelector(".monaco-workbench.vs-dark");
      }
      const different = await w.until(async () =>
        (await colour(w, "def resources", "def")) !== (await colour(w, "def resources", "resources")) &&
        (await colour(w, "wanted = getattr", "getattr")) !== (await colour(w, "wanted = getattr", "wanted")), 20000);
      check(`in ${theme}`, different);
      await w.picture(`colours-${theme}`);
    }
  },
  "calls of a function": async (w, check) => {
    await w.open(CONTAINERS, "container(component", 3);
    await w.press("Shift+Alt+H");
    const rows = w.page.locator(".part.sidebar .monaco-list-row", { hasText: "deployment.yml" });
    await rows.first().waitFor();
    check("calling files are listed", (await rows.count()) > 1, await texts(rows));
    await w.picture("call-hierarchy");
  },
  "hints: the final value, and names of parameters": async (w, check) => {
    await w.open("config/api/deployment.yml", "- #@ container", 8);
    check("parameters", await w.shows("component: \"api\"") || await w.shows("component:\"api\""), await w.lines());
    await w.picture("hints");
  },
  "a link in a load opens the file": async (w, check) => {
    await w.open("config/api/deployment.yml", "labels.lib.yml", 3);
    await w.page.locator(".view-line [class*='detected-link']").first().waitFor({ state: "attached" });
    await w.click("labels.lib.yml", "labels.lib.yml", undefined, "Control");
    await w.active("config/lib/labels.lib.yml");
    check("opened", true);
  },
  "a function folds": async (w, check) => {
    await w.open(CONTAINERS, "#@ def security", 3);
    await w.press("Control+Shift+BracketLeft");
    check("its lines are gone", await w.withoutLine("allowPrivilegeEscalation"), await w.lines());
    await w.picture("folded");
    await w.press("Control+Shift+BracketRight");
    check("and come back", await w.shows("allowPrivilegeEscalation"));
  },
  "a selection grows from the word to the block": async (w, check) => {
    await w.open(CONTAINERS, "runAsNonRoot: true", 3);
    const seen = [];
    // VS Code itself begins with parts of words.
    for (let step = 0; step < 3; step++) {
      await w.press("Shift+Alt+ArrowRight");
      await w.until(async () => {
        const text = await w.page.locator("#status\\.editor\\.selection").innerText();
        const size = Number(/\((\d+) selected\)/.exec(text)?.[1] ?? 0);
        return size > (seen.at(-1) ?? 0) && seen.push(size);
      }, 5000);
    }
    check("key and entry", seen.includes("runAsNonRoot".length) && seen.includes("runAsNonRoot: true".length), seen);
    await w.picture("selection");
  },
};

exports.languages = {
  "code, text templates and lofting.toml have colours": async (w, check) => {
    for (const [file, language, line, [word, other]] of [
      ["f.star", "Starlark", "def port(", ["def", "port"]],
      ["notes.txt", "ytt text template", "Dear", ["Dear", "data"]],
      ["notes.lib.txt", "ytt text template", "def greet", ["def", "greet"]],
      ["lofting.toml", "Lofting configuration", "files = [\"schema", ["files", "schema.yml"]],
    ]) {
      await w.open(file);
      await w.page.locator("#status\\.editor\\.mode", { hasText: language }).waitFor();
      const different = await w.until(async () => (await colour(w, line, word)) !== (await colour(w, line, other)), 20000);
      check(file, different);
      await w.picture(`colours-${file}`);
    }
    await w.open("plain.txt");
    await w.page.locator("#status\\.editor\\.mode", { hasText: "Plain Text" }).waitFor();
    check("other texts are plain", true);
  },
  "YAML under another name is served": async (w, check) => {
    await w.open("compose.yaml");
    await w.page.locator("#status\\.editor\\.mode", { hasText: "Compose" }).waitFor();
    await w.page.waitForSelector(".squiggly-error");
    check("its findings are there", true);
    const item = w.page.locator("[id$='lofting.status']", { hasText: "schema.json" });
    check("the status bar names its schema", await w.until(async () => (await item.count()) === 1, 20000));
    await w.press("Control+End");
    await w.type("rep");
    await w.press("Control+Space");
    await w.page.locator(".suggest-widget.visible .monaco-list-row", { hasText: "replicas" }).first().waitFor();
    check("and keys are completed", true);
    await w.picture("compose");
    await w.revert();
    await w.press("F1");
    await w.page.waitForSelector(".quick-input-widget:visible .monaco-inputbox input");
    await w.type("Lofting: Which schema");
    check("so are the commands", await w.row("Which schema, and why").waitFor({ timeout: 10000 }).then(() => true, () => false));
    await w.press("Escape");
    await w.closeAll();
  },
};
