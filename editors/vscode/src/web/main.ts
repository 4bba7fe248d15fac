// The extension where there are no processes: vscode.dev, and other editors that run in a browser alone.
import * as vscode from "vscode";
import { Engine, type WorkerLike } from "../../../browser/engine";
import { tryExample } from "../firstMinute";
import { RED_HAT } from "../otherYaml";
import { reportIssue } from "../reportIssue";
import { inWords } from "../statusWords";
import { languagesNow } from "../yamlDocuments";
import { Documents } from "./documents";
import { Names } from "./names";
import { provide } from "./providers";

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const log = vscode.window.createOutputChannel("Lofting", { log: true });
  let version: string | undefined;
  context.subscriptions.push(
    log,
    vscode.commands.registerCommand("lofting.output", () => log.show()),
    vscode.commands.registerCommand("lofting.tryExample", tryExample),
    vscode.commands.registerCommand("lofting.reportIssue", () => reportIssue(context, version, "a browser")),
  );
  void vscode.commands.executeCommand("setContext", "lofting.inBrowser", true);
  let engine: Engine;
  try {
    engine = await started(context);
  } catch (error) {
    log.error(String(error));
    void vscode.window.showErrorMessage(`Lofting: the checks could not be loaded: ${String(error)}`);
    return;
  }
  version = await engine.version();
  log.info(`version ${version}, in a web worker`);
  const languages = languagesNow();
  void vscode.commands.executeCommand("setContext", "lofting.languages", languages);
  const names = new Names(() => vscode.workspace.workspaceFolders ?? []);
  const documents = new Documents(engine, names, languages, log);
  const setSettings = (): void => void engine.setSettings(settings()).then(() => documents.checkAll(), () => {});
  setSettings();
  context.subscriptions.push(
    documents,
    provide(engine, names, documents, languages),
    status(engine, documents),
    { dispose: () => engine.dispose() },
    vscode.extensions.onDidChange(setSettings),
    vscode.workspace.onDidChangeConfiguration((event) => event.affectsConfiguration("lofting") && setSettings()),
    vscode.commands.registerCommand("lofting.explain", () => explain(engine, names, documents)),
  );
  await documents.start();
}

/** The engine, with the module of the extension. The editor allows workers whose script it has seen: a copy in a blob. */
async function started(context: vscode.ExtensionContext): Promise<Engine> {
  const file = (name: string): Thenable<Uint8Array> =>
    vscode.workspace.fs.readFile(vscode.Uri.joinPath(context.extensionUri, "browser", name));
  const [script, bytes] = await Promise.all([file("worker.js"), file("lofting.wasm")]);
  const module = await WebAssembly.compile(bytes as Uint8Array<ArrayBuffer>);
  const address = URL.createObjectURL(new Blob([script as Uint8Array<ArrayBuffer>], { type: "text/javascript" }));
  context.subscriptions.push({ dispose: () => URL.revokeObjectURL(address) });
  return new Engine(module, () => new Worker(address) as unknown as WorkerLike);
}

/** What the user chose, of the settings that there are in a browser. */
function settings(): { otherYaml: boolean; builtInSchemas: boolean } {
  const chosen = vscode.workspace.getConfiguration("lofting");
  const otherServer = vscode.extensions.getExtension(RED_HAT) !== undefined;
  const builtIn = chosen.get<string>("builtInSchemas", "auto");
  return {
    otherYaml: chosen.get<boolean>("validate.otherYaml", false),
    builtInSchemas: builtIn === "on" || (builtIn === "auto" && !otherServer),
  };
}

/** Which schema governs a file, and why. */
async function said(engine: Engine, documents: Documents, file: string): Promise<{ text: string; detail: string; schemas: string[] }> {
  const { schemas, names, reason, sets } = await engine.status(file);
  const code = documents.needsCode(file) ? " Code does not run in a browser: what only code can tell is left out." : "";
  const schema = schemas.map((name) => ({ name, uri: "" }));
  return { ...inWords({ schema, names, sets, reason: reason + code }), schemas };
}

/** Says in the status bar which schema governs the file in front. */
function status(engine: Engine, documents: Documents): vscode.Disposable {
  const item = vscode.window.createStatusBarItem("lofting.status", vscode.StatusBarAlignment.Right, 99);
  item.name = "Lofting: schema";
  item.command = "lofting.explain";
  const refresh = async (): Promise<void> => {
    const document = vscode.window.activeTextEditor?.document;
    if (document === undefined || !documents.serves(document)) {
      item.hide();
      return;
    }
    const file = await documents.given(document);
    const words = await said(engine, documents, file);
    if (vscode.window.activeTextEditor?.document === document) {
      item.text = `$(symbol-structure) ${words.text}`;
      item.tooltip = new vscode.MarkdownString().appendText(`Lofting: ${words.detail}`);
      item.show();
    }
  };
  const soon = (): void => void refresh().catch(() => item.hide());
  return vscode.Disposable.from(item, vscode.window.onDidChangeActiveTextEditor(soon), documents.onChecked(soon));
}

async function explain(engine: Engine, names: Names, documents: Documents): Promise<void> {
  const document = vscode.window.activeTextEditor?.document;
  if (document === undefined || !documents.serves(document)) {
    void vscode.window.showInformationMessage("Lofting: open a YAML file first.");
    return;
  }
  const file = await documents.given(document);
  const found = await said(engine, documents, file).catch(() => undefined);
  if (found === undefined) {
    void vscode.window.showInformationMessage("Lofting: this text is too much for a browser.");
    return;
  }
  const open = "Open the schema";
  const schema = found.schemas.map((name) => names.uriOf(name)).find((uri) => uri !== undefined && documents.isThere(uri));
  const choice = await vscode.window.showInformationMessage(
    `Lofting: ${found.detail}`, ...(schema === undefined ? [] : [open]));
  if (choice === open && schema !== undefined) {
    await vscode.window.showTextDocument(schema);
  }
}
