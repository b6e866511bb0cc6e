/** A click on a picture shows it large; Escape closes, the arrow keys go to the next one of the same note. */
export function watchViewer() {
  let viewer;
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("a.picture");
    if (!link || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.defaultPrevented) return;
    event.preventDefault();
    viewer ??= new Viewer();
    viewer.open(link);
  });
}

class Viewer {
  #links = [];
  #index = 0;

  constructor() {
    this.dialog = document.createElement("dialog");
    this.dialog.className = "viewer";
    this.dialog.setAttribute("aria-labelledby", "viewer-words");
    this.picture = document.createElement("img");
    this.words = document.createElement("p");
    this.words.id = "viewer-words";
    this.words.setAttribute("aria-live", "polite");
    this.previous = this.button("‹", "Previous picture", () => this.step(-1));
    this.next = this.button("›", "Next picture", () => this.step(1));
    this.original = document.createElement("a");
    this.original.className = "button small";
    this.original.rel = "noopener nofollow ugc";
    this.original.target = "_blank";
    this.original.textContent = "Open original";
    const close = this.button("Close", "", () => this.dialog.close());
    close.autofocus = true;
    const foot = document.createElement("div");
    foot.className = "viewer-foot";
    foot.append(this.words, this.previous, this.next, this.original, close);
    this.dialog.append(this.picture, foot);
    this.dialog.addEventListener("click", (event) => event.target === this.dialog && this.dialog.close());
    this.dialog.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      event.preventDefault();
      this.step(step);
    });
    this.dialog.addEventListener("close", () => this.#links[this.#index]?.focus({ preventScroll: true }));
    document.body.append(this.dialog);
  }

  button(text, label, act) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "button small";
    button.textContent = text;
    if (label) button.setAttribute("aria-label", label);
    button.addEventListener("click", act);
    return button;
  }

  open(link) {
    this.#links = [...link.closest(".media").querySelectorAll("a.picture")];
    this.#index = this.#links.indexOf(link);
    this.show();
    this.dialog.showModal();
  }

  step(by) {
    const next = this.#index + by;
    if (next < 0 || next >= this.#links.length) return;
    this.#index = next;
    this.show();
  }

  show() {
    const link = this.#links[this.#index];
    const { src, alt } = link.querySelector("img:not(.blur)");
    const count = this.#links.length;
    this.picture.src = src;
    this.picture.alt = alt;
    this.words.textContent = count > 1 ? `${alt}, ${this.#index + 1} of ${count}` : alt;
    this.original.href = link.href;
    this.previous.hidden = this.next.hidden = count < 2;
    this.previous.setAttribute("aria-disabled", String(this.#index === 0));
    this.next.setAttribute("aria-disabled", String(this.#index === count - 1));
  }
}
