import { fragment, parsed, post } from "./fetching.js";
import { refreshMap, shownPart } from "./map.js";

/** Circles: the lists of people and the map show what came, without leaving the page. */
export function watchCircles() {
  for (const part of document.querySelectorAll("[data-circle-part]")) watchPart(part);
  for (const map of document.querySelectorAll("[data-circle-map]")) {
    watchHints(map.dataset.circleMap, () => refreshMap(map, map.dataset.path));
  }
}

/** Has the part of the map that is looked at fetched for when there is no network, and says how far that is. */
export function watchKeeping() {
  for (const form of document.querySelectorAll("form[data-keep-map]")) {
    const words = form.querySelector("[role=status]");
    form.hidden = false;
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const part = shownPart(document.querySelector(".map[data-tiles]"));
      if (!part) return;
      const fields = new URLSearchParams(new FormData(form));
      for (const [name, value] of Object.entries(part)) fields.set(name, String(value));
      try {
        await post(form.action, fields);
        await follow(words);
      } catch (trouble) {
        words.textContent = trouble.message;
      }
    });
  }
}

/* Asked once a second until it says nothing new any more. */
async function follow(words) {
  for (let same = 0, last = ""; same < 15;) {
    const said = await fragment("/map/region");
    same = said === last ? same + 1 : 0;
    last = said;
    words.textContent = said;
    if (!said.endsWith("…")) return;
    await new Promise((resume) => setTimeout(resume, 1000));
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
