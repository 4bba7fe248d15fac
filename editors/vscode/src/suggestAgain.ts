import type { ClientCapabilities, StaticFeature } from "vscode-languageclient";

/**
 * Tells the server that it may have the list opened again behind a key that was accepted, for its values. The protocol
 * has no word for that; `experimental.commands` is what other servers read as well.
 */
export const suggestAgain: StaticFeature = {
  fillClientCapabilities(capabilities: ClientCapabilities): void {
    const experimental = (capabilities.experimental ?? {}) as Record<string, unknown>;
    capabilities.experimental = { ...experimental, commands: { commands: ["editor.action.triggerSuggest"] } };
  },
  initialize(): void {},
  getState: () => ({ kind: "static" }),
  clear(): void {},
};
