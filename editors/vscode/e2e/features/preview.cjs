// Documents that the server makes: what a template renders, and the result of merging all data values.
const DEPLOYMENT = "config/api/deployment.yml";

exports.platform = {
  "rendered output, beside its template": async (w, check) => {
    await w.open(DEPLOYMENT, "kind: Deployment", 3);
    await w.command("Lofting: Show rendered output");
    await w.row("prod").waitFor();
    await w.picture("preview-choice");
    await w.row("prod").click();
    check("it has what prod.yml says", await w.shows("replicas: 4", 1), await w.lines(1));
    await w.picture("preview");
    const tab = w.page.locator(".tab", { hasText: "rendered" }).first();
    check("its title names file and set", /deployment\.yml · prod · rendered/.test(await tab.innerText()), await tab.innerText());
    await w.type(" ");
    check("one goes on writing in the template", await w.until(async () => (await w.page.locator(".tab.active.dirty", { hasText: "deployment.yml" }).count()) === 1, 10000));
    await w.press("Control+Z");
  },
  "the output of the whole set, and the first one again": async (w, check) => {
    await w.click("kind: Deployment", "Deployment", 0);
    await w.command("Lofting: Show rendered output of the whole input set");
    await w.row("prod").click();
    const tab = (text) => w.page.locator(".editor-group-container").nth(1).locator(".tab.active", { hasText: text });
    await tab("prod · whole set, rendered").waitFor();
    check("it has other files as well", await w.shows("kind: ", 1), (await w.lines(1)).slice(0, 3));
    await w.picture("preview-whole");
    await w.command("Lofting: Show rendered output");
    await w.row("prod").click();
    await tab("deployment.yml · prod · rendered").waitFor();
    check("its title is still there", true);
  },
  "it follows typing": async (w, check) => {
    await w.click("kind: Deployment", "Deployment", 0);
    await w.press("End");
    await w.type("Set");
    check("the word is there", await w.shows("kind: DeploymentSet", 1), await w.lines(1));
    await w.press("Control+Z");
    check("and goes", await w.withoutLine("DeploymentSet", 1), await w.lines(1));
  },
  "the cursor in the template shows what becomes of its line": async (w, check) => {
    await w.click("serviceAccountName", "serviceAccountName", 0);
    const current = w.editor(1).locator(".current-line").first();
    const line = w.editor(1).locator(".view-line", { hasText: "serviceAccountName" }).first();
    const same = await w.until(async () => {
      const [a, b] = [await current.boundingBox(), await line.boundingBox()];
      return a !== null && b !== null && Math.abs(a.y - b.y) < 3;
    }, 15000);
    check("marked there", same);
    await w.picture("preview-cursor");
  },
  "a click in the output goes to where it comes from": async (w, check) => {
    await w.click("replicas: 4", "replicas", 1);
    const line = w.editor(0).locator(".view-line", { hasText: "replicas: #@ api.replicas" }).first();
    const current = w.editor(0).locator(".current-line").first();
    check("to its line", await w.until(async () => {
      const [a, b] = [await current.boundingBox(), await line.boundingBox()];
      return a !== null && b !== null && Math.abs(a.y - b.y) < 3;
    }, 15000));
    check("and one writes there", await w.page.locator(".editor-group-container.active .tab.active", { hasText: /^deployment\.yml$/ }).count() === 1);
    await w.picture("preview-click");
  },
  "an error keeps the last output, and says so wherever one has scrolled": async (w, check) => {
    const before = (await w.lines(1))[0];
    await w.click("replicas: #@", "replicas:", 0);
    await w.press("End");
    await w.type("x");
    const outdated = () => w.page.locator(".editor-group-container").nth(1).evaluate((group) =>
      [...group.querySelectorAll(".view-line span")].map((span) => getComputedStyle(span, "::after").content).filter((text) => text.includes("outdated")));
    check("the reason is beside the text", await w.until(async () => (await outdated()).length === 1, 20000), await outdated());
    check("no line has moved", (await w.lines(1))[0] === before, (await w.lines(1)).slice(0, 3));
    check("the tab has a mark", await w.until(async () => (await w.page.locator(".editor-group-container").nth(1).locator(".tab", { hasText: "!" }).count()) === 1, 10000) ||
      await w.page.locator(".editor-group-container").nth(1).locator(".tab .monaco-icon-label").evaluateAll((all) => all.some((each) => [each, ...each.querySelectorAll("*")].some((part) => getComputedStyle(part, "::after").content.includes("!")))));
    await w.picture("preview-stale");
    const { x, y } = await w.editor(1).boundingBox();
    await w.page.mouse.move(x + 100, y + 100);
    await w.page.mouse.wheel(0, 400);
    check("also further below", await w.until(async () => (await w.lines(1))[0] !== before && (await outdated()).length === 1, 20000), await outdated());
    await w.picture("preview-stale-below");
    await w.click("replicas: #@", "replicas:", 0);
    await w.press("Control+Z");
    check("it goes with its cause", await w.until(async () => (await outdated()).length === 0, 20000), await outdated());
    await w.press("Control+S");
    await w.closeAll();
  },
  "final data values": async (w, check) => {
    await w.open("values/prod.yml", "replicas: 4", 2);
    await w.command("Lofting: Show final data values");
    check("merged", await w.shows("system_domain: platform.example.org", 1), await w.lines(1));
    await w.picture("final-values-platform");
    await w.closeAll();
  },
};

exports.webshop = {
  "without a description the schema's defaults are rendered": async (w, check) => {
    await w.open("config/deployment.yml", "kind: Deployment", 3);
    await w.command("Lofting: Show rendered output");
    check("with the defaults", await w.shows("replicas: 2", 1), await w.lines(1));
    const tab = w.page.locator(".tab", { hasText: "rendered" }).first();
    check("its title says so", (await tab.innerText()).includes("config with the schema's defaults"), await tab.innerText());
    const note = w.page.locator(".notification-toast", { hasText: "No input set is known" });
    await note.waitFor();
    await w.picture("preview-assumed");
    await note.locator(".monaco-button", { hasText: "Choose values file" }).click();
    await w.row("values/dev.yml").click();
    check("a values file can be chosen", await w.shows("replicas: 1", 1), await w.lines(1));
    check("in the place of the first", (await w.page.locator(".tab", { hasText: "rendered" }).count()) === 1);
    await w.picture("preview-with-values");
  },
  "the assumed set is described in lofting.toml": async (w, check) => {
    await w.page.locator(".tab", { hasText: "rendered" }).first().click();
    await w.page.locator(".editor-group-container.active .editor-actions .action-label[aria-label*='Write the assumed input set']").first().click();
    await w.active("lofting.toml");
    const text = await w.saved("lofting.toml", "[sets.config]");
    check("with all its values files", text === "[sets.config]\nfiles = [\"config\"]\nvalues = [\"values/*.yml\"]\n", text);
    const tab = w.page.locator(".tab", { hasText: "config with dev.yml · rendered" });
    check("the output is that of the described set", await w.until(async () => (await tab.count()) === 1, 20000));
    check("nothing is assumed any more", await w.until(async () => (await w.page.locator(".editor-actions .action-label[aria-label*='Write the assumed input set']").count()) === 0, 20000));
    await w.picture("preview-described");
    await w.closeAll();
  },
};
