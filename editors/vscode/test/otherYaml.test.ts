import assert from "node:assert/strict";
import { test } from "node:test";
import { resolveFeatures } from "../src/otherYaml";

test("without another YAML server the outline is ours", () => {
  for (const answer of [{ otherYaml: { features: "auto" } }, {}, { otherYaml: {} }]) {
    assert.deepEqual(resolveFeatures("lofting", answer, false), { otherYaml: { features: "on" } });
    assert.deepEqual(resolveFeatures("lofting", answer, true), { otherYaml: { features: "off" } });
  }
});

test("what the user chose stays, and so do other settings", () => {
  for (const features of ["on", "off", "nonsense", 3]) {
    const answer = { schemas: {}, otherYaml: { features } };
    assert.equal(resolveFeatures("lofting", answer, true), answer);
  }
  const answer = { files: { maximum: 3 }, otherYaml: { features: "auto" } };
  assert.deepEqual(resolveFeatures("lofting", answer, true), { files: { maximum: 3 }, otherYaml: { features: "off" } });
  assert.equal(answer.otherYaml.features, "auto");
});

test("other sections are left alone", () => {
  const schemas = { "https://x/y.json": "*.yml" };
  assert.equal(resolveFeatures("yaml.schemas", schemas, true), schemas);
  assert.equal(resolveFeatures("lofting", null, true), null);
});
