import { fragment, mention, parsed, say, serially } from "./fetching.js";
import {
  addAnswers,
  fillIn,
  floorOf,
  isAbove,
  loadOlder,
  mostAsked,
  newsOf,
  notesOf,
  refreshNote,
  showNews,
} from "./feed.js";
import { join } from "./stream.js";

/** The feed whose new notes are counted: home, or another that stays live. */
const liveFeed = "form.feed[data-home], form.feed[data-live]";

/** Listens to what happens while the page is open. */
export function listen() {
  const home = document.querySelector(liveFeed);
  if (!document.getElementById("connection")) return;
  const act = {
    up: () => {
      begins = true;
      offline(false);
    },
    down: () => offline(true),
    gone,
    locked: (data) => showLock(data === "true"),
    connection: showConnection,
    notes: (data) => home?.hasAttribute("data-home") && countWaiting(home, data.split(" ")),
    feed: (data) => {
      const [word, ...marks] = data.split(" ");
      if (home?.dataset.live === word) countWaiting(home, marks);
    },
    touched: (data) => refreshTouched(data.split(" ")),
    receipts: (data) => refreshReceipts(data.split(" ")),
    conversation: (data) => tell("conversation", data.split(" ")),
    circle: (data) => tell("circle", data.split(" ")),
    stream: (data) => tell("stream", data.split(" ")),
    messaging: tellMessaging,
    signer: tellSigner,
    notifications: (data) => {
      const [unread, newest] = data.split(" ").map(Number);
      tell("notifications", { unread, newest });
    },
    older: () => void fillWaiting(),
    search: () => void refreshSearch(),
    lists: () => void refreshDrafts(),
    missed: () => {
      // How messages stand comes with it: an open conversation is read anew then.
      begins = true;
      catchUp(home, "");
    },
    back: (data) => catchUp(home, data),
  };
  const hear = (kind, data) => {
    // Nobody looks: what would be fetched now is fetched when somebody does.
    if (!document.hidden || saidAlways.has(kind)) act[kind](data);
  };
  // A request that waits shows in the title of a tab behind others.
  join(document.body.dataset.account, hear, Boolean(document.querySelector("[data-signer-badge]")));
  watchWaiting(home);
}

/** What a page out of sight hears too: it needs no more than the page itself. */
const saidAlways = new Set(["up", "down", "gone", "locked", "messaging", "signer", "notifications"]);

/* What may have been missed: notes above, answers in an open conversation, what circles said. */
function catchUp(home, since) {
  const parts = [...document.querySelectorAll("[data-circle-part]")].map((part) => part.dataset.circlePart);
  const maps = [...document.querySelectorAll("[data-circle-map]")].map((map) => map.dataset.circleMap);
  if (parts.length + maps.length > 0) tell("circle", ["list", ...parts, ...maps]);
  const streams = [...document.querySelectorAll("[data-stream]")].map((part) => part.dataset.stream);
  if (streams.length > 0) tell("stream", streams);
  const thread = document.querySelector("form.thread");
  // What was drawn a moment ago is as it was, unless it was still being looked for.
  if (thread && (since !== "first" || thread.hasAttribute("data-loading"))) void refreshThread();
  void refreshSearch();
  void refreshDrafts();
  if (document.querySelector("form.feed [data-wait]")) void fillWaiting();
  else if (home) void (since === "first" ? countFew : countMany)();
}

const countFew = serially(() => countNews(29));
const countMany = serially(() => countNews(mostAsked));

async function countNews(most) {
  const home = document.querySelector(liveFeed);
  if (!home) return;
  const fresh = await newsOf(home, most);
  countWaiting(home, fresh.map(markOf), true);
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

/** The mark of a card; of a repost's, the id of what is reposted follows, as in what the server says. */
function markOf(note) {
  const { place, id } = note.dataset;
  return place.endsWith(`-${id}`) ? place : `${place}-${id}`;
}

/** Notes that came since and are not shown: so many are counted one by one. */
const waiting = new Set();
const mostWaiting = 500;

const cardsWaiting = () => cardsOf([...waiting]);

/** How many cards stand behind marks: a note and its reposts are one. */
export function cardsOf(named) {
  const marks = named.map((mark) => mark.split("-"));
  // What the server says of a repost by address names no note; the mark of its card does.
  const noteOf = new Map(marks.filter((parts) => parts.length > 2).map(([, own, note]) => [own, note]));
  return new Set(marks.map((parts) => noteOf.get(parts[1]) ?? parts.at(-1))).size;
}

/**
 * Counts notes by their marks, those that belong between two that are shown too: relays bring them late and out of order.
 * Those that came before the page listened only wait.
 */
function countWaiting(home, marks, areEarlier = false) {
  if (!home) return;
  const floor = floorOf(home);
  for (const mark of marks) {
    if ((!floor || isAbove(mark, floor)) && waiting.size < mostWaiting) waiting.add(mark);
  }
  forgetShown(home);
  showWaiting(home, cardsWaiting(), areEarlier);
}

/* What stands on the page waits no more, nor do reposts of it, and however it came there. */
function forgetShown(home) {
  const shown = new Set(notesOf(home).flatMap((note) => [note.dataset.place.split("-")[1], note.dataset.id]));
  for (const mark of waiting) if (mark.split("-").slice(1).some((id) => shown.has(id))) waiting.delete(mark);
}

/** Shows those that wait; what comes while they are fetched goes on waiting. */
async function showThem(home) {
  const asked = [...waiting];
  const fresh = await showNews(home, asked);
  for (const mark of asked) waiting.delete(mark);
  forgetShown(home);
  return fresh;
}

function showWaiting(home, count, areEarlier) {
  const pill = document.getElementById("waiting");
  if (!pill || !count) return;
  // An empty page has nothing to keep in place, and nobody reads yet when a page has just opened.
  if (notesOf(home).length === 0) return void fillWaiting();
  if (!areEarlier && !isRead() && performance.now() < 6000) {
    return void showThem(home).catch(() => showPill(pill, cardsWaiting()));
  }
  showPill(pill, count);
}

function showPill(pill, count) {
  const words = count === 1 ? "1 new note" : `${count >= mostWaiting ? `${mostWaiting}+` : count} new notes`;
  const wasHidden = pill.hidden;
  pill.hidden = false;
  pill.querySelector("[data-words]").textContent = words;
  if (wasHidden) mention(words);
}

function watchWaiting(home) {
  const pill = document.getElementById("waiting");
  if (!home || !pill) return;
  home.addEventListener("linnet:grown", () => {
    forgetShown(home);
    if (waiting.size === 0) pill.hidden = true;
    else if (!pill.hidden) showPill(pill, cardsWaiting());
  });
  pill.addEventListener("click", async (event) => {
    event.preventDefault();
    try {
      const fresh = await showThem(home);
      if (waiting.size > 0) showPill(pill, cardsWaiting());
      else pill.hidden = true;
      const first = fresh[0] ?? notesOf(home)[0];
      if (first) lead(home, first);
      // Of some there is nothing to see: a repost of what nobody has.
      if (fresh.length === 0) say("Nothing else is new");
      else say(`${fresh.length} new ${fresh.length === 1 ? "note" : "notes"} shown`);
    } catch (trouble) {
      say(trouble.message);
    }
  });
}

/* To the first of what is new, which may have come between two that were shown. */
function lead(home, note) {
  const behavior = document.documentElement.dataset.motion ? "auto" : "smooth";
  if (note === notesOf(home)[0]) scrollTo({ top: 0, behavior });
  else note.scrollIntoView({ block: "center", behavior });
  note.focus({ preventScroll: true });
}

function refreshTouched(ids) {
  const wanted = new Set(ids);
  const thread = document.querySelector("form.thread");
  const isOfThread = (id) => id === thread.dataset.thread || thread.querySelector(`[data-id="${CSS.escape(id)}"]`);
  if (thread && ids.some(isOfThread)) void refreshThread();
  const inView = notesOf(document).filter((note) => {
    const box = note.getBoundingClientRect();
    return wanted.has(note.dataset.id) && box.bottom > 0 && box.top < innerHeight;
  });
  for (const note of inView.slice(0, 10)) refreshNote(note).catch(() => {});
}

/** Adds answers that came to an open conversation, at their place. */
const refreshThread = serially(async () => {
  const thread = document.querySelector("form.thread");
  if (!thread) return;
  const fresh = parsed(await fragment(location.pathname + location.search)).querySelector("form.thread");
  if (!fresh) return;
  for (const name of [".ancestors", ".replies"]) {
    const here = thread.querySelector(name);
    const there = fresh.querySelector(name);
    if (!here || !there) continue;
    const isRead = here.contains(document.activeElement);
    // Where more pages were read, or are on their way, what came on the first is put to its place and the rest stays.
    const hasMore = Number(thread.dataset.pages || 1) > 1 || thread.dataset.busy;
    if (name === ".replies" && (isRead || hasMore)) addAnswers(here, there);
    else if (!isRead) here.replaceWith(there);
  }
  if (!fresh.hasAttribute("data-loading")) {
    thread.removeAttribute("data-loading");
    thread.querySelector("[data-loading-line]")?.remove();
  }
  thread.dispatchEvent(new Event("linnet:grown"));
  const focus = fresh.querySelector(".note.is-focus");
  const missing = thread.querySelector("[data-wait]");
  if (focus && missing) missing.replaceWith(focus);
});

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
const fillWaiting = serially(async () => {
  if (document.querySelector("form.thread[data-loading]")) return void refreshThread();
  for (const feed of document.querySelectorAll("form.feed[data-path]")) {
    if (!feed.querySelector("[data-wait]")) {
      const link = feed.querySelector("[data-older]");
      if (!link) await fillIn(feed);
      else if (link.getBoundingClientRect().top < innerHeight + 1200) await loadOlder(feed);
      continue;
    }
    const fresh = parsed(await fragment(feed.dataset.path)).querySelector("form.feed");
    // Without notes it may still say something else: that nothing came.
    if (!fresh) continue;
    feed.replaceChildren(...fresh.children);
    if (notesOf(feed).length === 0) continue;
    feed.dispatchEvent(new Event("linnet:grown"));
  }
});

/** A draft goes as its note is published, and comes from other devices. */
const refreshDrafts = serially(async () => {
  const list = document.querySelector("[data-drafts]");
  if (!list) return;
  const fresh = parsed(await fragment("/drafts")).querySelector("[data-drafts]");
  if (!fresh || fresh.innerHTML === list.innerHTML) return;
  const used = list.contains(document.activeElement) && document.activeElement.closest("[data-draft]")?.dataset.draft;
  list.replaceChildren(...fresh.childNodes);
  if (used) list.querySelector(`[data-draft="${CSS.escape(used)}"] :is(a, button)`)?.focus();
});

const refreshSearch = serially(async () => {
  const feed = document.querySelector("form.feed[data-search]");
  if (!feed || Number(feed.dataset.pages || 1) > 1) return;
  // Nothing was looked for: why that is, stays.
  if (!new URL(feed.dataset.path, location).searchParams.get("q")) return;
  const fresh = parsed(await fragment(feed.dataset.path)).querySelector("form.feed");
  if (fresh) feed.replaceChildren(...fresh.children);
});
