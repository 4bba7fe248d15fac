import assert from "node:assert/strict";
import { test } from "node:test";
import { takeOver } from "../src/takeOver";

test("schemas are copied, and what is there already stays", () => {
  const taken = takeOver({ schemas: { "a.json": "*.yml", "b.json": ["b/*.yml"] } }, { "a.json": "x.yml" });
  assert.deepEqual(taken, { schemas: { "a.json": "x.yml", "b.json": ["b/*.yml"] }, left: [] });
});

test("settings without a counterpart are reported", () => {
  const taken = takeOver({ schemas: { kubernetes: "k/*.yml", "https://x/y.json": "y.yml" }, customTags: ["!Ref"] }, {});
  assert.deepEqual(taken.schemas, { "https://x/y.json": "y.yml" });
  assert.equal(taken.left.length, 3);
  assert.match(taken.left.join(), /kubernetes.*mirror.*customTags/);
});

test("nothing is written where nothing changes", () => {
  assert.deepEqual(takeOver({}, { "a.json": "x.yml" }), { left: [] });
  assert.deepEqual(takeOver({ schemas: { "a.json": "z.yml" } }, { "a.json": "x.yml" }), { left: [] });
});
