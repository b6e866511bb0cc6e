import { fragment, parsed } from "./fetching.js";
import { refreshMap } from "./map.js";

/** Circles: the lists of people and the map show what came, without leaving the page. */
export function watchCircles() {
  for (const part of document.querySelectorAll("[data-circle-part]")) watchPart(part);
  for (const map of document.querySelectorAll("[data-circle-map]")) {
    watchHints(map.dataset.circleMap, () => refreshMap(map, map.dataset.path));
  }
}

function watchHints(word, refresh) {
  let running = false;
  let again = false;
  document.addEventListener("linnet:circle", async ({ detail }) => {
    if (detail.length > 0 && !detail.includes(word)) return;
    if (running) {
      again = true;
      return;
    }
    running = true;
    try {
      do {
        again = false;
        await refresh();
      } while (again);
    } catch {
      // The strip about the connection says it already.
    } finally {
      running = false;
    }
  });
}

/** A part is drawn anew unless somebody is in it, writing or choosing. */
function watchPart(part) {
  watchHints(part.dataset.circlePart, async () => {
    if (part.contains(document.activeElement) || part.querySelector("details[open]")) return;
    const fresh = parsed(await fragment(part.dataset.path)).querySelector("[data-circle-part]");
    if (fresh) part.replaceChildren(...fresh.childNodes);
  });
}
