// The tabs of the files.

export interface Tab {
  name: string;
  errors: number;
  warnings: number;
}

export class Tabs {
  constructor(
    private readonly place: HTMLElement,
    private readonly choose: (name: string) => void,
    private readonly close: (name: string) => void,
  ) {
    place.addEventListener("keydown", (event) => this.move(event));
  }

  draw(tabs: Tab[], front: string): void {
    const hadFocus = this.place.contains(document.activeElement);
    this.place.replaceChildren(...tabs.map((tab) => this.made(tab, tab.name === front)));
    const chosen = this.place.querySelector<HTMLElement>("[aria-selected=true]");
    chosen?.parentElement?.scrollIntoView({ block: "nearest", inline: "nearest" });
    if (hadFocus) {
      chosen?.focus();
    }
  }

  private made({ name, errors, warnings }: Tab, isChosen: boolean): HTMLElement {
    const whole = document.createElement("div");
    whole.className = isChosen ? "tab chosen" : "tab";
    whole.setAttribute("role", "presentation");
    const tab = document.createElement("button");
    tab.type = "button";
    tab.setAttribute("role", "tab");
    tab.setAttribute("aria-selected", String(isChosen));
    tab.setAttribute("aria-controls", "editor");
    tab.tabIndex = isChosen ? 0 : -1;
    tab.dataset.name = name;
    tab.textContent = name;
    if (errors + warnings > 0) {
      const count = document.createElement("span");
      count.className = errors > 0 ? "count" : "count warnings";
      count.textContent = String(errors > 0 ? errors : warnings);
      count.setAttribute("aria-label", errors > 0 ? `${errors} errors` : `${warnings} warnings`);
      tab.append(count);
    }
    tab.addEventListener("click", () => this.choose(name));
    const close = document.createElement("button");
    close.type = "button";
    close.className = "close";
    close.tabIndex = -1;
    close.textContent = "×";
    close.setAttribute("aria-label", `Close ${name}`);
    close.addEventListener("click", () => this.close(name));
    whole.append(tab, close);
    return whole;
  }

  private move(event: KeyboardEvent): void {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const tabs = [...this.place.querySelectorAll<HTMLElement>("[role=tab]")];
    const at = tabs.indexOf(document.activeElement as HTMLElement);
    if (at === -1) {
      return;
    }
    if (step !== undefined) {
      const next = tabs[(at + step + tabs.length) % tabs.length];
      next.focus();
      this.choose(next.dataset.name ?? "");
      event.preventDefault();
    } else if (event.key === "Delete") {
      this.close(tabs[at].dataset.name ?? "");
      event.preventDefault();
    }
  }
}
