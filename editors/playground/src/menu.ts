// A menu at a place of the page, for the keyboard and the pointer.

/** Shows entries; the chosen one is called. */
export function menu(at: { left: number; bottom: number }, entries: { title: string; choose(): void }[], back: () => void): void {
  document.getElementById("menu")?.remove();
  const whole = document.createElement("ul");
  whole.id = "menu";
  whole.setAttribute("role", "menu");
  const close = (): void => {
    whole.remove();
    document.removeEventListener("pointerdown", outside);
  };
  const outside = (event: Event): void => {
    if (!(event.target instanceof Node) || !whole.contains(event.target)) {
      close();
    }
  };
  const buttons = entries.map(({ title, choose }) => {
    const item = document.createElement("li");
    const button = document.createElement("button");
    item.setAttribute("role", "none");
    button.type = "button";
    button.setAttribute("role", "menuitem");
    button.textContent = title;
    button.addEventListener("click", () => {
      close();
      back();
      choose();
    });
    item.append(button);
    whole.append(item);
    return button;
  });
  whole.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      const now = buttons.indexOf(document.activeElement as HTMLButtonElement);
      buttons[(now + step + buttons.length) % buttons.length]?.focus();
    } else if (event.key === "Escape" || event.key === "Tab") {
      close();
      back();
    } else {
      return;
    }
    event.preventDefault();
  });
  document.addEventListener("pointerdown", outside);
  document.body.append(whole);
  const box = whole.getBoundingClientRect();
  whole.style.left = `${Math.max(4, Math.min(at.left, innerWidth - box.width - 4))}px`;
  whole.style.top = `${Math.max(4, Math.min(at.bottom, innerHeight - box.height - 4))}px`;
  buttons[0]?.focus();
}
