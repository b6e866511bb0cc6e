import { complain } from "./acts.js";
import { suggestNames, suggestPeople } from "./compose.js";
import { fragment, parsed, post, say, serially } from "./fetching.js";
import { addKeys } from "./keys.js";
import { PenFiles, watchSealed } from "./sealed.js";

/** Private messages: what comes shows itself, and what is written goes out without leaving the page. */
export function watchMessages() {
  const mail = document.querySelector("[data-mail]");
  if (!mail) return;
  const talk = document.querySelector("[data-talk]");
  if (talk) watchTalk(talk);
  const first = document.querySelector("form[data-new]");
  if (first) watchNew(first);
  watchAccess(mail);
  watchList(mail, talk);
  watchMenus();
  watchSealed();
  addKeys((key) => act(key, talk));
}

/* Once the key is locked nothing private stays on the screen; once it is open again the page goes on. */
function watchAccess(mail) {
  document.addEventListener("linnet:messaging", ({ detail }) => {
    if (!detail.access || detail.access === mail.dataset.access) return;
    mail.dataset.access = detail.access;
    leaves = true;
    location.reload();
  });
}

let leaves = false;

/* ---- The list ---- */

function watchList(mail, talk) {
  const list = document.getElementById("mail-list");
  if (!list) return;
  const refresh = serially(() => refreshList(list, talk));
  document.addEventListener("linnet:messaging", ({ detail }) => {
    // The first word mostly repeats what the page was drawn with.
    const counts = `${detail.unread} ${detail.requests}`;
    const isNews = detail.isAgain || counts !== mail.dataset.counts;
    mail.dataset.counts = counts;
    // What comes of circles is not in the counts, and may have come while the page was on its way.
    if (isNews || (detail.begins && mail.dataset.hint)) void refresh();
  });
  document.addEventListener(mail.dataset.hint ?? "linnet:conversation", () => void refresh());
}

async function refreshList(list, talk) {
  const path = list.querySelector("[data-path]").dataset.path;
  const page = parsed(await fragment(path));
  const rows = page.querySelector(".mail-rows");
  const here = list.querySelector(".mail-rows");
  if (!rows || !here) return;
  const focused = document.activeElement?.closest?.(".mail-row")?.getAttribute("href");
  for (const row of rows.querySelectorAll(".mail-row")) {
    if (talk && row.getAttribute("href") === pathOf(talk)) row.setAttribute("aria-current", "page");
  }
  here.replaceWith(rows);
  for (const name of [".mail-tabs", ".mail-invitations", ".mail-asked", ".mail-empty"]) {
    const [old, fresh] = [list.querySelector(name), page.querySelector(name)];
    if (old && fresh && !old.contains(document.activeElement)) old.replaceWith(fresh);
    else if (old && !fresh) old.remove();
    else if (!old && fresh) rows.after(fresh);
  }
  if (focused) list.querySelector(`.mail-row[href="${CSS.escape(focused)}"]`)?.focus();
}

/* ---- An open conversation ---- */

/** Where a conversation is: private messages, or the chat of a circle. */
const pathOf = (talk) => `${talk.dataset.base ?? "/messages"}/${talk.dataset.talk}`;

/** What the server last said of each message, to see what changed. */
const drawn = new Map();

function watchTalk(talk) {
  const word = talk.dataset.talk;
  const scroll = talk.querySelector("[data-log]");
  const isAtNewest = scroll.hasAttribute("data-newest");
  for (const item of talk.querySelectorAll(".talk-item")) drawn.set(item.id, item.outerHTML);
  groupByDay();
  const refresh = refreshing(pathOf(talk), isAtNewest);
  document.addEventListener(talk.dataset.hint ?? "linnet:conversation", ({ detail }) => detail.includes(word) && refresh());
  document.addEventListener("linnet:receipts", ({ detail }) => {
    if (detail.some((id) => document.getElementById(`m-${id}`))) refresh();
  });
  // Said when listening begins: something may have come since the page was drawn.
  document.addEventListener("linnet:messaging", ({ detail }) => detail.begins && refresh());
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && refresh());
  watchPen(talk, isAtNewest);
  watchRequest(talk, isAtNewest);
  watchLogActs(scroll, talk);
  watchEarlier(scroll);
  document.getElementById("unread")?.scrollIntoView({ block: "center" });
}

/** Reads the newest messages again, one time after the other; seen only when somebody looks. */
function refreshing(path, isAtNewest) {
  if (!isAtNewest) return async () => {};
  return serially(async () => {
    const seen = document.visibilityState === "visible" ? "?seen=1" : "";
    take(await fragment(`${path}${seen}`), true);
  });
}

const itemsOf = (root) => [...root.querySelectorAll(".talk-item")];
const order = (a, b) => Number(a.dataset.at) - Number(b.dataset.at) || (a.dataset.id < b.dataset.id ? -1 : 1);

/** Brings the messages on the page in line with a stretch the server sent. */
function take(html, isNewest) {
  const log = document.getElementById("talk-log");
  const page = parsed(html);
  // Who was removed meanwhile can write no more, and the page says why.
  if (page.querySelector("[data-over]") && document.querySelector("[data-pen]")) {
    leaves = true;
    location.reload();
    return;
  }
  // Nothing was said in it, and what was to be is taken back.
  if (page.querySelector("[data-gone]")) {
    leaves = true;
    location.assign("/messages");
    return;
  }
  const fresh = itemsOf(page);
  showState(page);
  showUnsent(page);
  const names = new Set(fresh.map((item) => item.id));
  for (const item of itemsOf(log)) {
    const isWithin = isNewest && (fresh.length === 0 || order(item, fresh[0]) >= 0);
    if (isWithin && !names.has(item.id)) item.remove();
  }
  const arrived = [];
  for (const item of fresh) {
    const known = document.getElementById(item.id);
    if (!known) {
      drawn.set(item.id, item.outerHTML);
      const next = itemsOf(log).find((other) => order(other, item) > 0);
      log.insertBefore(item, next ?? null);
      arrived.push(item);
    } else if (drawn.get(item.id) !== item.outerHTML && !known.querySelector("details[open], .talk-receipts")) {
      drawn.set(item.id, item.outerHTML);
      const hadFocus = document.activeElement === known;
      known.replaceWith(item);
      if (hadFocus) item.focus({ preventScroll: true });
    }
  }
  groupByDay();
  // What changed has no author, and what is muted is not told.
  const others = arrived.filter((item) => isNewest && !item.matches(".is-own, .talk-muted"));
  const last = others[others.length - 1];
  const author = last?.querySelector(".talk-author .name")?.textContent;
  if (last) say(author ? `${author}: ${last.dataset.words}` : last.dataset.words);
}

/** Whether more may be missing than is shown. */
function showState(page) {
  const [here, now] = [document, page].map((root) => root.querySelector("[data-talk-state]"));
  if (here && now && here.textContent !== now.textContent) here.textContent = now.textContent;
}

/** The addresses at which files that no media server has taken yet are taken back: one for each. */
function unsentFiles(talk) {
  const buttons = talk.querySelectorAll("[data-unsent] [formaction$='/remove']");
  return [...buttons].map((button) => button.getAttribute("formaction"));
}

/** Files that no media server has taken yet. */
function showUnsent(page) {
  const [here, now] = [document, page].map((root) => root.querySelector("[data-unsent]"));
  if (!here || !now) return;
  // The line that is told of stays the same element, and is touched only when it says something else.
  const [count, newCount] = [here, now].map((part) => part.querySelector("[data-unsent-count]"));
  if (count.textContent !== newCount.textContent) count.textContent = newCount.textContent;
  const [rows, newRows] = [here, now].map((part) => part.querySelector("[data-unsent-rows]"));
  if (rows.innerHTML === newRows.innerHTML) return;
  const at = rows.contains(document.activeElement) ? document.activeElement.getAttribute("formaction") : null;
  rows.replaceChildren(...newRows.childNodes);
  if (at) here.querySelector(`[formaction="${CSS.escape(at)}"]`)?.focus({ preventScroll: true });
}

const days = new Intl.DateTimeFormat(undefined, { weekday: "long", day: "numeric", month: "long" });
const daysOfYears = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "long", year: "numeric" });

/** The days of the reader's own time zone, in place of Greenwich's. */
function groupByDay() {
  const log = document.getElementById("talk-log");
  for (const line of log.querySelectorAll(".talk-day")) line.remove();
  let before = "";
  for (const item of itemsOf(log)) {
    const moment = new Date(Number(item.dataset.at) * 1000);
    const name = moment.toDateString();
    if (name === before) continue;
    before = name;
    const line = document.createElement("li");
    line.className = "talk-day";
    line.textContent = dayName(moment);
    const previous = item.previousElementSibling;
    log.insertBefore(line, previous?.matches(".talk-new") ? previous : item);
  }
}

function dayName(moment) {
  const now = new Date();
  if (moment.toDateString() === now.toDateString()) return "Today";
  const yesterday = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1);
  if (moment.toDateString() === yesterday.toDateString()) return "Yesterday";
  return (moment.getFullYear() === now.getFullYear() ? days : daysOfYears).format(moment);
}

/* ---- Earlier messages ---- */

function watchEarlier(scroll) {
  const load = async (link) => {
    if (link.dataset.busy) return;
    link.dataset.busy = "1";
    try {
      const html = await fragment(link.getAttribute("href"));
      take(html, false);
      const next = parsed(html).querySelector("[data-earlier]");
      if (next) {
        link.href = next.getAttribute("href");
        delete link.dataset.busy;
      } else {
        link.closest(".talk-older").replaceWith(parsed(html).querySelector(".talk-start") ?? "");
      }
    } catch (trouble) {
      link.textContent = `${trouble.message} Try again`;
      delete link.dataset.busy;
    }
  };
  scroll.addEventListener("click", (event) => {
    const link = event.target.closest("[data-earlier]");
    if (!link) return;
    event.preventDefault();
    void load(link);
  });
  const eye = new IntersectionObserver((entries) => {
    for (const entry of entries) if (entry.isIntersecting && scroll.scrollTop !== 0) void load(entry.target);
  }, { root: scroll, rootMargin: "600px" });
  const link = scroll.querySelector("[data-earlier]");
  if (link) eye.observe(link);
}

/* ---- Acts on a message ---- */

function watchLogActs(scroll, talk) {
  scroll.addEventListener("submit", async (event) => {
    event.preventDefault();
    const button = event.submitter;
    if (!button) return;
    const item = button.closest(".talk-item");
    const path = new URL(button.formAction).pathname;
    const fields = new FormData(event.target, button);
    closeMenus();
    item?.querySelector(".talk-receipts")?.remove();
    item?.focus({ preventScroll: true });
    try {
      take(await post(path, fields), true);
      if (!document.activeElement?.closest(".talk")) talk.querySelector("#text")?.focus();
      say(whatWasDone(path, fields));
    } catch (trouble) {
      complain(trouble.message);
    }
  });
  scroll.addEventListener("click", (event) => {
    const reply = event.target.closest("[data-reply-to]");
    const receipts = event.target.closest("[data-receipts-of]");
    const quoted = event.target.closest(".talk-reply");
    if (reply) answer(reply.closest(".talk-item"), talk);
    else if (receipts) void showReceipts(receipts);
    else if (quoted) document.getElementById(quoted.hash.slice(1))?.focus();
    else return;
    if (reply || receipts) event.preventDefault();
    closeMenus();
  });
}

function whatWasDone(path, fields) {
  if (path.endsWith("/react")) return `Reacted ${fields.get("content").replace(/^(:\S+:) http.*$/, "$1")}`;
  if (path.includes("/unsent/")) return path.endsWith("/retry") ? "Trying again" : "Removed";
  return path.endsWith("/unreact") ? "Taken back" : "Done";
}

async function showReceipts(link) {
  const item = link.closest(".talk-item");
  const open = item.querySelector(".talk-receipts");
  if (open) return open.remove();
  try {
    const part = parsed(await fragment(link.getAttribute("href"))).querySelector(".talk-receipts");
    // The message may have been drawn anew meanwhile.
    (document.getElementById(item.id) ?? item).querySelector(".talk-main").append(part);
    part.scrollIntoView({ block: "nearest" });
  } catch (trouble) {
    complain(trouble.message);
  }
}

function answer(item, talk) {
  const pen = talk.querySelector("[data-pen]");
  if (!pen || !item?.querySelector(".talk-author") || item.classList.contains("is-deleted")) return;
  pen.elements.reply.value = item.dataset.id;
  const isOwn = item.classList.contains("is-own");
  pen.querySelector("[data-reply-author]").textContent = isOwn ? "yourself" : item.querySelector(".talk-author .name").textContent;
  pen.querySelector("[data-reply-words]").textContent = item.dataset.words;
  pen.querySelector("[data-replying]").hidden = false;
  pen.elements.text.focus();
}

function answerNobody(pen) {
  pen.elements.reply.value = "";
  pen.querySelector("[data-replying]").hidden = true;
}

/* ---- A stranger's request ---- */

/** Accepts without leaving the page: somebody may be writing the answer already. */
function watchRequest(talk, isAtNewest) {
  const form = talk.querySelector(".talk-request");
  form?.addEventListener("submit", async (event) => {
    if (event.submitter?.hasAttribute("formaction")) return;
    event.preventDefault();
    try {
      take(await post(form.getAttribute("action"), new FormData(form)), isAtNewest);
      form.remove();
      talk.querySelector("#text")?.focus();
      say("Accepted");
    } catch (trouble) {
      complain(trouble.message);
    }
  });
}

/* ---- The pen ---- */

const isTouched = matchMedia("(pointer: coarse)");

function watchPen(talk, isAtNewest) {
  const pen = talk.querySelector("[data-pen]");
  // Who is out of a circle has none.
  if (!pen) return;
  const text = pen.elements.text;
  suggestNames(pen, text);
  if (!isTouched.matches) {
    for (const part of pen.querySelectorAll("[data-scripted]")) part.hidden = false;
    text.focus({ preventScroll: true });
    text.setSelectionRange(text.value.length, text.value.length);
  }
  const files = new PenFiles(pen);
  warnOnLeaving(() => (files.isEmpty ? text.value : "files"));
  text.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.isComposing) return;
    const isPlain = !event.shiftKey && !event.altKey;
    if (event.key === "Enter" && isPlain && !isTouched.matches) {
      event.preventDefault();
      pen.requestSubmit();
    } else if (event.key === "Escape" && pen.elements.reply.value) {
      answerNobody(pen);
    } else if (event.key === "Escape") {
      (itemsOf(talk).at(-1) ?? talk.querySelector("[data-log]")).focus();
    }
  });
  pen.querySelector("[data-cancel]").addEventListener("click", (event) => {
    event.preventDefault();
    answerNobody(pen);
    text.focus();
  });
  let busy = false;
  pen.addEventListener("submit", async (event) => {
    if (!isAtNewest && files.isEmpty) {
      leaves = true;
      return;
    }
    event.preventDefault();
    if (busy || (files.isEmpty && !text.value.trim())) return;
    busy = true;
    const problem = pen.querySelector("[data-problem]");
    problem.hidden = true;
    const [said, sent] = [words(pen), text.value];
    const waited = new Set(unsentFiles(talk));
    const arrived = (html) => isAtNewest && take(html, true);
    const clear = () => {
      // What was typed while it went out stays.
      text.value = text.value.startsWith(sent) ? text.value.slice(sent.length).trimStart() : text.value;
      pen.elements.mentions.value = "";
      if (pen.elements.subject) pen.elements.subject.value = "";
      answerNobody(pen);
    };
    try {
      const { isDone, isSaid } = await files.sendAll(pathOf(talk), said, arrived);
      if (isSaid) clear();
      // The file that did not go says why.
      if (!isDone) return;
      if (!isSaid && sent.trim()) {
        arrived(await post(pathOf(talk), said));
        clear();
      }
      talk.querySelector(".talk-request")?.remove();
      talk.querySelector("[data-log]").scrollTop = 0;
      // Files of earlier messages may wait, too.
      const waits = unsentFiles(talk).some((file) => !waited.has(file));
      say(waits ? "Kept until a media server takes it" : "Sent");
      if (!isAtNewest) {
        leaves = true;
        location.assign(pathOf(talk));
      }
    } catch (trouble) {
      problem.textContent = trouble.message;
      problem.hidden = false;
    } finally {
      busy = false;
      // Who went on to something else meanwhile stays there.
      const at = document.activeElement;
      if (!at || at === document.body || pen.contains(at)) text.focus();
    }
  });
}

/* What a form says, but for its files: they went by themselves. */
function words(form) {
  const fields = new FormData(form);
  for (const name of ["file", "camera"]) fields.delete(name);
  return fields;
}

/* Unsent words are kept nowhere but in the page, so leaving asks first. */
function warnOnLeaving(words) {
  addEventListener("beforeunload", (event) => {
    if (!leaves && words().trim()) event.preventDefault();
  });
}

/* ---- The first message ---- */

function watchNew(form) {
  suggestPeople(form);
  suggestNames(form, form.elements.text);
  warnOnLeaving(() => form.elements.text.value);
  let isPressed = false;
  form.addEventListener("submit", (event) => {
    // Pressed twice in a row is meant once.
    if (isPressed) return event.preventDefault();
    isPressed = leaves = true;
    setTimeout(() => { isPressed = false; }, 2000);
  });
  form.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.querySelector("[value=send]").click();
  });
}

/* ---- Menus and keys ---- */

function closeMenus(except) {
  for (const menu of document.querySelectorAll(".talk-menu[open]")) if (menu !== except) menu.open = false;
}

function watchMenus() {
  document.addEventListener("click", (event) => closeMenus(event.target.closest(".talk-menu")));
  document.addEventListener("keydown", (event) => {
    const menu = event.target.closest?.(".talk-menu[open]");
    if (event.key !== "Escape" || !menu) return;
    menu.open = false;
    menu.querySelector("summary").focus();
  });
}

function act(key, talk) {
  const rows = [...document.querySelectorAll(talk ? ".talk-item" : ".mail-row")];
  const at = document.activeElement?.closest?.(talk ? ".talk-item" : ".mail-row");
  switch (key) {
    case "j": return walk(rows, at, 1, talk);
    case "k": return walk(rows, at, -1, talk);
    case "ArrowDown": return Boolean(at) && walk(rows, at, 1, talk);
    case "ArrowUp": return Boolean(at) && walk(rows, at, -1, talk);
    case "n": case "/": return press(document.querySelector(`.mail-act[data-key="${key}"]`));
    case "r":
      if (!talk) return false;
      if (at) answer(at, talk);
      else talk.querySelector("#text").focus();
      return true;
    case "l": return press(at?.querySelector('.react[value="❤️"]'));
    case "o": return press(at?.matches(".mail-row") ? at : at?.querySelector(".talk-menu > summary"));
    default: return false;
  }
}

function walk(rows, at, step, talk) {
  if (rows.length === 0) return false;
  const start = talk ? rows.length - 1 : 0;
  const index = at ? rows.indexOf(at) + step : start;
  const next = rows[Math.min(Math.max(index, 0), rows.length - 1)];
  next.focus({ preventScroll: true });
  next.scrollIntoView({ block: "nearest" });
  return true;
}

function press(element) {
  element?.click();
  return Boolean(element);
}
