import assert from "node:assert/strict";
import { test } from "node:test";
import { inWords } from "../src/statusWords";

const file = (name: string) => ({ name, uri: `file:///${name}` });

test("the schema's name, and why it is this one", () => {
  const one = inWords({ schema: [file("config/schema.yml")], reason: "It is the nearest.", sets: [] });
  assert.deepEqual(one, { text: "schema.yml", detail: "It is the nearest." });
  const more = inWords({ schema: [file("a.yml"), file("b.yml")], reason: "Why.", sets: ["prod", "dev"] });
  assert.deepEqual(more, { text: "a.yml and 1 more", detail: "Input sets: prod, dev. Why." });
});

test("schemas without a file have names", () => {
  const one = inWords({ schema: [], names: ["GitHub Workflow"], reason: "Why.", sets: [] });
  assert.equal(one.text, "GitHub Workflow");
  const more = inWords({ schema: [], names: ["apps/v1 Deployment", "v1 Service"], reason: "Why.", sets: [] });
  assert.equal(more.text, "apps/v1 Deployment and 1 more");
  assert.equal(inWords({ schema: [file("a.yml")], names: ["v1 Service"], reason: "", sets: [] }).text, "a.yml and 1 more");
});

test("no schema, and no answer", () => {
  assert.equal(inWords({ schema: [], reason: "Why.", sets: [] }).text, "no schema");
  assert.equal(inWords({ schema: [], reason: "Why.", sets: ["prod"] }).text, "set prod");
  assert.equal(inWords({ schema: [], reason: "Why.", sets: ["prod", "dev"] }).text, "2 sets");
  assert.equal(inWords(undefined).text, "no schema");
});
