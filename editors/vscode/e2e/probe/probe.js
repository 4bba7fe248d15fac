// Asks VS Code, through its own API, what it knows about a values file, and writes the answers as JSON.
const fs = require("node:fs");
const vscode = require("vscode");

async function until(condition) {
  for (let tries = 0; tries < 1200; tries++) {
    if (await condition()) {
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function answers() {
  const folder = vscode.workspace.workspaceFolders[0].uri;
  const uri = vscode.Uri.joinPath(folder, "values.yml");
  // VS Code asks for diagnostics of documents that are shown.
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri));
  const diagnostics = () =>
    vscode.languages.getDiagnostics(uri).map((each) => ({
      code: typeof each.code === "object" ? each.code.value : each.code,
      message: each.message,
      start: [each.range.start.line, each.range.start.character],
      end: [each.range.end.line, each.range.end.character],
      related: (each.relatedInformation ?? []).map((place) => place.location.uri.path),
      severity: each.severity,
    }));
  await until(() => diagnostics().length > 0);
  const opened = diagnostics();

  const hovers = await vscode.commands.executeCommand("vscode.executeHoverProvider", uri, new vscode.Position(1, 3));
  const hover = hovers.flatMap((each) => each.contents.map((content) => content.value ?? content)).join("\n");
  const places = await vscode.commands.executeCommand("vscode.executeDefinitionProvider", uri, new vscode.Position(1, 3));
  const definition = places.map((place) => (place.targetUri ?? place.uri).path);
  const symbols = await vscode.commands.executeCommand("vscode.executeDocumentSymbolProvider", uri);

  const edit = async (change) => {
    const all = new vscode.WorkspaceEdit();
    change(all);
    await vscode.workspace.applyEdit(all);
  };
  const complete = async (line, column) => {
    const position = new vscode.Position(line, column);
    const list = await vscode.commands.executeCommand("vscode.executeCompletionItemProvider", uri, position);
    // VS Code adds words of the document; ours are not of that kind.
    return list.items
      .filter((item) => item.kind !== vscode.CompletionItemKind.Text)
      .map((item) => (typeof item.label === "string" ? item.label : item.label.label));
  };
  await edit((all) => all.insert(uri, new vscode.Position(3, 0), "  pro"));
  const keys = await complete(3, 5);
  await edit((all) => all.replace(uri, new vscode.Range(3, 0, 3, 5), "  protocol: "));
  const values = await complete(3, 12);
  await edit((all) => {
    all.replace(uri, new vscode.Range(1, 8, 1, 12), "80");
    all.replace(uri, new vscode.Range(3, 0, 3, 12), "  protocol: udp");
  });
  await until(() => diagnostics().some((each) => each.code === "ytt/one-of") && diagnostics().length === 1);
  const changed = diagnostics();
  await vscode.commands.executeCommand("workbench.action.files.revert");
  return { opened, hover, definition, symbols: symbols.map((each) => each.name), keys, values, changed };
}

/** For who types into the window: the folder `F` is ready once there is a file `F.ready`. */
async function tellWhenReady(folder) {
  await until(() => vscode.window.activeTextEditor?.document.languageId === "yaml");
  await vscode.extensions.getExtension("lofting.lofting")?.activate();
  fs.writeFileSync(`${folder}.ready`, "");
}

exports.activate = async () => {
  const folder = vscode.workspace.workspaceFolders[0].uri.fsPath;
  if (folder !== process.env.LOFTING_PROBE_FOLDER) {
    return tellWhenReady(folder);
  }
  const file = process.env.LOFTING_PROBE_FILE;
  let text;
  try {
    text = JSON.stringify(await answers());
  } catch (error) {
    text = JSON.stringify({ error: String(error && error.stack ? error.stack : error) });
  }
  fs.writeFileSync(file + ".part", text);
  fs.renameSync(file + ".part", file);
};
