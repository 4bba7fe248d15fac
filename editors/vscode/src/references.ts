import * as vscode from "vscode";

/** Shows the references of the name at a position of the protocol, as the server's line above a key asks for it. */
export async function showReferences(uri: string, position: { line: number; character: number }): Promise<void> {
  const document = vscode.Uri.parse(uri, true);
  const place = new vscode.Position(position.line, position.character);
  const found = await vscode.commands.executeCommand<vscode.Location[]>("vscode.executeReferenceProvider", document, place);
  await vscode.commands.executeCommand("editor.action.showReferences", document, place, found ?? []);
}
