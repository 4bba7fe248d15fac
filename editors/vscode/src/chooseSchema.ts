import * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";
import type { WorkspaceEdit } from "vscode-languageclient";
import { entries, places, type Place, type SchemaChoice, type SchemaChoices } from "./schemaChoices";

/** Lets the user choose the schema or the input set of the file in front of them; the choice is an edit. */
export async function chooseSchema(client: LanguageClient | undefined): Promise<void> {
  const document = vscode.window.activeTextEditor?.document;
  if (client === undefined || document === undefined) {
    void vscode.window.showInformationMessage("Lofting: open a YAML file first.");
    return;
  }
  const textDocument = client.code2ProtocolConverter.asTextDocumentIdentifier(document);
  try {
    const found = await client.sendRequest<SchemaChoices | null>("lofting/schemaChoices", { textDocument });
    const choice = found && (await choose(found));
    const place = choice && (await choosePlace(choice));
    if (!choice || !place) {
      return;
    }
    const params = { textDocument, choice: choice.choice, place };
    const edit = await client.sendRequest<WorkspaceEdit | null>("lofting/chooseSchema", params);
    const converted = edit && (await client.protocol2CodeConverter.asWorkspaceEdit(edit));
    if (!converted || !(await vscode.workspace.applyEdit(converted))) {
      void vscode.window.showErrorMessage("Lofting: the files have changed meanwhile; choose again.");
    }
  } catch (error) {
    void vscode.window.showErrorMessage(`Lofting: ${error instanceof Error ? error.message : String(error)}`);
  }
}

async function choose(found: SchemaChoices): Promise<SchemaChoice | undefined> {
  if (found.choices.length === 0) {
    void vscode.window.showInformationMessage(`Lofting: there is nothing to choose. ${found.reason}`);
    return undefined;
  }
  const picked = await vscode.window.showQuickPick(entries(found), {
    title: "Schema or input set of this file",
    placeHolder: found.reason,
    matchOnDescription: true,
  });
  return picked?.choice;
}

/** The only place, or the one the user wants. */
async function choosePlace(choice: SchemaChoice): Promise<Place | undefined> {
  const offered = places(choice);
  if (offered.length < 2) {
    return offered[0]?.place;
  }
  const picked = await vscode.window.showQuickPick(offered, { placeHolder: "Where is the choice written?" });
  return picked?.place;
}
