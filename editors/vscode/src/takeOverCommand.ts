import * as vscode from "vscode";
import { takeOver, type Taken, type Yaml } from "./takeOver";

/** The settings in which something can be written, the widest first. */
const TARGETS = [
  { target: vscode.ConfigurationTarget.Global, value: "globalValue" },
  { target: vscode.ConfigurationTarget.Workspace, value: "workspaceValue" },
] as const;

/** Names below `yaml` that are looked at. */
const NAMES = [
  "schemas",
  "customTags",
  "kubernetesCRDStore",
  "schemaStore",
  "disableAdditionalProperties",
  "keyOrdering",
  "format",
  "style",
  "yamlVersion",
];

/** Copies the settings of the YAML extension, each in its place, and lists those without an equivalent. */
export async function takeOverSettings(log: vscode.LogOutputChannel): Promise<void> {
  const left: string[] = [];
  let written = 0;
  for (const { target, value } of TARGETS) {
    const taken = take(value);
    left.push(...taken.left);
    if (taken.schemas !== undefined) {
      await vscode.workspace.getConfiguration("lofting").update("schemas", taken.schemas, target);
      written += 1;
    }
  }
  left.forEach((line) => log.info(`not copied: ${line}`));
  const copied = written > 0 ? "yaml.schemas was copied to lofting.schemas." : "There was nothing to copy.";
  const show = "Show";
  const rest = left.length > 0 ? ` ${left.length} more settings or entries have no equal.` : "";
  const choice = await vscode.window.showInformationMessage(`Lofting: ${copied}${rest}`, ...(left.length > 0 ? [show] : []));
  if (choice === show) {
    log.show();
  }
}

function take(value: "globalValue" | "workspaceValue"): Taken {
  const yaml: Yaml = {};
  for (const name of NAMES) {
    yaml[name] = vscode.workspace.getConfiguration("yaml").inspect(name)?.[value];
  }
  const own = vscode.workspace.getConfiguration("lofting").inspect<Record<string, unknown>>("schemas")?.[value];
  return takeOver(yaml, own ?? {});
}
