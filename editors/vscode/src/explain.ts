import { randomBytes } from "node:crypto";
import * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";
import { page, target } from "./explanation";

/** The answer to "which schema governs this file, and why", in a panel beside the file. */
export class Explanation implements vscode.Disposable {
  private panel: vscode.WebviewPanel | undefined;
  /** Where links are opened: the column of the file that was asked about. */
  private column: vscode.ViewColumn | undefined;

  constructor(private readonly client: () => LanguageClient | undefined) {}

  dispose(): void {
    this.panel?.dispose();
  }

  /** Asks the server about the file in front of the user and shows what it says. */
  async show(): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    const client = this.client();
    if (editor === undefined || client === undefined) {
      const why = client === undefined ? "the server is not running (see Lofting: Show the server's output)." : "open a YAML file first.";
      void vscode.window.showInformationMessage(`Lofting: ${why}`);
      return;
    }
    let answer: { markdown: string };
    try {
      answer = await client.sendRequest("lofting/explain", {
        textDocument: client.code2ProtocolConverter.asTextDocumentIdentifier(editor.document),
      });
    } catch (error) {
      void vscode.window.showErrorMessage(`Lofting: ${error instanceof Error ? error.message : String(error)}`);
      return;
    }
    this.column = editor.viewColumn;
    const panel = (this.panel ??= this.open());
    panel.webview.html = page(answer.markdown, randomBytes(16).toString("hex"));
    panel.reveal(undefined, true);
  }

  private open(): vscode.WebviewPanel {
    const panel = vscode.window.createWebviewPanel(
      "lofting.explanation",
      "Which schema, and why",
      { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true },
      { enableScripts: true, localResourceRoots: [] },
    );
    panel.webview.onDidReceiveMessage((link) => this.follow(String(link)));
    panel.onDidDispose(() => (this.panel = undefined));
    return panel;
  }

  private async follow(link: string): Promise<void> {
    const to = target(link);
    if (to === undefined) {
      return;
    }
    if ("page" in to) {
      await vscode.env.openExternal(vscode.Uri.parse(to.page, true));
      return;
    }
    const place = new vscode.Position(to.line, to.column);
    await vscode.window.showTextDocument(vscode.Uri.parse(to.file, true), {
      viewColumn: this.column,
      selection: new vscode.Range(place, place),
    });
  }
}
