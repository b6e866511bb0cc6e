import { say } from "./fetching.js";
import { askToNotify, notify } from "./notices.js";

/** What waits in the signer and what is unread, on every page. */
export function watchBadges() {
  document.addEventListener("linnet:messaging", (event) => showUnread(event.detail));
  askToNotify();
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
