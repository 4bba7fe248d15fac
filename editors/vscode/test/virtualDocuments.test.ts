import assert from "node:assert/strict";
import test from "node:test";
import { ownVirtualDocuments } from "../src/virtualDocuments";

test("the library does not announce virtual documents, and everything else stays", () => {
  const capabilities = { workspace: { applyEdit: true, textDocumentContent: { dynamicRegistration: true } } };
  ownVirtualDocuments.fillClientCapabilities(capabilities);
  const experimental = { builtInSchemas: true };
  assert.deepEqual(capabilities, { workspace: { applyEdit: true }, experimental });
  const none = {};
  ownVirtualDocuments.fillClientCapabilities(none);
  assert.deepEqual(none, { experimental });
  const others = { experimental: { commands: {} } };
  ownVirtualDocuments.fillClientCapabilities(others);
  assert.deepEqual(others, { experimental: { commands: {}, ...experimental } });
});
