/** The extension that gives outline, folding and more for all YAML. */
export const RED_HAT = "redhat.vscode-yaml";

/**
 * An answer to the server's question for settings, in which `auto` says what it means for `lofting.otherYaml.features`,
 * `lofting.validate.otherYaml` and `lofting.builtInSchemas`: the server cannot know which other servers there are.
 */
export function resolveFeatures(section: string | undefined, answer: unknown, otherServer: boolean): unknown {
  if (section !== "lofting" || typeof answer !== "object" || answer === null) {
    return answer;
  }
  const settings = answer as {
    otherYaml?: { features?: unknown };
    validate?: { otherYaml?: unknown };
    builtInSchemas?: unknown;
  };
  const meant = (choice: unknown) => ((choice ?? "auto") !== "auto" ? choice : otherServer ? "off" : "on");
  return {
    ...settings,
    otherYaml: { ...settings.otherYaml, features: meant(settings.otherYaml?.features) },
    validate: { ...settings.validate, otherYaml: meant(settings.validate?.otherYaml) },
    builtInSchemas: meant(settings.builtInSchemas),
  };
}
