import * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";
import { inWords, type Status } from "./statusWords";

/** How long after a change the server is asked again. */
const PAUSE = 300;

/** Says at the edge of the window which schema governs the file in front of the user, and lets them choose another. */
export class StatusItem implements vscode.Disposable {
  private readonly item = vscode.languages.createLanguageStatusItem("lofting.status", { language: "yaml" });
  private readonly parts: vscode.Disposable[];
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly client: () => LanguageClient | undefined) {
    this.item.name = "Lofting";
    this.item.command = { command: "lofting.chooseSchema", title: "Choose" };
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
    if (client === undefined || document?.languageId !== "yaml") {
      return;
    }
    try {
      const textDocument = client.code2ProtocolConverter.asTextDocumentIdentifier(document);
      const status = await client.sendRequest<Status | null>("lofting/status", { textDocument });
      const words = inWords(status ?? undefined);
      this.item.text = words.text;
      this.item.detail = words.detail;
    } catch {
      // The server is being started again; the next change asks it.
    }
  }
}
