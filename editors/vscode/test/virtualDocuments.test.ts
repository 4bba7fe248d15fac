import assert from "node:assert/strict";
import test from "node:test";
import { ownVirtualDocuments } from "../src/virtualDocuments";

test("the library does not announce virtual documents, and everything else stays", () => {
  const capabilities = { workspace: { applyEdit: true, textDocumentContent: { dynamicRegistration: true } } };
  ownVirtualDocuments.fillClientCapabilities(capabilities);
  assert.deepEqual(capabilities, { workspace: { applyEdit: true } });
  const none = {};
  ownVirtualDocuments.fillClientCapabilities(none);
  assert.deepEqual(none, {});
});
