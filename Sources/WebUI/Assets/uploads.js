import { fragment, parsed, post, say } from "./fetching.js";

/** Brings files as soon as they are chosen, dropped or pasted, shows how far they are, and asks what is to be seen in each. */
export function watchUploads() {
  for (const form of document.querySelectorAll("form[data-compose], form[data-upload]")) {
    const input = form.elements.upload;
    const list = form.querySelector("[data-uploads]");
    if (input && list) new Uploads(form, input, list);
  }
}

/* What this browser can draw of a file; null where it cannot. */
async function drawing(what, file) {
  try {
    return await (await import("./redraw.js"))[what](file);
  } catch {
    return null;
  }
}

/** The files of one form: chosen, dropped, pasted or taken by the camera, each in a row of its own. */
export class Uploads {
  /* Files may be dropped on the form, or on more of the page. */
  constructor(form, input, list, zone = form) {
    Object.assign(this, { form, input, list, sending: new Set(), isNote: "compose" in form.dataset });
    if (this.isNote) form.querySelector("[data-plain-alt]")?.remove();
    input.removeAttribute("required");
    input.multiple = true;
    input.addEventListener("change", () => this.takeChosen(input));
    const { camera } = form.elements;
    camera?.addEventListener("change", () => this.takeChosen(camera));
    const area = form.querySelector(".new-files") ?? form;
    zone.addEventListener("dragover", (event) => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      area.classList.add("is-over");
    });
    for (const kind of ["dragleave", "drop"]) zone.addEventListener(kind, () => area.classList.remove("is-over"));
    zone.addEventListener("drop", (event) => this.takeDropped(event, event.dataTransfer));
    form.addEventListener("paste", (event) => {
      const types = event.clipboardData?.types ?? [];
      // Office programs bring a picture of their text along.
      if (types.includes("text/plain") && types.includes("text/html")) return;
      this.takeDropped(event, event.clipboardData);
    });
    // Before whatever else sends the form.
    form.addEventListener("submit", (event) => this.hold(event), true);
    for (const row of list.querySelectorAll("[data-standing=waiting]")) this.follow(row);
  }

  /* Whether what is chosen becomes a row at once, and not only when the form is sent. */
  get bringsAtOnce() {
    return this.isNote;
  }

  /* Whether it is asked what is to be seen or heard in each. */
  get asksForWords() {
    return this.isNote;
  }

  takeChosen(input) {
    const files = [...input.files];
    if (!this.bringsAtOnce) return;
    input.value = "";
    for (const file of files) this.bring(file);
  }

  takeDropped(event, transfer) {
    const files = [...(transfer?.files ?? [])];
    if (files.length === 0) return;
    event.preventDefault();
    for (const file of files) this.bring(file);
  }

  /* A note is not handed over while a file is still on its way to Linnet, nor is a page of files sent twice. */
  hold(event) {
    if (!this.isNote) {
      const files = [...this.input.files];
      event.preventDefault();
      event.stopImmediatePropagation();
      this.input.value = "";
      if (files.length === 0) say("Choose a file first.");
      for (const file of files) this.bring(file);
      return;
    }
    if (this.sending.size === 0) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    say("Wait until the files are here.");
  }

  bring(file) {
    const row = this.row(file.name || "picture");
    this.list.append(row);
    this.number();
    this.send(file, row);
  }

  /* A picture that the machine refused is drawn anew here, once; a film brings a still of it along. */
  async send(file, row, isRedrawn = false) {
    const fields = new FormData();
    fields.append("csrf", this.form.elements.csrf.value);
    if (!this.isNote) fields.append("alt", this.form.elements.alt?.value ?? "");
    fields.append("upload", file, file.name || "picture");
    this.sending.add(row);
    const still = file.type.startsWith("video/") ? await drawing("still", file) : null;
    if (!row.isConnected) return;
    if (still) fields.append("still", still, still.name);
    const request = new XMLHttpRequest();
    row.request = request;
    request.upload.addEventListener("progress", ({ loaded, total }) => this.show(row, total ? (loaded / total) * 50 : 0));
    request.addEventListener("loadend", async () => {
      if (!isRedrawn && request.status >= 400 && ![401, 403, 409].includes(request.status)) {
        const other = await drawing("redrawn", file);
        if (other && row.isConnected) return this.send(other, row, true);
      }
      this.sending.delete(row);
      if (!row.isConnected) return;
      if (request.status !== 200) return this.fail(row, request.responseText.slice(0, 200) || "Linnet is not answering.", file);
      const told = parsed(request.responseText).querySelector(".upload");
      if (!told) return this.fail(row, "That did not work.", file);
      row.dataset.id = told.dataset.id;
      this.number();
      this.tell(row, told);
      this.follow(row);
    });
    request.open("POST", "/files");
    request.setRequestHeader("X-Linnet-Fragment", "1");
    if (document.body.dataset.account) request.setRequestHeader("X-Linnet-Account", document.body.dataset.account);
    request.send(fields);
  }

  /* Asks how it stands until a server has it or none took it. */
  async follow(row) {
    for (let rest = 700; row.isConnected && row.dataset.standing === "waiting"; rest = Math.min(rest * 1.3, 15000)) {
      await new Promise((done) => setTimeout(done, document.hidden ? 15000 : rest));
      try {
        const told = parsed(await fragment(`/files/uploads/${row.dataset.id}`)).querySelector(".upload");
        if (told) this.tell(row, told);
      } catch {
        // Linnet is not answering, and goes on with the upload all the same; it is asked again.
      }
    }
  }

  tell(row, told) {
    const was = row.dataset.standing;
    row.dataset.standing = told.dataset.standing;
    const words = told.querySelector("[data-words]");
    const place = row.querySelector("[data-words]");
    place.textContent = words?.textContent ?? "";
    place.className = words?.className ?? "hint";
    this.show(row, 50 + Number(told.querySelector("progress")?.value ?? 0) / 2);
    if (row.dataset.standing === "failed") this.offerAgain(row, () => this.again(row));
    if (was !== row.dataset.standing) say(`${row.dataset.name}: ${place.textContent}`);
  }

  async again(row) {
    try {
      const html = await post(`/files/uploads/${row.dataset.id}/retry`, { csrf: this.form.elements.csrf.value });
      const told = parsed(html).querySelector(".upload");
      if (told) this.tell(row, told);
      this.follow(row);
    } catch (trouble) {
      this.fail(row, trouble.message);
      this.offerAgain(row, () => this.again(row));
    }
  }

  fail(row, words, file) {
    row.dataset.standing = "failed";
    const place = row.querySelector("[data-words]");
    place.textContent = words;
    place.className = "problem";
    say(`${row.dataset.name}: ${words}`);
    if (file) this.offerAgain(row, () => this.send(file, row));
  }

  offerAgain(row, act) {
    row.querySelector("[data-again]")?.remove();
    const button = this.button("Try again", `Try ${row.dataset.name} again`, () => {
      button.remove();
      act();
    });
    button.dataset.again = "";
    row.querySelector(".upload-acts")?.append(button);
  }

  async cancel(row) {
    row.request?.abort();
    row.remove();
    this.sending.delete(row);
    this.number();
    this.input.focus();
    if (!row.dataset.id) return;
    const fields = { csrf: this.form.elements.csrf.value };
    await post(`/files/uploads/${row.dataset.id}/cancel`, fields).catch(() => {});
  }

  row(name) {
    const row = document.createElement(this.list.tagName === "OL" ? "li" : "div");
    row.className = "upload";
    Object.assign(row.dataset, { standing: "waiting", name });
    const title = document.createElement("span");
    title.className = "upload-name";
    title.textContent = name;
    const progress = document.createElement("progress");
    progress.max = 100;
    progress.value = 0;
    progress.setAttribute("aria-label", `How much of ${name} is sent`);
    const words = document.createElement("p");
    words.className = "hint";
    words.dataset.words = "";
    const acts = document.createElement("div");
    acts.className = "upload-acts";
    row.append(title, progress, words);
    if (this.asksForWords) row.append(this.descriptionField(name));
    if (this.bringsAtOnce) {
      const up = this.button("Up", `Move ${name} up`, () => this.raise(row));
      up.dataset.raise = "";
      acts.append(up);
    }
    acts.append(this.button("Remove", `Remove ${name}`, () => this.cancel(row)));
    row.append(acts);
    return row;
  }

  descriptionField(name) {
    const label = document.createElement("label");
    label.textContent = "What can be seen or heard in it";
    const input = document.createElement("input");
    Object.assign(input, { maxLength: 1000, dir: "auto" });
    input.dataset.alt = "";
    input.setAttribute("aria-label", `What can be seen or heard in ${name}`);
    label.append(input);
    return label;
  }

  button(words, label, act) {
    const button = document.createElement("button");
    Object.assign(button, { type: "button", className: "button quiet small", textContent: words });
    button.setAttribute("aria-label", label);
    button.addEventListener("click", act);
    return button;
  }

  raise(row) {
    const before = row.previousElementSibling;
    if (!before) return;
    before.before(row);
    this.number();
    // At the top there is no further up.
    row.querySelector(row.previousElementSibling ? "[data-raise]" : "button:not([data-raise])")?.focus();
    say(`${row.dataset.name} is now number ${[...this.list.children].indexOf(row) + 1}.`);
  }

  /* The form names the files in the order shown. */
  number() {
    if (!this.isNote) return;
    [...this.list.children].forEach((row, place) => {
      const words = row.querySelector("[data-alt]");
      if (words) words.name = `alt-${place}`;
      if (!row.dataset.id || !words) return;
      let field = row.querySelector("[data-uploading]");
      if (!field) {
        field = document.createElement("input");
        field.type = "hidden";
        field.dataset.uploading = "";
        field.value = row.dataset.id;
        row.append(field);
      }
      field.name = `uploading-${place}`;
    });
  }

  show(row, percent) {
    const progress = row.querySelector("progress");
    if (progress) progress.value = Math.max(progress.value, percent);
  }
}
