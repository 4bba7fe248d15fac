import * as vscode from "vscode";
import { type Installed, isTextTemplate, servedLanguages } from "./languages";

/** How much of a text is looked at to see whether it is a template. */
const BEGINNING = 64 * 1024;

/** The languages whose documents the server gets, as extensions are installed now. */
export function languagesNow(): string[] {
  const installed = vscode.extensions.all.map((extension): Installed => {
    const manifest = extension.packageJSON as {
      main?: string;
      browser?: string;
      contributes?: { languages?: Installed["languages"] };
    };
    const runs = manifest.main !== undefined || manifest.browser !== undefined;
    return { id: extension.id, runs, languages: manifest.contributes?.languages ?? [] };
  });
  return servedLanguages(installed);
}

/** Gives ytt's text templates their language: by their names they are plain text, so only their content tells. */
export function watchTextTemplates(): vscode.Disposable {
  const look = (document: vscode.TextDocument): void => {
    if (document.languageId !== "plaintext" || !document.uri.path.endsWith(".txt")) {
      return;
    }
    if (isTextTemplate(document.getText(new vscode.Range(document.positionAt(0), document.positionAt(BEGINNING))))) {
      void vscode.languages.setTextDocumentLanguage(document, "ytt-text");
    }
  };
  vscode.workspace.textDocuments.forEach(look);
  return vscode.workspace.onDidOpenTextDocument(look);
}
