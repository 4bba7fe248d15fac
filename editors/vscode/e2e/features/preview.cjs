// Documents that the server makes: what a template renders, and what all data values are merged to.
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
    await w.picture("preview-click");
  },
  "an error keeps the last output, and says so": async (w, check) => {
    await w.click("replicas: #@", "replicas:", 0);
    await w.press("End");
    await w.type("x");
    check("the reason is at the top", await w.shows("#!", 1), (await w.lines(1)).slice(0, 5));
    await w.picture("preview-stale");
    await w.press("Control+Z");
    check("and goes with its cause", await w.until(async () => (await w.lines(1))[0]?.startsWith("apiVersion"), 20000), (await w.lines(1)).slice(0, 5));
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
