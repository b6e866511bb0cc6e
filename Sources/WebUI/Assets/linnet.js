// Everything here makes pages quicker to use; without it they work all the same.
// This is what all pages share; what only some have begins in scripts of their own (start-….js), which run before it.
import { listen } from "./live.js";
import { watchKeys } from "./keys.js";
import { watchActs, watchVotes } from "./acts.js";
import { watchBadges } from "./badges.js";
import { watchFeeds } from "./feed.js";
import { watchMenus } from "./menus.js";
import { watchAlerts } from "./notices.js";
import { watchPresence } from "./fetching.js";
import { watchTimes } from "./times.js";

// The first button of some forms does nothing, so that Enter in a field does nothing; no script is to send the form.
document.addEventListener("submit", (event) => {
  if (event.submitter?.hidden && event.submitter.formMethod === "dialog") event.stopImmediatePropagation();
}, true);

// A picture of somebody that cannot be loaded leaves the feathers that are drawn below it.
const portraits = ".avatar img + img";
document.addEventListener("error", (event) => event.target.matches?.(portraits) && event.target.remove(), true);
for (const image of document.querySelectorAll(portraits)) {
  if (image.complete && image.naturalWidth === 0) image.decode().catch(() => image.remove());
}

watchBadges();
watchTimes();
watchPresence();
watchFeeds();
watchActs();
watchVotes();
watchKeys();
watchMenus();
watchAlerts();

for (const form of document.querySelectorAll("[data-autosave]")) {
  form.addEventListener("change", () => form.requestSubmit());
}
for (const link of document.querySelectorAll("[data-back]")) {
  link.addEventListener("click", (event) => {
    if (history.length < 2) return;
    event.preventDefault();
    history.back();
  });
}

// What is live is told to the parts of the page; they have begun by now.
listen();
