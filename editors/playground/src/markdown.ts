// Shows Markdown as nodes of a document. Texts become text and nothing else; there is no HTML, image or script.
import MarkdownIt, { type Token } from "markdown-it";

const reader = new MarkdownIt({ html: false, linkify: false }).disable(["image", "table"]);

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
export function shown(markdown: string, page: Document): HTMLElement {
  const whole = page.createElement("div");
  add(reader.parse(markdown, {}), whole, page);
  return whole;
}

function add(tokens: Token[], whole: HTMLElement, page: Document): void {
  const open: HTMLElement[] = [whole];
  const leaf = (name: string, text: string): HTMLElement => {
    const element = page.createElement(name);
    element.textContent = text;
    return element;
  };
  for (const token of tokens) {
    const inner = open[open.length - 1];
    if (token.type === "inline") {
      add(token.children ?? [], inner, page);
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
      const element = page.createElement(ELEMENTS[token.type] ?? "span");
      const to = token.type === "link_open" ? address(token.attrGet("href")) : undefined;
      const link = to === undefined ? element : page.createElement("a");
      if (link instanceof HTMLAnchorElement && to !== undefined) {
        [link.href, link.target, link.rel] = [to, "_blank", "noopener noreferrer"];
      }
      inner.append(link);
      open.push(link);
    } else if (token.nesting === -1 && open.length > 1) {
      open.pop();
    }
  }
}
