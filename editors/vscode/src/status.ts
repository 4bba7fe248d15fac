import * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";
import { inWords, type Status } from "./statusWords";

/** How long after a change the server is asked again. */
const PAUSE = 300;

/** Says in the status bar which schema governs the file in front of the user, and lets them choose another. */
export class StatusItem implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem("lofting.status", vscode.StatusBarAlignment.Right, 99);
  private readonly parts: vscode.Disposable[];
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly client: () => LanguageClient | undefined,
    private readonly serves: (document: vscode.TextDocument) => boolean,
  ) {
    this.item.name = "Lofting: schema";
    this.item.command = "lofting.chooseSchema";
    this.parts = [
      this.item,
      vscode.window.onDidChangeActiveTextEditor(() => this.refresh()),
      // Findings come again whenever something changed that may say which schema it is.
      vscode.languages.onDidChangeDiagnostics(() => this.refresh()),
    ];
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.parts.forEach((part) => part.dispose());
  }

  /** Asks the server in a moment; to be called when something may have changed. */
  refresh(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.ask(), PAUSE);
  }

  private async ask(): Promise<void> {
    const client = this.client();
    const document = vscode.window.activeTextEditor?.document;
    if (client === undefined || document === undefined || !this.serves(document)) {
      this.item.hide();
      void vscode.commands.executeCommand("setContext", "lofting.renders", false);
      return;
    }
    try {
      const textDocument = client.code2ProtocolConverter.asTextDocumentIdentifier(document);
      const status = await client.sendRequest<Status | null>("lofting/status", { textDocument });
      if (vscode.window.activeTextEditor?.document !== document) {
        return;
      }
      const words = inWords(status ?? undefined);
      this.item.text = `$(symbol-structure) ${words.text}`;
      this.item.tooltip = tooltip(words.detail);
      this.item.show();
      void vscode.commands.executeCommand("setContext", "lofting.renders", status?.renders === true);
    } catch {
      // The server is being started again; the next change asks it.
    }
  }
}

function tooltip(detail: string): vscode.MarkdownString {
  const shown = new vscode.MarkdownString();
  shown.appendText(`Lofting: ${detail}`);
  shown.appendMarkdown("\n\n[Choose another](command:lofting.chooseSchema) · [Which schema, and why](command:lofting.explain)");
  shown.isTrusted = { enabledCommands: ["lofting.chooseSchema", "lofting.explain"] };
  return shown;
}
