import * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";
import { lineOf, type OutputLines, sourceOf } from "./outputLines";

/** A call of ytt that a file takes part in, with the virtual documents of what it renders. */
interface Call {
  title: string;
  uri: string;
  setUri: string;
}

/** The server's answer to `lofting/renderedOutput`. */
interface Answer extends OutputLines {
  uri: string;
  text: string;
  stale: boolean;
  call: string | null;
  calls: Call[];
}

/** Where the choice among several calls is remembered. */
const CHOICE = "lofting.renderedOutput.call";

/** So many documents know where their lines come from; the server follows no more of them either. */
const MOST = 16;

/** Outputs of templates as read-only documents that follow the edits, side by side with what they come from. */
export class RenderedOutput implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changed.event;
  /** What is shown, by URI. */
  private readonly shown = new Map<string, Answer>();
  private readonly parts: vscode.Disposable[];
  private listening: vscode.Disposable | undefined;

  constructor(
    private readonly client: () => LanguageClient | undefined,
    private readonly memory: vscode.Memento,
  ) {
    this.parts = [
      ...["lofting-output", "lofting-set-output"].map((scheme) =>
        vscode.workspace.registerTextDocumentContentProvider(scheme, this),
      ),
      vscode.window.onDidChangeTextEditorSelection((event) => void this.follow(event)),
      this.changed,
    ];
  }

  /** Makes documents follow what the server says; to be called for each client that was started. */
  listen(client: LanguageClient): void {
    this.listening?.dispose();
    this.listening = client.onNotification("lofting/renderedOutputChanged", (params: { uri: string }) => {
      this.changed.fire(vscode.Uri.parse(params.uri));
    });
  }

  dispose(): void {
    this.listening?.dispose();
    this.parts.forEach((part) => part.dispose());
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const answer = await this.ask(uri.toString());
    if (answer === undefined) {
      return "#! not rendered: the server does not know this file\n";
    }
    this.shown.delete(uri.toString());
    this.shown.set(uri.toString(), answer);
    for (const oldest of [...this.shown.keys()].slice(0, -MOST)) {
      this.shown.delete(oldest);
    }
    return answer.text;
  }

  /** Shows beside the file in front of the user what it renders, or what its whole input set does. */
  async show(whole: boolean): Promise<void> {
    const document = vscode.window.activeTextEditor?.document;
    const answer = document && (await this.ask(document.uri.toString()));
    if (answer === undefined) {
      void vscode.window.showInformationMessage("Lofting: open a template first.");
      return;
    }
    const call = await this.choose(answer.calls);
    if (call === undefined && answer.calls.length > 0) {
      return;
    }
    const uri = call === undefined ? answer.uri : whole ? call.setUri : call.uri;
    const shown = await vscode.workspace.openTextDocument(vscode.Uri.parse(uri));
    await vscode.languages.setTextDocumentLanguage(shown, "yaml");
    await vscode.window.showTextDocument(shown, { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true });
  }

  /** The only call, or the one the user wants to see; the last choice is offered first. */
  private async choose(calls: Call[]): Promise<Call | undefined> {
    if (calls.length < 2) {
      return calls[0];
    }
    const last = this.memory.get<string>(CHOICE);
    const sorted = [...calls].sort((a, b) => Number(b.title === last) - Number(a.title === last));
    const title = await vscode.window.showQuickPick(
      sorted.map((call) => call.title),
      { placeHolder: "Which input set is rendered?" },
    );
    await this.memory.update(CHOICE, title ?? last);
    return calls.find((call) => call.title === title);
  }

  /** A click in an output shows where the line comes from; the cursor in a template shows what becomes of it. */
  private async follow(event: vscode.TextEditorSelectionChangeEvent): Promise<void> {
    const line = event.selections[0]?.active.line;
    if (line === undefined || event.kind === undefined) {
      return;
    }
    const here = event.textEditor.document.uri.toString();
    const output = this.shown.get(here);
    if (output !== undefined) {
      const source = event.kind === vscode.TextEditorSelectionChangeKind.Mouse ? sourceOf(output, line) : undefined;
      if (source !== undefined) {
        await reveal(vscode.Uri.parse(source.uri), source.line);
      }
      return;
    }
    for (const editor of vscode.window.visibleTextEditors) {
      const shown = this.shown.get(editor.document.uri.toString());
      const at = shown && lineOf(shown, here, line);
      if (at !== undefined) {
        mark(editor, at);
      }
    }
  }

  private async ask(uri: string): Promise<Answer | undefined> {
    const answer = await this.client()?.sendRequest<Answer | null>("lofting/renderedOutput", {
      textDocument: { uri },
    });
    return answer ?? undefined;
  }
}

/** Shows a line of a file in an editor that has it already, or in the first one. */
async function reveal(uri: vscode.Uri, line: number): Promise<void> {
  const open = vscode.window.visibleTextEditors.find((editor) => editor.document.uri.toString() === uri.toString());
  const editor =
    open ?? (await vscode.window.showTextDocument(uri, { viewColumn: vscode.ViewColumn.One, preserveFocus: true }));
  mark(editor, line);
}

function mark(editor: vscode.TextEditor, line: number): void {
  const range = editor.document.lineAt(Math.min(line, editor.document.lineCount - 1)).range;
  editor.selection = new vscode.Selection(range.start, range.start);
  editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}
