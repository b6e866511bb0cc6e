import { complain } from "./acts.js";
import { fragment, parsed, post, say } from "./fetching.js";

/** The menu of a note in place, menus that close, and buttons that copy. */
export function watchMenus() {
  const menu = document.getElementById("note-menu");
  if (menu?.showPopover) watchNoteMenus(menu);
  closeDetails();
  if (navigator.clipboard) watchCopying();
}

function watchCopying() {
  const show = () => {
    for (const button of document.querySelectorAll("[data-copy]")) button.hidden = false;
  };
  show();
  // Parts of a page that are drawn anew bring new buttons.
  document.addEventListener("linnet:fresh", show);
  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-copy]");
    if (!button) return;
    const text = document.getElementById(button.dataset.copy);
    try {
      await navigator.clipboard.writeText(text.value);
      say("Copied");
      (button.querySelector("[data-copy-words]") ?? button).textContent = "Copied";
    } catch {
      text.select();
    }
  });
}

function watchNoteMenus(menu) {
  let opener;
  document.addEventListener("click", async (event) => {
    const link = event.target.closest("a.act-more");
    if (!link || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    opener = link;
    try {
      const back = encodeURIComponent(location.pathname + location.search);
      menu.replaceChildren(...parsed(await fragment(`${link.getAttribute("href")}?back=${back}`)).children);
      menu.dispatchEvent(new Event("linnet:fresh", { bubbles: true }));
      menu.showPopover();
      place(menu, link);
      menu.querySelector("button")?.focus();
    } catch (trouble) {
      complain(trouble.message);
    }
  });
  menu.addEventListener("keydown", (event) => {
    const buttons = [...menu.querySelectorAll("button:not([hidden]), a")];
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    buttons[(buttons.indexOf(document.activeElement) + step + buttons.length) % buttons.length].focus();
  });
  menu.addEventListener("submit", async (event) => {
    event.preventDefault();
    const { submitter: button, target: form } = event;
    const path = new URL(button.formAction).pathname;
    const fields = new FormData(form, button);
    menu.hidePopover();
    try {
      const sentence = await post(path, fields);
      const isOff = fields.get("off") === "1";
      const show = isOff ? () => {} : hide(button.dataset.mark, form.dataset);
      told(sentence, opener, async () => {
        fields.set("off", isOff ? "" : "1");
        await post(path, fields);
        show();
      });
    } catch (trouble) {
      complain(trouble.message);
    }
  });
}

/**
 * Hides what a mute takes away: all of a person, or one note with the whole conversation around it. Returns the way back.
 *
 * By a rule and not note by note, because an older page that was asked for before may still be on its way here.
 */
function hide(mark, { author, note }) {
  const attribute = { "mute-person": ["data-author", author], "mute-conversation": ["data-id", note] }[mark];
  if (!attribute) return () => {};
  const sheet = new CSSStyleSheet();
  const [name, value] = attribute;
  sheet.replaceSync(`.feed .note:not(.is-focus)[${name}="${CSS.escape(value)}"] { display: none; }`);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  return () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet);
  };
}

/** Says what was done, where it is seen and heard, with a way back. */
function told(sentence, opener, undo) {
  document.querySelector(".toast")?.remove();
  const toast = document.createElement("p");
  toast.className = "toast";
  const words = document.createElement("span");
  words.textContent = sentence;
  const button = document.createElement("button");
  button.className = "button small";
  button.type = "button";
  button.textContent = "Undo";
  button.addEventListener("click", async () => {
    try {
      await undo();
      toast.remove();
      say("Undone");
      opener?.focus();
    } catch (trouble) {
      complain(trouble.message);
    }
  });
  toast.append(words, button);
  document.body.append(toast);
  say(sentence);
  setTimeout(() => toast.remove(), 12000);
}

function place(menu, link) {
  const box = link.getBoundingClientRect();
  const left = Math.min(Math.max(8, box.right - menu.offsetWidth), innerWidth - menu.offsetWidth - 8);
  const below = box.bottom + menu.offsetHeight + 8 < innerHeight;
  // What came into the feed meanwhile may have moved the button out of sight; the menu stays in it.
  const top = Math.min(below ? box.bottom : box.top - menu.offsetHeight, innerHeight - menu.offsetHeight - 8);
  menu.style.left = `${left}px`;
  menu.style.top = `${Math.max(8, top)}px`;
}

function closeDetails() {
  const open = () => document.querySelectorAll("details.menu[open]");
  document.addEventListener("click", (event) => {
    for (const one of open()) if (!one.contains(event.target)) one.open = false;
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    for (const one of open()) {
      one.open = false;
      one.querySelector("summary").focus();
    }
  });
}
