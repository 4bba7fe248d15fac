import assert from "node:assert/strict";
import { test } from "node:test";
import { entries, places, type SchemaChoice } from "../src/schemaChoices";

const choice = (label: string, inForce: boolean, written: SchemaChoice["places"]): SchemaChoice => ({
  label,
  description: "ytt schema",
  inForce,
  places: written,
  choice: { kind: "none" },
});

test("what is in force is marked and says why", () => {
  const found = { reason: "Because.", choices: [choice("a.yml", true, ["modeline"]), choice("b.yml", false, ["modeline"])] };
  const shown = entries(found).map(({ label, description, detail }) => ({ label, description, detail }));
  assert.deepEqual(shown, [
    { label: "$(check) a.yml", description: "ytt schema", detail: "Because." },
    { label: "b.yml", description: "ytt schema", detail: undefined },
  ]);
});

test("the places are named in the order of the server", () => {
  const shown = places(choice("a.yml", false, ["configuration", "modeline"]));
  assert.deepEqual(
    shown.map(({ label }) => label),
    ["In lofting.toml", "In a comment at the top of the file"],
  );
});
