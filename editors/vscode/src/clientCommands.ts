import type { ClientCapabilities, StaticFeature } from "vscode-languageclient";

/** Commands that the server may name: after accepting a key, and in lines above keys and files. */
export const COMMANDS = [
  "editor.action.triggerSuggest",
  "lofting.explain",
  "lofting.showFinalDataValues",
  "lofting.showReferences",
  "lofting.showRenderedOutput",
];

/**
 * Tells the server which commands it may name. The protocol has no word for that; `experimental.commands` is what other
 * servers read as well.
 */
export const clientCommands: StaticFeature = {
  fillClientCapabilities(capabilities: ClientCapabilities): void {
    const experimental = (capabilities.experimental ?? {}) as Record<string, unknown>;
    capabilities.experimental = { ...experimental, commands: { commands: COMMANDS } };
  },
  initialize(): void {},
  getState: () => ({ kind: "static" }),
  clear(): void {},
};
