import { fragment, parsed } from "./fetching.js";

/** Sites are slow, and a browser has six connections to Linnet: so many are waited for at once. */
const mostAtOnce = 2;
const waiting = [];
let running = 0;

/** Asks for the previews of links that come into view. */
export function watchPreviews() {
  const eye = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      if (!isIntersecting) continue;
      eye.unobserve(target);
      waiting.push(target);
    }
    next();
  }, { rootMargin: "300px" });
  const seen = new WeakSet();
  const look = () => {
    for (const place of document.querySelectorAll("[data-preview]")) {
      if (seen.has(place)) continue;
      seen.add(place);
      eye.observe(place);
    }
  };
  let isDue = false;
  // Notes come in many ways: further pages, what is new, answers.
  new MutationObserver(() => {
    if (isDue) return;
    isDue = true;
    requestAnimationFrame(() => {
      isDue = false;
      look();
    });
  }).observe(document.querySelector("main") ?? document.body, { childList: true, subtree: true });
  look();
}

function next() {
  while (running < mostAtOnce && waiting.length > 0) {
    const place = waiting.shift();
    if (!place.isConnected) continue;
    running += 1;
    void show(place).finally(() => {
      running -= 1;
      next();
    });
  }
}

/* What brings nothing stays as it is: the host and the path, and a link. */
async function show(place) {
  const html = await fragment(place.dataset.preview).catch(() => "");
  place.removeAttribute("data-preview");
  const card = html && parsed(html).querySelector(".link-preview");
  if (card && place !== document.activeElement) place.replaceWith(card);
  else if (card) place.replaceChildren(...card.childNodes);
}
