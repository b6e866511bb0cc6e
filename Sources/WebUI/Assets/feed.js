import { fragment, parsed, say } from "./fetching.js";

const remembered = "linnet-place";
const mostPages = 20;
/** So many of the first notes are looked at when something came late. */
const reach = 100;
/** More than that are a page anew. */
const mostShown = 190;
/** So many of the newest are asked for at most. */
export const mostAsked = 199;

/** Endless scroll for every feed on the page, and its place when one comes back. */
export function watchFeeds() {
  for (const feed of document.querySelectorAll("form.feed[data-path]")) {
    watchEnd(feed);
    if (feed.hasAttribute("data-home")) keepPlace(feed);
  }
  const thread = document.querySelector("form.thread");
  if (thread) watchAnswers(thread);
}

/* The answers of a long conversation come page by page, in place; by themselves only once all relays have answered, since
   what comes late may belong above what was shown. */
function watchAnswers(thread) {
  const eye = new IntersectionObserver(
    (entries) => {
      const entry = entries.find(({ isIntersecting }) => isIntersecting);
      if (entry && !thread.hasAttribute("data-loading")) void loadAnswers(thread, entry.target);
    },
    { rootMargin: "1200px" },
  );
  const look = () => {
    // Anew, so that it tells of each that is in sight.
    eye.disconnect();
    for (const link of thread.querySelectorAll("[data-more-answers]")) eye.observe(link);
  };
  thread.addEventListener("linnet:grown", look);
  thread.addEventListener("click", (event) => {
    const link = event.target.closest("[data-more-answers]");
    if (!link) return;
    event.preventDefault();
    void loadAnswers(thread, link);
  });
  look();
}

async function loadAnswers(thread, link) {
  if (thread.dataset.busy) return;
  thread.dataset.busy = "1";
  link.textContent = "Loading…";
  try {
    const page = parsed(await fragment(link.getAttribute("href"))).querySelector("form.thread .replies");
    if (!page) throw new Error("That did not work.");
    addAnswers(thread.querySelector(".replies"), page, link.closest(".more"));
    thread.dataset.pages = String(Number(thread.dataset.pages || 1) + 1);
  } catch (trouble) {
    link.textContent = `${trouble.message} Try again`;
    say(trouble.message);
    return;
  } finally {
    delete thread.dataset.busy;
  }
  thread.dispatchEvent(new Event("linnet:grown"));
}

/**
 * Puts a page of answers to its place among those that are shown: in the place of the link to it, or at the beginning.
 *
 * Where the last of them was not shown yet, others may be missing behind it, and the link to those follows it.
 */
export function addAnswers(here, there, link) {
  let last = link?.previousElementSibling;
  let wasShown = false;
  for (const node of [...there.children].filter((child) => !child.matches(".more"))) {
    const shown = node.id
      ? document.getElementById(node.id)
      : here.querySelector(`[data-hidden="${CSS.escape(node.dataset.hidden)}"]`);
    wasShown = Boolean(shown);
    if (!shown && last) last.after(node);
    else if (!shown) here.prepend(node);
    last = shown ?? node;
  }
  link?.remove();
  const more = there.querySelector(".more");
  if (more && last && !wasShown) last.after(more);
}

/** Notes of a feed, in order. */
export const notesOf = (root) => [...root.querySelectorAll(".note")];

function watchEnd(feed) {
  const eye = new IntersectionObserver(
    (entries) => entries.some((entry) => entry.isIntersecting) && loadOlder(feed),
    { rootMargin: "1200px" },
  );
  const look = () => {
    const link = feed.querySelector("[data-older]");
    if (link) eye.observe(link);
  };
  feed.addEventListener("linnet:grown", look);
  feed.addEventListener("click", (event) => {
    if (!event.target.closest("[data-older]")) return;
    event.preventDefault();
    loadOlder(feed);
  });
  look();
}

/** Loads the next page below; true when something came. */
export async function loadOlder(feed) {
  const link = feed.querySelector("[data-older]");
  if (!link || feed.dataset.busy) return false;
  feed.dataset.busy = "1";
  const label = link.textContent;
  link.textContent = "Loading…";
  try {
    const address = new URL(link.getAttribute("href"), location.href);
    address.searchParams.set("before", link.dataset.before);
    const page = parsed(await fragment(address.pathname + address.search)).querySelector("form.feed");
    const known = new Set(notesOf(feed).map((note) => note.id));
    // A note and its reposts are one card.
    const cards = new Set(notesOf(feed).map((note) => note.dataset.id));
    link.closest(".more").remove();
    feed.querySelectorAll(".feed-end").forEach((line) => line.remove());
    for (const node of [...page.children]) {
      if (node.matches("input") || known.has(node.id) || cards.has(node.dataset.id) || node.matches(".empty")) continue;
      feed.append(node);
    }
    feed.dataset.pages = String(Number(feed.dataset.pages || 1) + 1);
    return true;
  } catch (trouble) {
    link.textContent = `${trouble.message} Try again`;
    say(trouble.message);
    return false;
  } finally {
    delete feed.dataset.busy;
    if (link.isConnected && link.textContent === "Loading…") link.textContent = label;
    else feed.dispatchEvent(new Event("linnet:grown"));
  }
}

/** Puts what relays gave meanwhile between and below the notes of a feed that had shown all there were. */
export async function fillIn(feed) {
  if (feed.dataset.busy || Number(feed.dataset.pages || 1) > 1) return;
  feed.dataset.busy = "1";
  const page = parsed(await fragment(feed.dataset.path).catch(() => "")).querySelector("form.feed");
  delete feed.dataset.busy;
  if (!page) return;
  const known = new Map(notesOf(feed).map((note) => [note.id, note]));
  const cards = new Map(notesOf(feed).map((note) => [note.dataset.id, note]));
  let above;
  for (const note of notesOf(page)) {
    const shown = known.get(note.id) ?? cards.get(note.dataset.id);
    // What is newer than all that is shown waits until it is asked for.
    if (!shown && above) above.after(note);
    above = shown ?? (above && note);
  }
  if (!above) return;
  feed.querySelectorAll(".feed-end, .more").forEach((line) => line.remove());
  feed.append(...page.querySelectorAll(".feed-end, .more"));
  feed.dispatchEvent(new Event("linnet:grown"));
}

/** Whether a note stands above another, by their marks (the second, a hyphen, the id): later, or with the lower id. */
export function isAbove(mark, other) {
  const [second, id] = mark.split("-");
  const [otherSecond, otherId] = other.split("-");
  return second === otherSecond ? id < otherId : Number(second) > Number(otherSecond);
}

/** The first notes of a feed: among them it is looked for what came late. */
const topOf = (feed) => notesOf(feed).slice(0, reach);

/** The mark of the place below which nothing is news; empty where no older page would bring it either. */
export function floorOf(feed) {
  const top = topOf(feed);
  if (top.length === reach) return top.at(-1).dataset.place;
  return feed.querySelector("[data-older]")?.dataset.before ?? "";
}

/** What a feed does not show between its first notes and above, of the newest so many. */
export async function newsOf(feed, count) {
  const top = topOf(feed);
  const shown = new Set(top.flatMap((note) => [note.dataset.place.split("-")[1], note.dataset.id]));
  const asked = new URLSearchParams({
    above: floorOf(feed), count, shown: [...shown].map((id) => id.slice(0, 16)).join("."),
  });
  // Home has an address of its own for it; every other feed that is live gives it at its own address.
  const path = feed.hasAttribute("data-home") ? "/home/newer" : feed.dataset.path;
  const page = parsed(await fragment(`${path}${path.includes("?") ? "&" : "?"}${asked}`)).querySelector("form.feed");
  const known = new Set(notesOf(feed).map((note) => note.id));
  const cards = new Set(notesOf(feed).map((note) => note.dataset.id));
  return notesOf(page).filter((note) => !known.has(note.id) && !cards.has(note.dataset.id));
}

/** Puts what came since, among it certain marks, to its place, and says which notes those are, newest first. */
export async function showNews(feed, marks) {
  const lowest = marks.reduce((low, mark) => (isAbove(low, mark) ? mark : low), marks[0] ?? "");
  const between = marks.length > 0 ? topOf(feed).filter((note) => isAbove(note.dataset.place, lowest)).length : 0;
  // A card may stand for several events, and some events have none: how many lie above is not known here.
  const fresh = await newsOf(feed, between > 0 ? mostAsked : marks.length);
  if (Math.max(fresh.length, marks.length + between) >= mostShown) {
    location.assign(feed.dataset.path);
    return fresh;
  }
  if (fresh.length > 0) feed.querySelectorAll(".empty").forEach((line) => line.remove());
  for (const note of fresh) {
    const below = notesOf(feed).find((shown) => isAbove(note.dataset.place, shown.dataset.place));
    const last = notesOf(feed).at(-1);
    if (below) below.before(note);
    else if (last) last.after(note);
    else feed.append(note);
  }
  return fresh;
}

/** Replaces one note by its current self. */
export async function refreshNote(note) {
  const fresh = parsed(await fragment(`/note/${note.dataset.id}/card`)).querySelector(".note");
  if (fresh) refreshPoll(note, fresh);
  const acts = fresh?.querySelector(".note-acts");
  const old = note.querySelector(".note-acts");
  if (!acts || !old || old.contains(document.activeElement)) return;
  old.replaceWith(acts);
}

/* How a poll stands; what is being chosen there, or is open to be, stays as it is. */
function refreshPoll(note, fresh) {
  for (const poll of note.querySelectorAll(".poll[data-poll]")) {
    const newer = fresh.querySelector(`.poll[data-poll="${CSS.escape(poll.dataset.poll)}"]`);
    const isTouched = [...poll.querySelectorAll("input")].some((input) => input.checked !== input.defaultChecked);
    if (!newer || isTouched || poll.contains(document.activeElement) || poll.querySelector("details[open]")) continue;
    poll.replaceWith(newer);
  }
}

function keepPlace(feed) {
  addEventListener("pagehide", () => {
    const note = notesOf(feed).find((candidate) => candidate.getBoundingClientRect().bottom > 80);
    const place = { path: location.pathname, id: note?.id, top: note?.getBoundingClientRect().top, pages: feed.dataset.pages };
    sessionStorage.setItem(remembered, JSON.stringify(place));
  });
  const visit = performance.getEntriesByType("navigation")[0]?.type;
  if (visit === "back_forward" || visit === "reload") returnToPlace(feed);
}

async function returnToPlace(feed) {
  let place;
  try {
    place = JSON.parse(sessionStorage.getItem(remembered) ?? "null");
  } catch {
    return;
  }
  if (!place?.id || place.path !== location.pathname || !(place.pages > 1)) return;
  history.scrollRestoration = "manual";
  for (let page = 1; page < mostPages && !document.getElementById(place.id); page += 1) {
    if (!(await loadOlder(feed))) break;
  }
  const note = document.getElementById(place.id);
  if (note) scrollBy(0, note.getBoundingClientRect().top - place.top);
}
