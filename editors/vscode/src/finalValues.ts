import * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";

/** The server's answer to `lofting/finalDataValues`. */
interface Answer {
  uri: string;
  text: string;
}

/** Final data values as read-only documents that follow the edits. */
export class FinalValues implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changed.event;
  private provider: vscode.Disposable | undefined;

  constructor(private readonly client: () => LanguageClient | undefined) {}

  /** Makes documents follow what the server says; to be called for each client that was started. */
  listen(client: LanguageClient): void {
    this.provider?.dispose();
    this.provider = vscode.workspace.registerTextDocumentContentProvider("lofting-values", this);
    client.onNotification("lofting/finalDataValuesChanged", (params: { uri: string }) => {
      this.changed.fire(vscode.Uri.parse(params.uri));
    });
  }

  dispose(): void {
    this.provider?.dispose();
    this.changed.dispose();
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const answer = await this.ask(uri.toString());
    return answer?.text ?? "#! No data values are known for this file.\n";
  }

  /** Shows the final data values that the file in front of the user takes part in. */
  async show(): Promise<void> {
    const document = vscode.window.activeTextEditor?.document;
    if (document === undefined) {
      void vscode.window.showInformationMessage("Lofting: open a schema, values or template file first.");
      return;
    }
    const answer = await this.ask(document.uri.toString());
    if (answer === undefined) {
      void vscode.window.showInformationMessage("Lofting: no data values are known for this file.");
      return;
    }
    const shown = await vscode.workspace.openTextDocument(vscode.Uri.parse(answer.uri));
    await vscode.window.showTextDocument(shown, { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true });
  }

  private async ask(uri: string): Promise<Answer | undefined> {
    const answer = await this.client()?.sendRequest<Answer | null>("lofting/finalDataValues", {
      textDocument: { uri },
    });
    return answer ?? undefined;
  }
}
