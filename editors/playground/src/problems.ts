// The list of findings beside the editor.
import type { Action, Finding } from "../../browser/answers";

/** A finding of a file, and what fixes it. */
export interface Problem {
  file: string;
  finding: Finding;
  fixes: Action[];
}

/** So many are listed. */
const MOST = 200;

/** Shows the problems of all files, those of the file in front first. */
export function list(
  problems: Problem[], into: HTMLElement, go: (problem: Problem) => void, fix: (action: Action) => void,
): void {
  const items = problems.slice(0, MOST).map((problem) => {
    const { finding } = problem;
    const item = document.createElement("li");
    const place = document.createElement("button");
    place.type = "button";
    place.className = "place";
    const head = part("head", ` ${problem.file}:${finding.range.start.line + 1}:${finding.range.start.character + 1} · ${finding.code}`);
    const severity = part(finding.severity, finding.severity);
    head.prepend(severity);
    place.append(head, part("message", finding.message));
    place.addEventListener("click", () => go(problem));
    item.append(place);
    if (problem.fixes.length > 0) {
      const fixes = document.createElement("div");
      fixes.className = "fixes";
      for (const action of problem.fixes) {
        const button = document.createElement("button");
        button.type = "button";
        button.textContent = action.title;
        button.addEventListener("click", () => fix(action));
        fixes.append(button);
      }
      item.append(fixes);
    }
    return item;
  });
  if (problems.length > MOST || problems.length === 0) {
    const rest = document.createElement("li");
    rest.className = "none";
    rest.textContent = problems.length === 0 ? "None found." : `${problems.length - MOST} more`;
    items.push(rest);
  }
  into.replaceChildren(...items);
}

function part(name: string, text: string): HTMLElement {
  const element = document.createElement("span");
  element.className = name;
  element.textContent = text;
  return element;
}
