import * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";
import type { WorkspaceEdit } from "vscode-languageclient";
import { lineOf, type OutputLines, sourceOf } from "./outputLines";
import { Outdated } from "./outdated";

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
  reasons: string[];
  call: string | null;
  calls: Call[];
  /** The input set that is assumed because nothing describes one. */
  assumed: { name: string; command: string; values: string[] } | null;
}

/** Where the choice among several calls is remembered. */
const CHOICE = "lofting.renderedOutput.call";

/** So many documents know where their lines come from; the server follows no more of them either. */
const MOST = 16;

/** How long a click waits for the mouse to select something. */
const CLICK = 250;

/** How often the server is asked for the output of a set that was just described. */
const TRIES = 25;

const SCHEMES = ["lofting-output", "lofting-set-output"];

/** Outputs of templates as read-only documents that follow the edits, side by side with what they come from. */
export class RenderedOutput implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changed.event;
  /** What is shown, by URI. */
  private readonly shown = new Map<string, Answer>();
  private readonly outdated = new Outdated((uri) => this.shown.get(uri)?.reasons ?? []);
  private readonly parts: vscode.Disposable[];
  private listening: vscode.Disposable | undefined;
  private clicked: NodeJS.Timeout | undefined;

  constructor(
    private readonly client: () => LanguageClient | undefined,
    private readonly memory: vscode.Memento,
  ) {
    this.parts = [
      ...SCHEMES.map((scheme) => vscode.workspace.registerTextDocumentContentProvider(scheme, this)),
      vscode.window.onDidChangeTextEditorSelection((event) => this.follow(event)),
      this.changed,
      this.outdated,
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
    clearTimeout(this.clicked);
    this.listening?.dispose();
    this.parts.forEach((part) => part.dispose());
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const answer = await this.ask(uri.toString());
    if (answer === undefined) {
      return "#! not rendered: the server does not know this file\n";
    }
    this.keep(uri.toString(), answer);
    return answer.text;
  }

  private keep(uri: string, answer: Answer): void {
    this.shown.delete(uri);
    this.shown.set(uri, answer);
    for (const oldest of [...this.shown.keys()].slice(0, -MOST)) {
      this.shown.delete(oldest);
    }
    this.outdated.show(uri);
    const assumed = [...this.shown].filter(([, each]) => each.assumed !== null).map(([each]) => each);
    const several = [...this.shown].filter(([, each]) => each.calls.length > 1).map(([each]) => each);
    void vscode.commands.executeCommand("setContext", "lofting.assumedOutputs", assumed);
    void vscode.commands.executeCommand("setContext", "lofting.outputsWithOthers", several);
  }

  /** Shows beside the file in front of the user what it renders, or what its whole input set does. */
  async show(whole: boolean): Promise<void> {
    const document = vscode.window.activeTextEditor?.document;
    const answer = document && (await this.ask(document.uri.toString()));
    if (answer === undefined) {
      void vscode.window.showInformationMessage("Lofting: open a template first.");
      return;
    }
    if (answer.assumed !== null) {
      await this.open(answer.calls[0], answer.uri, whole);
      void this.offer(answer, whole);
      return;
    }
    const call = await this.choose(answer.calls);
    if (call !== undefined || answer.calls.length === 0) {
      await this.open(call, answer.uri, whole);
    }
  }

  /** Lets the user choose another call for an output, in its place. */
  async chooseCall(resource?: vscode.Uri): Promise<void> {
    const uri = resource ?? vscode.window.activeTextEditor?.document.uri;
    const answer = uri && (await this.ask(uri.toString()));
    const call = answer && (await this.choose(answer.calls));
    if (uri === undefined || call === undefined) {
      return;
    }
    await this.open(call, call.uri, uri.scheme === SCHEMES[1]);
    await this.close(uri, whatIsShown(call, uri.scheme === SCHEMES[1]));
  }

  /** Writes the input set that an output assumes into `lofting.toml`, and shows the output of that instead. */
  async describe(resource?: vscode.Uri): Promise<void> {
    const client = this.client();
    const uri = resource ?? vscode.window.activeTextEditor?.document.uri;
    if (client === undefined || uri === undefined) {
      return;
    }
    try {
      const params = { textDocument: { uri: uri.toString() } };
      const edit = await client.sendRequest<WorkspaceEdit | null>("lofting/describeInputSet", params);
      const converted = edit && (await client.protocol2CodeConverter.asWorkspaceEdit(edit));
      if (!converted || !(await vscode.workspace.applyEdit(converted))) {
        void vscode.window.showErrorMessage("Lofting: the files have changed meanwhile; try again.");
        return;
      }
      const [file] = converted.entries().map(([each]) => each);
      if (file !== undefined) {
        const description = await vscode.workspace.openTextDocument(file);
        await description.save();
        await vscode.window.showTextDocument(description, { viewColumn: vscode.ViewColumn.One, preview: false });
      }
      await this.afterDescribing(uri);
    } catch (error) {
      void vscode.window.showErrorMessage(`Lofting: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  /** The set has another name and other calls now. */
  private async afterDescribing(uri: vscode.Uri): Promise<void> {
    if (!SCHEMES.includes(uri.scheme)) {
      return;
    }
    const whole = uri.scheme === SCHEMES[1];
    const before = this.shown.get(uri.toString())?.call;
    // The server reads the description first.
    for (let tries = 0; tries < TRIES; tries++) {
      const answer = await this.ask(uri.toString());
      const call = answer?.calls.find((each) => each.title === before) ?? answer?.calls[0];
      if (answer?.assumed === null && call !== undefined) {
        await this.open(call, call.uri, whole);
        await this.close(uri, whatIsShown(call, whole));
        this.changed.fire(vscode.Uri.parse(whatIsShown(call, whole)));
        return;
      }
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }

  /** Says that an input set is assumed, and offers what can be done about it. */
  private async offer(answer: Answer, whole: boolean): Promise<void> {
    const { assumed, calls } = answer;
    const first = calls[0];
    if (assumed === null || first === undefined) {
      return;
    }
    const values = "Choose values file";
    const write = "Write to lofting.toml";
    const choices = calls.length > 1 ? [values, write] : [write];
    const message = `No input set is known for this file. Shown is what \`${assumed.command}\` renders${calls.length > 1 ? ", with the schema's defaults" : ""}.`;
    const choice = await vscode.window.showInformationMessage(message, ...choices);
    const uri = vscode.Uri.parse(whatIsShown(first, whole));
    if (choice === values) {
      await this.chooseCall(uri);
    } else if (choice === write) {
      await this.describe(uri);
    }
  }

  /** Opens an output beside; the focus stays where the user writes. */
  private async open(call: Call | undefined, uri: string, whole: boolean): Promise<void> {
    const shown = await vscode.workspace.openTextDocument(vscode.Uri.parse(call ? whatIsShown(call, whole) : uri));
    if (!shown.uri.path.endsWith(".txt")) {
      await vscode.languages.setTextDocumentLanguage(shown, "yaml");
    }
    const visible = vscode.window.visibleTextEditors;
    if (visible.some((editor) => editor.document === shown)) {
      return;
    }
    // Shown again, a tab would lose its title.
    await this.closeTabs(shown.uri);
    const open = visible.find((editor) => SCHEMES.includes(editor.document.uri.scheme));
    const viewColumn = open?.viewColumn ?? vscode.ViewColumn.Beside;
    await vscode.window.showTextDocument(shown, { viewColumn, preserveFocus: true, preview: false });
    this.outdated.show(shown.uri.toString());
  }

  /** Closes the tabs of an output that another one has replaced. */
  private async close(uri: vscode.Uri, by: string): Promise<void> {
    if (uri.toString() !== vscode.Uri.parse(by).toString()) {
      await this.closeTabs(uri);
    }
  }

  private async closeTabs(uri: vscode.Uri): Promise<void> {
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    const shows = (tab: vscode.Tab): boolean =>
      tab.input instanceof vscode.TabInputText && tab.input.uri.toString() === uri.toString();
    await vscode.window.tabGroups.close(tabs.filter(shows), true);
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
  private follow(event: vscode.TextEditorSelectionChangeEvent): void {
    const line = event.selections[0]?.active.line;
    if (line === undefined || event.kind === undefined) {
      return;
    }
    const here = event.textEditor.document.uri.toString();
    const output = this.shown.get(here);
    if (output !== undefined) {
      clearTimeout(this.clicked);
      if (event.kind === vscode.TextEditorSelectionChangeKind.Mouse) {
        // Who selects text with the mouse wants to copy it.
        this.clicked = setTimeout(() => {
          const source = event.textEditor.selection.isEmpty ? sourceOf(output, line) : undefined;
          void (source && goTo(vscode.Uri.parse(source.uri), source.line));
        }, CLICK);
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

function whatIsShown(call: Call, whole: boolean): string {
  return whole ? call.setUri : call.uri;
}

/** Goes to a line of a file, in an editor that has it already or in the first one. */
async function goTo(uri: vscode.Uri, line: number): Promise<void> {
  const open = vscode.window.visibleTextEditors.find((editor) => editor.document.uri.toString() === uri.toString());
  const editor = await vscode.window.showTextDocument(uri, { viewColumn: open?.viewColumn ?? vscode.ViewColumn.One });
  mark(editor, line);
}

function mark(editor: vscode.TextEditor, line: number): void {
  const range = editor.document.lineAt(Math.min(line, editor.document.lineCount - 1)).range;
  editor.selection = new vscode.Selection(range.start, range.start);
  editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}
