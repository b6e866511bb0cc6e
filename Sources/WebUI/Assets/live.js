import { fragment, mention, parsed, say } from "./fetching.js";
import { fillIn, loadOlder, notesOf, refreshNote, showNewer } from "./feed.js";

/** Listens to what happens while the page is open. */
export function listen() {
  const home = document.querySelector("form.feed[data-home]");
  if (!document.getElementById("connection")) return;
  let source;
  const open = () => {
    const newest = home?.dataset.newest ?? "";
    const account = document.body.dataset.account;
    source = new EventSource(`/events?for=${account}&newest=${encodeURIComponent(newest)}`);
    source.addEventListener("open", () => {
      begins = true;
      offline(false);
    });
    // Linnet ends the updates of a page for good only when another account is open.
    source.addEventListener("error", () => (source.readyState === EventSource.CLOSED ? gone() : offline(true)));
    source.addEventListener("locked", (event) => showLock(event.data === "true"));
    source.addEventListener("connection", (event) => showConnection(event.data));
    source.addEventListener("waiting", (event) => showWaiting(home, Number(event.data)));
    source.addEventListener("touched", (event) => refreshTouched(event.data.split(" ")));
    source.addEventListener("receipts", (event) => refreshReceipts(event.data.split(" ")));
    source.addEventListener("conversation", (event) => tell("conversation", event.data.split(" ")));
    source.addEventListener("circle", (event) => tell("circle", event.data.split(" ")));
    source.addEventListener("messaging", (event) => tellMessaging(event.data));
    source.addEventListener("signer", (event) => tellSigner(event.data));
    source.addEventListener("older", () => fillWaiting());
    source.addEventListener("search", () => refreshSearch());
    source.addEventListener("missed", () => home && fillWaiting());
  };
  open();
  // A page kept by the browser for "back" must not hold a connection.
  addEventListener("pagehide", () => source.close());
  addEventListener("pageshow", (event) => event.persisted && open());
  restartLive = () => {
    source.close();
    open();
  };
  watchWaiting(home);
}

/** Says that the key was locked meanwhile, here or by another page. */
function showLock(isLocked) {
  const strip = document.getElementById("locked");
  if (!isLocked) return void strip?.remove();
  if (strip) return;
  const fresh = document.createElement("p");
  fresh.id = "locked";
  fresh.className = "strip";
  const link = document.createElement("a");
  link.href = "/unlock";
  link.textContent = "Unlock to write";
  fresh.append("Your key is locked: you can read. ", link);
  document.getElementById("offline").before(fresh);
}

function gone() {
  document.getElementById("other-account").hidden = false;
}

const tell = (name, detail) => document.dispatchEvent(new CustomEvent(`linnet:${name}`, { detail }));
let hasHeard = false;
let begins = false;

/* Each connection begins with how messages stand: something may have come before it was there. */
function tellMessaging(data) {
  const [access, unread, requests] = data.split(" ");
  tell("messaging", { access, unread: Number(unread), requests: Number(requests), begins, isAgain: hasHeard });
  hasHeard = true;
  begins = false;
}

/* How many requests wait, what changed, and the names of the apps that ask, percent-encoded. */
function tellSigner(data) {
  const [count, changes, ...titles] = data.split(" ");
  tell("signer", {
    count: Number(count), changes: changes.split(","), titles: titles.filter(Boolean).map(decodeURIComponent),
  });
}

let restartLive = () => {};
let wasTouched = false;
for (const kind of ["scroll", "pointerdown", "keydown", "wheel"]) {
  addEventListener(kind, () => { wasTouched = true; }, { once: true, passive: true });
}
const isRead = () => wasTouched || scrollY > 0;

let offlineTimer;
function offline(isOff) {
  const strip = document.getElementById("offline");
  clearTimeout(offlineTimer);
  if (!isOff) strip.hidden = true;
  else offlineTimer = setTimeout(() => { strip.hidden = false; }, 3000);
}

function showConnection(html) {
  for (const place of document.querySelectorAll("[data-connection]")) place.replaceChildren(...parsed(html).childNodes);
  const dot = document.querySelector("#connection .dot");
  for (const other of document.querySelectorAll("[data-dot]")) other.className = dot.className;
}

function showWaiting(home, count) {
  const pill = document.getElementById("waiting");
  if (!home || !pill || !count) return;
  // An empty page has nothing to keep in place, and nobody reads yet when a page has just opened.
  if (notesOf(home).length === 0) return void fillWaiting();
  if (!isRead() && performance.now() < 6000) return void showNewer(home).then(restartLive, () => {});
  const words = count === 1 ? "1 new note" : `${count >= 500 ? "500+" : count} new notes`;
  const wasHidden = pill.hidden;
  pill.hidden = false;
  pill.querySelector("[data-words]").textContent = words;
  if (wasHidden) mention(words);
}

function watchWaiting(home) {
  const pill = document.getElementById("waiting");
  if (!home || !pill) return;
  pill.addEventListener("click", async (event) => {
    event.preventDefault();
    try {
      const count = await showNewer(home);
      pill.hidden = true;
      scrollTo({ top: 0, behavior: "smooth" });
      notesOf(home)[0]?.focus({ preventScroll: true });
      say(`${count} new notes shown`);
      restartLive();
    } catch (trouble) {
      say(trouble.message);
    }
  });
}

function refreshTouched(ids) {
  const wanted = new Set(ids);
  const thread = document.querySelector("form.thread");
  if (thread && ids.some((id) => thread.querySelector(`[data-id="${CSS.escape(id)}"]`))) void refreshThread(thread);
  const inView = notesOf(document).filter((note) => {
    const box = note.getBoundingClientRect();
    return wanted.has(note.dataset.id) && box.bottom > 0 && box.top < innerHeight;
  });
  for (const note of inView.slice(0, 10)) refreshNote(note).catch(() => {});
}

/** Adds answers that came to an open conversation, at their place. */
async function refreshThread(thread) {
  const text = await fragment(`/note/${thread.dataset.thread}`).catch(() => "");
  const fresh = parsed(text).querySelector("form.thread");
  if (!fresh) return;
  for (const name of [".ancestors", ".replies"]) {
    const here = thread.querySelector(name);
    const there = fresh.querySelector(name);
    if (here && there && !here.contains(document.activeElement)) here.replaceWith(there);
  }
  if (!fresh.querySelector("[data-loading-line]")) thread.querySelector("[data-loading-line]")?.remove();
  const focus = fresh.querySelector(".note.is-focus");
  const missing = thread.querySelector("[data-wait]");
  if (focus && missing) missing.replaceWith(focus);
}

async function refreshReceipts(ids) {
  for (const place of document.querySelectorAll("[data-receipts]")) {
    if (!ids.includes(place.dataset.receipts)) continue;
    const html = await fragment(`/note/${place.dataset.receipts}/receipts`).catch(() => "");
    const button = place.querySelector(".danger");
    if (html) place.replaceChildren(...parsed(html).childNodes, ...(button ? [button] : []));
  }
  tell("receipts", ids);
}

/** Fills a page that waits for its first notes, or goes on where the store had run out. */
async function fillWaiting() {
  const thread = document.querySelector("form.thread[data-loading]");
  if (thread) return refreshThread(thread);
  for (const feed of document.querySelectorAll("form.feed[data-path]")) {
    if (!feed.querySelector("[data-wait]")) {
      const link = feed.querySelector("[data-older]");
      if (!link) await fillIn(feed);
      else if (link.getBoundingClientRect().top < innerHeight + 1200) await loadOlder(feed);
      continue;
    }
    const text = await fragment(feed.dataset.path).catch(() => "");
    const fresh = parsed(text).querySelector("form.feed");
    if (!fresh || notesOf(fresh).length === 0) continue;
    feed.replaceChildren(...fresh.children);
    feed.dataset.newest = fresh.dataset.newest ?? "";
    feed.dispatchEvent(new Event("linnet:grown"));
  }
}

async function refreshSearch() {
  const feed = document.querySelector("form.feed[data-search]");
  if (!feed || Number(feed.dataset.pages || 1) > 1) return;
  const fresh = parsed(await fragment(feed.dataset.path).catch(() => "")).querySelector("form.feed");
  if (fresh) feed.replaceChildren(...fresh.children);
}
