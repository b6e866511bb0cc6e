import { parsed, post, say } from "./fetching.js";

/** Likes and reposts, and taking them back, without leaving the page. */
export function watchActs() {
  document.addEventListener("submit", async (event) => {
    const button = event.submitter;
    if (!button?.matches(".act")) return;
    event.preventDefault();
    if (button.classList.contains("is-busy")) return;
    const note = button.closest("[data-id]");
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
      document.dispatchEvent(new CustomEvent("linnet:acted", { detail: note.dataset.id }));
      if (hadFocus) note.querySelector(`.act[data-key="${key}"]`)?.focus();
      say({ l: ["Liked", "Like taken back"], t: ["Reposted", "Repost taken back"] }[key][wasOn ? 1 : 0]);
    } catch (trouble) {
      button.setAttribute("aria-pressed", String(wasOn));
      button.classList.remove("is-busy");
      complain(trouble.message);
    }
  });
}

/** Votes without leaving the page; on the page of a poll itself everything is drawn anew. */
export function watchVotes() {
  document.addEventListener("submit", async (event) => {
    const button = event.submitter;
    const poll = button?.closest(".poll");
    if (!poll || !button.matches(".poll-vote") || event.target.matches("[data-plain]")) return;
    event.preventDefault();
    if (button.disabled) return;
    const fields = new FormData(event.target, button);
    button.disabled = true;
    try {
      const fresh = parsed(await post(new URL(button.formAction).pathname, fields)).querySelector(".poll");
      if (!fresh) throw new Error("That did not work.");
      poll.replaceWith(fresh);
      const next = fresh.querySelector("summary, input, a");
      next?.focus();
      say("Your vote is on its way");
    } catch (trouble) {
      button.disabled = false;
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
