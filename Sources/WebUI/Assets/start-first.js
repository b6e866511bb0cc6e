// The steps of a first run: looks every second how a search stands, and puts what was found in place.
import { fragment, parsed } from "./fetching.js";

const look = async () => {
  const step = document.getElementById("step");
  if (!step?.dataset.state) return;
  try {
    const [word, sentence] = (await fragment(step.dataset.state)).split("\n");
    const status = document.getElementById("step-status");
    if (status.textContent !== sentence) status.textContent = sentence;
    // Nothing is taken away from under a person's hands: whoever is inside reads on first.
    if (!step.contains(document.activeElement)) {
      const fresh = parsed(await fragment(location.pathname)).querySelector("#step");
      if (!fresh) return location.reload();
      if (!step.contains(document.activeElement)) step.replaceWith(fresh);
      if (word === "over") return;
    }
  } catch {
    // Linnet is not answering; it is asked again.
  }
  setTimeout(look, 1000);
};
setTimeout(look, 1000);

for (const button of document.querySelectorAll("[data-copy]")) {
  if (!navigator.clipboard) continue;
  button.hidden = false;
  button.addEventListener("click", async () => {
    const text = document.getElementById(button.dataset.copy);
    try {
      await navigator.clipboard.writeText(text.value);
      button.textContent = "Copied";
    } catch {
      text.select();
    }
  });
}
