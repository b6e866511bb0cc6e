/* Sealed files: those that are to go with a message, and words in place of a picture that cannot be shown. */
import { say } from "./fetching.js";
import { Uploads } from "./uploads.js";

const unsure = "Linnet is not answering. It may have gone out: look at the conversation before you try again.";
/* Bytes a second of a line that is slow and still is one, here as where Linnet brings files to servers. */
const slowest = 65536;
/* What belongs to the words: it goes where they go. */
const spoken = ["text", "mentions", "subject", "reply"];

/** The files of a message: they stay in the page until it is sent, since nothing of them may rest anywhere in clear. */
export class PenFiles extends Uploads {
  constructor(pen) {
    super(pen, pen.elements.file, pen.querySelector("[data-uploads]"), pen.closest(".talk") ?? pen);
    this.hint = pen.querySelector("[data-files-hint]");
    const watch = new MutationObserver(() => this.hint && (this.hint.hidden = this.isEmpty));
    watch.observe(this.list, { childList: true });
  }

  get isEmpty() {
    return this.list.children.length === 0;
  }

  get bringsAtOnce() {
    return true;
  }

  get asksForWords() {
    return "describes" in this.form.dataset;
  }

  /* The message is held by whoever sends it, and names no file: each goes out by itself. */
  hold() {}

  number() {}

  send(file, row) {
    row.file = file;
    row.once = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
    row.dataset.standing = "chosen";
    row.querySelector("progress").hidden = true;
  }

  /**
   * Sends each, one after the other; what is written goes with the last.
   *
   * - said: the fields of the form when it was sent; what is typed since is of no file of these.
   * - take: is given the part of a page that answers each.
   * Tells whether all went, and whether the words did; a file that did not go says why, and stays with all after it.
   */
  async sendAll(path, said, take) {
    let isSaid = false;
    for (let row = this.list.firstElementChild; row; row = this.list.firstElementChild) {
      const isLast = !isSaid && !row.nextElementSibling;
      const answer = await this.sendOne(path, row, this.fields(said, row, isLast));
      // Taken back while it was on its way.
      if (!row.isConnected) continue;
      if (answer.problem) {
        this.fail(row, answer.problem);
        this.offerAgain(row, () => this.form.requestSubmit());
        return { isDone: false, isSaid };
      }
      row.remove();
      isSaid ||= isLast;
      take(answer.html);
    }
    return { isDone: true, isSaid };
  }

  /* What a form says, with one file; the words only where they are to go with it. */
  fields(said, row, hasWords) {
    const fields = new FormData();
    for (const [name, value] of said) {
      if (name !== "once" && (hasWords || !spoken.includes(name))) fields.append(name, value);
    }
    // Each is told apart by itself: one that is tried again after no answer came is not sent twice.
    fields.append("once", row.once);
    fields.append("alt", row.querySelector("[data-alt]")?.value ?? "");
    fields.append("file", row.file, row.file.name || "picture");
    return fields;
  }

  /* What Linnet has it sends, whether or not this page waits for its answer. */
  cancel(row) {
    if (row.isWithLinnet) return say(`${row.dataset.name} is on its way and cannot be taken back.`);
    return super.cancel(row);
  }

  sendOne(path, row, fields) {
    const words = row.querySelector("[data-words]");
    const progress = row.querySelector("progress");
    row.dataset.standing = "waiting";
    row.querySelector("[data-again]")?.remove();
    [words.className, words.textContent] = ["hint", ""];
    [progress.hidden, progress.value] = [false, 0];
    return new Promise((resolve) => {
      const request = new XMLHttpRequest();
      row.request = request;
      request.open("POST", path);
      request.setRequestHeader("X-Linnet-Fragment", "1");
      request.setRequestHeader("X-Linnet-Present", "1");
      const account = document.body.dataset.account;
      if (account) request.setRequestHeader("X-Linnet-Account", account);
      request.upload.addEventListener("progress", ({ loaded, total }) => this.show(row, total ? (loaded / total) * 50 : 0));
      let isHandedOver = false;
      // As long as a slow line needs to Linnet and from there to two servers, and no longer: a machine may be gone.
      request.timeout = 1000 * (300 + 3 * row.file.size / slowest);
      request.upload.addEventListener("load", () => {
        isHandedOver = true;
        row.isWithLinnet = true;
        words.textContent = "Being encrypted and brought to your media servers";
        say(`${row.dataset.name}: ${words.textContent}`);
      });
      request.addEventListener("loadend", () => {
        row.isWithLinnet = false;
        if (request.status === 0) resolve({ problem: isHandedOver ? unsure : "Linnet is not answering." });
        else if (request.status >= 400) resolve({ problem: request.responseText.slice(0, 1000) || "That did not work." });
        else resolve({ html: request.responseText });
      });
      request.send(fields);
    });
  }
}

/** Says what is wrong with pictures that do not open. */
export function watchSealed() {
  // Such events do not rise, so they are met on their way down.
  document.addEventListener("error", (event) => gone(event.target), true);
  for (const image of document.querySelectorAll("img[data-sealed]")) {
    if (image.complete && image.naturalWidth === 0) gone(image);
  }
}

async function gone(image) {
  if (!image.matches?.("img[data-sealed]") || image.dataset.gone) return;
  image.dataset.gone = "1";
  const words = document.createElement("span");
  words.className = "talk-missing";
  words.textContent = "This picture cannot be shown.";
  image.parentElement?.querySelector(".veil")?.remove();
  image.replaceWith(words);
  try {
    const answer = await fetch(image.src, { credentials: "same-origin", headers: { "X-Linnet-Fragment": "1" } });
    if (!answer.ok) words.textContent = (await answer.text()).slice(0, 200) || words.textContent;
  } catch {
    // What is said already is true.
  }
}
