import * as vscode from "vscode";
import { issueBody } from "./issue";

/** Opens the editor's reporter of issues with what is known about versions. */
export async function reportIssue(context: { extension: vscode.Extension<unknown> }, server: string | undefined, system: string): Promise<void> {
  const { id, packageJSON } = context.extension;
  const body = issueBody({
    extension: String((packageJSON as { version?: unknown }).version),
    server,
    editor: `${vscode.env.appName} ${vscode.version}`,
    system,
    remote: vscode.env.remoteName,
  });
  await vscode.commands.executeCommand("workbench.action.openIssueReporter", { extensionId: id, issueBody: body });
}
