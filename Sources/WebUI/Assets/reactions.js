import { complain } from "./acts.js";
import { fragment, parsed, post, say } from "./fetching.js";

/** Emoji at a long press on a heart, or with its context menu; and the list of reactions kept as it is. */
export function watchReactions() {
  watchLists();
  const menu = document.createElement("div");
  if (!menu.showPopover) return;
  menu.className = "note-menu reaction-menu";
  // By hand: a browser closes its own kind when the finger is lifted that has opened it.
  menu.setAttribute("popover", "manual");
  menu.setAttribute("role", "region");
  menu.setAttribute("aria-label", "React with an emoji");
  document.body.append(menu);
  const picker = { menu, opener: undefined };
  watchPresses(picker);
  watchClosing(picker);
  menu.addEventListener("submit", (event) => send(event, picker));
  menu.addEventListener("keydown", step);
}

function watchPresses(picker) {
  let timer;
  let wasLong = false;
  const heart = (event) => event.target.closest?.("button.act-like");
  document.addEventListener("contextmenu", (event) => {
    const button = heart(event);
    if (!button) return;
    event.preventDefault();
    clearTimeout(timer);
    open(picker, button);
  });
  document.addEventListener("pointerdown", (event) => {
    const button = heart(event);
    wasLong = false;
    clearTimeout(timer);
    if (!button || event.button !== 0) return;
    timer = setTimeout(() => {
      wasLong = true;
      open(picker, button);
    }, 550);
  });
  for (const kind of ["pointerup", "pointercancel", "scroll"]) {
    document.addEventListener(kind, () => clearTimeout(timer), { passive: true, capture: true });
  }
  // What ends a long press is no like.
  document.addEventListener(
    "click",
    (event) => {
      if (!wasLong || !heart(event)) return;
      wasLong = false;
      event.preventDefault();
      event.stopPropagation();
    },
    true,
  );
}

function watchClosing(picker) {
  const isOpen = () => picker.menu.matches(":popover-open");
  document.addEventListener("pointerdown", (event) => {
    if (isOpen() && !picker.menu.contains(event.target)) picker.menu.hidePopover();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !isOpen()) return;
    event.preventDefault();
    picker.menu.hidePopover();
    picker.opener?.focus();
  });
  picker.menu.addEventListener("focusout", (event) => {
    if (isOpen() && event.relatedTarget && !picker.menu.contains(event.relatedTarget)) picker.menu.hidePopover();
  });
}

async function open(picker, button) {
  if (picker.isOpening || picker.menu.matches(":popover-open")) return;
  picker.isOpening = true;
  picker.opener = button;
  try {
    const path = new URL(button.formAction).pathname.replace(/\/like$/, "/react");
    picker.menu.replaceChildren(...parsed(await fragment(path)).children);
    picker.menu.showPopover();
    place(picker.menu, button);
    picker.menu.querySelector("button")?.focus();
  } catch (trouble) {
    complain(trouble.message);
  } finally {
    picker.isOpening = false;
  }
}

async function send(event, { menu, opener }) {
  event.preventDefault();
  const { submitter: button, target: form } = event;
  const fields = new FormData(form, button);
  const path = new URL(form.action).pathname;
  menu.hidePopover();
  try {
    const fresh = parsed(await post(path, fields)).querySelector(".note-acts");
    const note = document.querySelector(`:is(.note, .article-page)[data-id="${CSS.escape(form.dataset.picker)}"]`);
    if (fresh) note?.querySelector(".note-acts")?.replaceWith(fresh);
    note?.querySelector(".act-like")?.focus();
    say("Reacted");
    document.dispatchEvent(new CustomEvent("linnet:acted", { detail: form.dataset.picker }));
  } catch (trouble) {
    complain(trouble.message);
    opener?.focus();
  }
}

/** The arrows lead from one emoji to the next. */
function step(event) {
  const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  if (!by || event.target.matches("input")) return;
  event.preventDefault();
  const all = [...event.currentTarget.querySelectorAll("button, a, input:not([type=hidden])")];
  all[(all.indexOf(document.activeElement) + by + all.length) % all.length]?.focus();
}

function place(menu, button) {
  const box = button.getBoundingClientRect();
  const left = Math.min(Math.max(8, box.left), innerWidth - menu.offsetWidth - 8);
  const isBelow = box.bottom + menu.offsetHeight + 8 < innerHeight;
  const top = Math.min(isBelow ? box.bottom : box.top - menu.offsetHeight, innerHeight - menu.offsetHeight - 8);
  menu.style.left = `${Math.max(8, left)}px`;
  menu.style.top = `${Math.max(8, top)}px`;
}

/** The list on a note's page follows what is done above it. */
function watchLists() {
  document.addEventListener("linnet:acted", async (event) => {
    const list = document.querySelector(`[data-reactions="${CSS.escape(event.detail)}"]`);
    if (!list) return;
    try {
      const fresh = parsed(await fragment(`/note/${event.detail}/reactions`)).querySelector(".reactions");
      if (fresh) list.replaceWith(fresh);
    } catch {
      // The page still shows what was true a moment ago.
    }
  });
}
