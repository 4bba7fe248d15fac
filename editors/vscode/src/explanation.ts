// Makes a page of what the server says about a file's schema. Knows nothing of VS Code, so that it is tested without it.
import MarkdownIt from "markdown-it";

/** Where a link leads: a place in a file (both numbers count from 0), or a page of the web. */
export type Target = { file: string; line: number; column: number } | { page: string };

/** The target of a link; undefined for what must not be opened, such as commands of the editor. */
export function target(link: string): Target | undefined {
  let url: URL;
  try {
    url = new URL(link);
  } catch {
    return undefined;
  }
  if (url.protocol === "https:") {
    return { page: link };
  }
  // A host would be another machine's share.
  if (url.protocol !== "file:" || url.host !== "") {
    return undefined;
  }
  const [, line, column] = /^#L(\d+)(?:,(\d+))?$/.exec(url.hash) ?? [];
  url.hash = "";
  return { file: url.href, line: Math.max(Number(line ?? 1) - 1, 0), column: Math.max(Number(column ?? 1) - 1, 0) };
}

/** A whole page. It loads nothing, and its only script, known by `nonce`, reports which link was followed. */
export function page(markdown: string, nonce: string): string {
  const renderer = new MarkdownIt({ html: false, linkify: false }).disable("image");
  renderer.validateLink = (link) => target(link) !== undefined;
  renderer.renderer.rules.link_open = (tokens, index) => {
    const link = renderer.utils.escapeHtml(String(tokens[index].attrGet("href")));
    // Not as its address: the editor would follow that by itself, and refuse files.
    return `<a href="#" data-target="${link}" title="${link}">`;
  };
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'">
<style nonce="${nonce}">
body { line-height: 1.5; max-width: 50em; overflow-wrap: anywhere; }
h1 { font-size: 1.4em; } h2 { font-size: 1.1em; }
code, pre { font-family: var(--vscode-editor-font-family); }
pre { background: var(--vscode-textCodeBlock-background); padding: 0.5em; overflow-x: auto; }
</style>
</head>
<body>
${renderer.render(markdown)}
<script nonce="${nonce}">
const editor = acquireVsCodeApi();
document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-target]");
  if (link) {
    event.preventDefault();
    editor.postMessage(link.dataset.target);
  }
});
</script>
</body>
</html>
`;
}
