import { parsed, post, say } from "./fetching.js";

/** Likes and reposts, and taking them back, without leaving the page. */
export function watchActs() {
  document.addEventListener("submit", async (event) => {
    const button = event.submitter;
    if (!button?.matches(".act")) return;
    event.preventDefault();
    if (button.classList.contains("is-busy")) return;
    const note = button.closest(".note");
    const fields = new FormData(event.target, button);
    const wasOn = button.getAttribute("aria-pressed") === "true";
    button.setAttribute("aria-pressed", String(!wasOn));
    button.classList.add("is-busy");
    try {
      const path = new URL(button.formAction).pathname;
      const fresh = parsed(await post(path, fields)).querySelector(".note-acts");
      const key = button.dataset.key;
      const hadFocus = document.activeElement === button;
      if (fresh) note.querySelector(".note-acts").replaceWith(fresh);
      if (hadFocus) note.querySelector(`.act[data-key="${key}"]`)?.focus();
      say({ l: ["Liked", "Like taken back"], t: ["Reposted", "Repost taken back"] }[key][wasOn ? 1 : 0]);
    } catch (trouble) {
      button.setAttribute("aria-pressed", String(wasOn));
      button.classList.remove("is-busy");
      complain(trouble.message);
    }
  });
}

/** Shows what went wrong where it is seen and heard. */
export function complain(sentence) {
  const strip = document.createElement("p");
  strip.className = "strip alarm";
  strip.setAttribute("role", "alert");
  strip.textContent = sentence;
  document.getElementById("main").prepend(strip);
  strip.scrollIntoView({ block: "nearest" });
  setTimeout(() => strip.remove(), 10000);
}
