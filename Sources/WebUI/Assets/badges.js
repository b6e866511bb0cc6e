import { say } from "./fetching.js";
import { askToNotify, notify } from "./notices.js";

/** What waits in the signer and what is unread, on every page. */
export function watchBadges() {
  document.addEventListener("linnet:messaging", (event) => showUnread(event.detail));
  document.addEventListener("linnet:notifications", (event) => showNotifications(event.detail));
  askToNotify();
  if (document.querySelector("[data-tone]") && !sessionStorage.getItem(began)) {
    sessionStorage.setItem(began, String(Date.now()));
  }
  const badge = document.querySelector("[data-signer-badge]");
  if (!badge) return;
  let known = Number(badge.querySelector("[data-count]").textContent);
  showCount(known);
  document.addEventListener("linnet:signer", ({ detail: { count, titles } }) => {
    if (count > known) tellWaiting(count, titles);
    known = count;
    showCount(count);
  });
}

function showUnread({ unread }) {
  for (const badge of document.querySelectorAll("[data-unread]")) {
    badge.hidden = unread === 0;
    badge.querySelector("[data-count]").textContent = String(unread);
  }
}

/** Since when this tab is used: what is older makes no sound. */
const began = "linnet-began";
let counted;

function showNotifications({ unread, newest }) {
  const shown = document.querySelector("[data-notifications] [data-count]");
  const before = counted ?? parseInt(shown?.textContent ?? "0", 10);
  counted = unread;
  if (unread > before && document.querySelector("[data-tone]")) void ring(newest);
  for (const badge of document.querySelectorAll("[data-notifications]")) {
    badge.hidden = unread === 0;
    badge.querySelector("[data-count]").textContent = unread < 100 ? String(unread) : "99+";
  }
}

/* Fetched by those alone who asked for it. */
async function ring(newest) {
  if (newest * 1000 < Number(sessionStorage.getItem(began))) return;
  const { tone } = await import("./tone.js");
  tone();
}

function showCount(count) {
  for (const badge of document.querySelectorAll("[data-signer-badge]")) {
    badge.hidden = count === 0;
    badge.querySelector("[data-count]").textContent = String(count);
  }
  const bare = document.title.replace(/^\(\d+\) /, "");
  document.title = count > 0 ? `(${count}) ${bare}` : bare;
  if (count > 0) navigator.setAppBadge?.(count).catch(() => {});
  else navigator.clearAppBadge?.().catch(() => {});
}

function tellWaiting(count, titles) {
  const whose = titles.length > 0 ? ` from ${titles.join(", ")}` : "";
  const words = count === 1 ? `A request waits${whose}` : `${count} requests wait${whose}`;
  say(words);
  notify(words);
}
