import * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";

/** Schemas that are part of the server, as read-only documents: the server never changes them while it runs. */
export class BuiltInSchemas implements vscode.TextDocumentContentProvider {
  constructor(private readonly client: () => LanguageClient | undefined) {}

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const answer = await this.client()?.sendRequest<{ text: string } | null>("workspace/textDocumentContent", {
      uri: uri.toString(),
    });
    return answer?.text ?? "";
  }
}
