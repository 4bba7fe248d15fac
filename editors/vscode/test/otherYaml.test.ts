import assert from "node:assert/strict";
import { test } from "node:test";
import { resolveFeatures } from "../src/otherYaml";

test("without another YAML server outline, validation and built-in schemas are ours", () => {
  const unchosen = [{ otherYaml: { features: "auto" } }, {}, { otherYaml: {} }, { validate: {} }, { builtInSchemas: "auto" }];
  for (const answer of unchosen) {
    const all = (choice: string) => ({
      otherYaml: { features: choice },
      validate: { otherYaml: choice },
      builtInSchemas: choice,
    });
    assert.deepEqual(resolveFeatures("lofting", answer, false), all("on"));
    assert.deepEqual(resolveFeatures("lofting", answer, true), all("off"));
  }
});

test("what the user chose stays, and so do other settings", () => {
  for (const choice of ["on", "off", "nonsense", 3]) {
    const answer = {
      schemas: {},
      otherYaml: { features: choice },
      validate: { otherYaml: choice },
      builtInSchemas: choice,
    };
    assert.deepEqual(resolveFeatures("lofting", answer, true), answer);
  }
  const rest = { files: { maximum: 3 }, validate: { otherYaml: "on" }, builtInSchemas: "on" };
  const answer = { ...rest, otherYaml: { features: "auto" } };
  const want = { ...rest, otherYaml: { features: "off" } };
  assert.deepEqual(resolveFeatures("lofting", answer, true), want);
  assert.equal(answer.otherYaml.features, "auto");
});

test("other sections are left alone", () => {
  const schemas = { "https://x/y.json": "*.yml" };
  assert.equal(resolveFeatures("yaml.schemas", schemas, true), schemas);
  assert.equal(resolveFeatures("lofting", null, true), null);
});
