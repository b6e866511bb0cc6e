// Everything here makes pages quicker to use; without it they work all the same.
import { watchFeeds } from "./feed.js";
import { listen } from "./live.js";
import { watchKeys } from "./keys.js";
import { watchActs } from "./acts.js";
import { watchCompose } from "./compose.js";
import { watchMessages } from "./messages.js";
import { watchSigner } from "./signer.js";
import { watchMenus } from "./menus.js";
import { watchHeld } from "./held.js";
import { watchPresence } from "./fetching.js";
import { watchTimes } from "./times.js";
import { watchElsewhere } from "./elsewhere.js";
import { watchCircles, watchKeeping } from "./circles.js";
import { watchMaps } from "./map.js";
import { watchPictures } from "./pictures.js";
import { watchAlerts } from "./notices.js";
import { watchSharing } from "./place.js";

watchMessages();
watchSigner();
watchTimes();
watchPresence();
watchFeeds();
watchActs();
watchKeys();
watchCompose();
watchHeld();
watchMenus();
watchElsewhere();
watchMaps();
watchSharing();
watchCircles();
watchAlerts();
watchKeeping();
watchPictures();
listen();

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
