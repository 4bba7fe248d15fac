import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { type Installed, isTextTemplate, servedLanguages, YAML_LANGUAGES } from "../src/languages";

const extension = (id: string, more: Partial<Installed> = {}): Installed => ({ id, runs: false, languages: [], ...more });

test("YAML under another name is served, unless an extension that does so is installed", () => {
  const all = servedLanguages([]);
  for (const id of ["yaml", "dockercompose", "helm", "github-actions-workflow", "ansible"]) {
    assert.ok(all.includes(id), id);
  }
  for (const [id, servers] of Object.entries(YAML_LANGUAGES)) {
    for (const server of servers) {
      // Extensions are compared without case.
      assert.equal(server, server.toLowerCase());
      const left = servedLanguages([extension(server.toUpperCase())]);
      assert.ok(!left.includes(id) && left.includes("yaml"), `${id} ${server}`);
    }
  }
});

test("unknown languages are recognised as YAML by their file names", () => {
  const language = (id: string, names: string[]): Installed["languages"][number] => ({ id, filenamePatterns: names });
  const contributes = [language("pipelines", ["*.pipeline.yml", "pipe.yaml"]), language("mixed", ["*.yml", "*.json"]), { id: "empty" }];
  const served = servedLanguages([extension("some.colours", { languages: contributes })]);
  assert.deepEqual([served.includes("pipelines"), served.includes("mixed"), served.includes("empty")], [true, false, false]);
  const own = servedLanguages([extension("some.server", { runs: true, languages: contributes })]);
  assert.ok(!own.includes("pipelines"));
});

test("a document in any of the languages starts the extension", () => {
  const manifest = JSON.parse(readFileSync(join(process.cwd(), "package.json"), "utf8"));
  for (const id of Object.keys(YAML_LANGUAGES)) {
    assert.ok(manifest.activationEvents.includes(`onLanguage:${id}`), id);
  }
});

test("text templates are recognised by their code", () => {
  for (const [text, want] of [
    ["name=(@= data.values.name @)\n", true],
    ["(@ if x: -@)\na\n(@ end @)\n", true],
    ["(@-\nload(\"x\", \"y\")\n@)", true],
    ["write to (@someone) or me@(home)\n", false],
    ["(@ is not closed\n", false],
    ["", false],
  ] as const) {
    assert.equal(isTextTemplate(text), want, text);
  }
});
