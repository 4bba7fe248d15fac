import { existsSync } from "node:fs";
import { homedir } from "node:os";
import * as vscode from "vscode";
import { LanguageClient } from "vscode-languageclient/node";
import { BuiltInSchemas } from "./builtInSchemas";
import { chooseSchema } from "./chooseSchema";
import { clientCommands } from "./clientCommands";
import { Explanation } from "./explain";
import { FinalValues } from "./finalValues";
import { tryExample } from "./firstMinute";
import { RED_HAT, resolveFeatures } from "./otherYaml";
import { showReferences } from "./references";
import { RenderedOutput } from "./renderedOutput";
import { reportIssue } from "./reportIssue";
import { findServer, type Found } from "./server";
import { StatusItem } from "./status";
import { takeOverSettings } from "./takeOverCommand";
import { indentOnEnter, typingMiddleware } from "./typing";
import { ownVirtualDocuments } from "./virtualDocuments";
import { languagesNow, watchTextTemplates } from "./yamlDocuments";

let client: LanguageClient | undefined;
let enterRules: vscode.Disposable | undefined;
const finalValues = new FinalValues(() => client);
let renderedOutput: RenderedOutput | undefined;
const explanation = new Explanation(() => client);
let status: StatusItem | undefined;
/** The languages whose documents the server gets. */
let languages: string[] = [];

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const log = vscode.window.createOutputChannel("Lofting", { log: true });
  const output = new RenderedOutput(() => client, context.workspaceState);
  renderedOutput = output;
  const serves = (document: vscode.TextDocument): boolean =>
    languages.includes(document.languageId) || document.uri.path.endsWith("/lofting.toml");
  status = new StatusItem(() => client, serves);
  context.subscriptions.push(
    log,
    output,
    status,
    vscode.commands.registerCommand("lofting.output", () => log.show()),
    vscode.commands.registerCommand("lofting.restart", () => restart(context, log)),
    vscode.commands.registerCommand("lofting.explain", () => explanation.show()),
    vscode.commands.registerCommand("lofting.chooseSchema", () => chooseSchema(client)),
    vscode.commands.registerCommand("lofting.takeOverSettings", () => takeOverSettings(log)),
    vscode.commands.registerCommand("lofting.showFinalDataValues", () => finalValues.show()),
    vscode.commands.registerCommand("lofting.showReferences", showReferences),
    vscode.commands.registerCommand("lofting.showRenderedOutput", () => output.show(false)),
    vscode.commands.registerCommand("lofting.showRenderedSet", () => output.show(true)),
    vscode.commands.registerCommand("lofting.chooseRenderedCall", (uri?: vscode.Uri) => output.chooseCall(uri)),
    vscode.commands.registerCommand("lofting.describeInputSet", (uri?: vscode.Uri) => output.describe(uri)),
    vscode.workspace.registerTextDocumentContentProvider("lofting-schema", new BuiltInSchemas(() => client)),
    vscode.commands.registerCommand("lofting.tryExample", tryExample),
    vscode.commands.registerCommand("lofting.reportIssue", () =>
      reportIssue(context, client?.initializeResult?.serverInfo?.version, `${process.platform} ${process.arch}`),
    ),
    watchTextTemplates(),
    finalValues,
    explanation,
    vscode.workspace.onDidGrantWorkspaceTrust(() => void client?.sendNotification("lofting/didTrustWorkspace", {})),
    vscode.extensions.onDidChange(() => {
      if (languagesNow().join() !== languages.join()) {
        return restart(context, log);
      }
      // Another server for YAML may have come or gone: the server asks for its settings again.
      return client?.sendNotification("workspace/didChangeConfiguration", { settings: null });
    }),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("lofting.typing.indent")) {
        enterRules?.dispose();
        enterRules = indentOnEnter(languages);
      }
      if (event.affectsConfiguration("lofting.server.path")) {
        void restart(context, log);
      }
    }),
  );
  await start(context, log);
}

export async function deactivate(): Promise<void> {
  enterRules?.dispose();
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
  languages = languagesNow();
  void vscode.commands.executeCommand("setContext", "lofting.languages", languages);
  enterRules?.dispose();
  enterRules = indentOnEnter(languages);
  client = new LanguageClient(
    "lofting",
    "Lofting",
    { command: found.program, args: ["lsp"] },
    {
      documentSelector: [
        ...languages.flatMap((language) => [
          { scheme: "file", language },
          { scheme: "untitled", language },
        ]),
        // Code and texts that ytt evaluates: their names are completed and explained.
        { scheme: "file", language: "ytt-text" },
        { scheme: "file", language: "starlark", pattern: "**/*.star" },
        // Settings and plans of migrations, whatever language other extensions take them for, or none.
        { scheme: "file", pattern: "**/{lofting,moves}.toml" },
      ],
      middleware: {
        ...typingMiddleware,
        workspace: {
          configuration: async (params, token, next) => {
            const answers = await next(params, token);
            const otherServer = vscode.extensions.getExtension(RED_HAT) !== undefined;
            return Array.isArray(answers)
              ? answers.map((answer, index) => resolveFeatures(params.items[index]?.section, answer, otherServer))
              : answers;
          },
        },
      },
      // The server reads what files outside the workspace say only for workspaces that the user trusts.
      // VS Code reads what only the user may decide from the user's settings alone: their scope is `application`.
      initializationOptions: { trusted: vscode.workspace.isTrusted, userSettings: true },
      outputChannel: log,
    },
  );
  log.info(`starting ${found.program}`);
  try {
    client.registerFeature(clientCommands);
    client.registerFeature(ownVirtualDocuments);
    await client.start();
    finalValues.listen(client);
    renderedOutput?.listen(client);
    status?.refresh();
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
