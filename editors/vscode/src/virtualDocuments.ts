import type { ClientCapabilities, StaticFeature } from "vscode-languageclient";

/**
 * Keeps the client library from providing virtual documents: it knows their texts, but not where the lines of an output
 * come from, and of two providers VS Code asks only one. Built-in schemas are provided by the extension as well, which
 * `experimental.builtInSchemas` announces.
 */
export const ownVirtualDocuments: StaticFeature = {
  fillClientCapabilities(capabilities: ClientCapabilities): void {
    delete capabilities.workspace?.textDocumentContent;
    const experimental = (capabilities.experimental ?? {}) as Record<string, unknown>;
    capabilities.experimental = { ...experimental, builtInSchemas: true };
  },
  initialize(): void {},
  getState: () => ({ kind: "static" }),
  clear(): void {},
};
