/** The extension that gives outline, folding and more for all YAML. */
export const RED_HAT = "redhat.vscode-yaml";

/**
 * An answer to the server's question for settings, in which `auto` of `lofting.otherYaml.features` says what it means:
 * the server cannot know which other servers there are.
 */
export function resolveFeatures(section: string | undefined, answer: unknown, otherServer: boolean): unknown {
  if (section !== "lofting" || typeof answer !== "object" || answer === null) {
    return answer;
  }
  const settings = answer as { otherYaml?: { features?: unknown } };
  const features = settings.otherYaml?.features ?? "auto";
  if (features !== "auto") {
    return answer;
  }
  return { ...settings, otherYaml: { ...settings.otherYaml, features: otherServer ? "off" : "on" } };
}
