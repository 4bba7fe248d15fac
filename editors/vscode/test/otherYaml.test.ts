import assert from "node:assert/strict";
import { test } from "node:test";
import { resolveFeatures } from "../src/otherYaml";

test("without another YAML server the outline and the built-in schemas are ours", () => {
  for (const answer of [{ otherYaml: { features: "auto" } }, {}, { otherYaml: {} }, { builtInSchemas: "auto" }]) {
    const all = (choice: string) => ({ otherYaml: { features: choice }, builtInSchemas: choice });
    assert.deepEqual(resolveFeatures("lofting", answer, false), all("on"));
    assert.deepEqual(resolveFeatures("lofting", answer, true), all("off"));
  }
});

test("what the user chose stays, and so do other settings", () => {
  for (const choice of ["on", "off", "nonsense", 3]) {
    const answer = { schemas: {}, otherYaml: { features: choice }, builtInSchemas: choice };
    assert.deepEqual(resolveFeatures("lofting", answer, true), answer);
  }
  const answer = { files: { maximum: 3 }, otherYaml: { features: "auto" }, builtInSchemas: "on" };
  const want = { files: { maximum: 3 }, otherYaml: { features: "off" }, builtInSchemas: "on" };
  assert.deepEqual(resolveFeatures("lofting", answer, true), want);
  assert.equal(answer.otherYaml.features, "auto");
});

test("other sections are left alone", () => {
  const schemas = { "https://x/y.json": "*.yml" };
  assert.equal(resolveFeatures("yaml.schemas", schemas, true), schemas);
  assert.equal(resolveFeatures("lofting", null, true), null);
});
