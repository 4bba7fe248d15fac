import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import * as vscode from "vscode";
import { LanguageClient } from "vscode-languageclient/node";
import { FinalValues } from "./finalValues";
import { findServer, type Found } from "./server";

let client: LanguageClient | undefined;
const finalValues = new FinalValues(() => client);

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const log = vscode.window.createOutputChannel("Lofting", { log: true });
  context.subscriptions.push(
    log,
    vscode.commands.registerCommand("lofting.output", () => log.show()),
    vscode.commands.registerCommand("lofting.restart", () => restart(context, log)),
    vscode.commands.registerCommand("lofting.explain", () => explain(context, log)),
    vscode.commands.registerCommand("lofting.showFinalDataValues", () => finalValues.show()),
    finalValues,
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("lofting.server.path")) {
        void restart(context, log);
      }
    }),
  );
  await start(context, log);
}

export async function deactivate(): Promise<void> {
  await client?.stop();
}

async function start(context: vscode.ExtensionContext, log: vscode.LogOutputChannel): Promise<void> {
  const found = server(context);
  if ("problem" in found) {
    log.error(found.problem);
    const settings = "Open settings";
    void vscode.window.showErrorMessage(`Lofting: ${found.problem}`, settings).then((choice) => {
      if (choice === settings) {
        void vscode.commands.executeCommand("workbench.action.openSettings", "lofting.server.path");
      }
    });
    return;
  }
  client = new LanguageClient(
    "lofting",
    "Lofting",
    { command: found.program, args: ["lsp"] },
    {
      documentSelector: [
        { scheme: "file", language: "yaml" },
        { scheme: "untitled", language: "yaml" },
      ],
      outputChannel: log,
    },
  );
  try {
    await client.start();
    finalValues.listen(client);
  } catch (error) {
    log.error(String(error));
    void vscode.window.showErrorMessage(`Lofting: ${found.program} could not be started: ${String(error)}`);
  }
}

async function restart(context: vscode.ExtensionContext, log: vscode.LogOutputChannel): Promise<void> {
  const old = client;
  client = undefined;
  try {
    await old?.dispose();
  } catch (error) {
    log.warn(`while stopping: ${String(error)}`);
  }
  await start(context, log);
}

/** Shows what `lofting explain` says about the file in front of the user. */
async function explain(context: vscode.ExtensionContext, log: vscode.LogOutputChannel): Promise<void> {
  const document = vscode.window.activeTextEditor?.document;
  const found = server(context);
  if (document === undefined || document.uri.scheme !== "file" || "problem" in found) {
    return;
  }
  const folder = vscode.workspace.getWorkspaceFolder(document.uri)?.uri.fsPath;
  execFile(found.program, ["explain", document.uri.fsPath], { cwd: folder }, (_error, stdout, stderr) => {
    log.info(`explain ${document.uri.fsPath}\n${stdout}${stderr}`);
    void vscode.window.showInformationMessage((stdout + stderr).trim());
  });
}

function server(context: vscode.ExtensionContext): Found {
  return findServer({
    configured: vscode.workspace.getConfiguration("lofting").get<string>("server.path", ""),
    bundled: context.asAbsolutePath("server/lofting"),
    path: process.env.PATH ?? "",
    home: homedir(),
    platform: process.platform,
    exists: existsSync,
  });
}
