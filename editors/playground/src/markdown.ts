// Shows Markdown as nodes of a document. Texts become text and nothing else; there is no HTML, image or script.
import MarkdownIt, { type Token } from "markdown-it";
import { fileOf } from "../../browser/links";

const reader = new MarkdownIt({ html: false, linkify: false }).disable(["image", "table"]);
reader.validateLink = (link) => address(link) !== undefined || fileOf(link) !== undefined;

/** Goes to a line of a file. */
export type Follow = (file: string, line: number) => void;

/** The elements that are made, by the tokens that open them. */
const ELEMENTS: Record<string, string> = {
  paragraph_open: "p",
  bullet_list_open: "ul",
  ordered_list_open: "ol",
  list_item_open: "li",
  blockquote_open: "blockquote",
  strong_open: "strong",
  em_open: "em",
  heading_open: "h3",
};

/** The address of a link, if it leads to a page of the web. */
export function address(link: string | null): string | undefined {
  try {
    const url = new URL(link ?? "");
    return url.protocol === "https:" && url.username === "" ? url.href : undefined;
  } catch {
    return undefined;
  }
}

/** The nodes of a text, in an element. */
export function shown(markdown: string, page: Document, follow: Follow): HTMLElement {
  const whole = page.createElement("div");
  add(reader.parse(markdown, {}), whole, page, follow);
  return whole;
}

/** The element of a link: of a page of the web, or a button for a file of this one. */
function linked(link: string | null, page: Document, follow: Follow): HTMLElement {
  const file = fileOf(link ?? "");
  if (file !== undefined) {
    const button = page.createElement("button");
    [button.type, button.className] = ["button", "link"];
    button.addEventListener("click", () => follow(file.file, file.line));
    return button;
  }
  const to = address(link);
  if (to === undefined) {
    return page.createElement("span");
  }
  const element = page.createElement("a");
  [element.href, element.target, element.rel] = [to, "_blank", "noopener noreferrer"];
  return element;
}

function add(tokens: Token[], whole: HTMLElement, page: Document, follow: Follow): void {
  const open: HTMLElement[] = [whole];
  const leaf = (name: string, text: string): HTMLElement => {
    const element = page.createElement(name);
    element.textContent = text;
    return element;
  };
  for (const token of tokens) {
    const inner = open[open.length - 1];
    if (token.type === "inline") {
      add(token.children ?? [], inner, page, follow);
    } else if (token.type === "text" || token.type === "html_inline" || token.type === "html_block") {
      inner.append(token.content);
    } else if (token.type === "code_inline") {
      inner.append(leaf("code", token.content));
    } else if (token.type === "fence" || token.type === "code_block") {
      inner.append(leaf("pre", token.content));
    } else if (token.type === "softbreak") {
      inner.append("\n");
    } else if (token.type === "hardbreak" || token.type === "hr") {
      inner.append(page.createElement(token.type === "hr" ? "hr" : "br"));
    } else if (token.nesting === 1) {
      const isLink = token.type === "link_open";
      const element = isLink ? linked(token.attrGet("href"), page, follow) : page.createElement(ELEMENTS[token.type] ?? "span");
      inner.append(element);
      open.push(element);
    } else if (token.nesting === -1 && open.length > 1) {
      open.pop();
    }
  }
}
