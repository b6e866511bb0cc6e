import { fragment, parsed } from "./fetching.js";

/** The bar about a note just written: counts down, then says how far it came. */
export function watchHeld() {
  const bar = document.getElementById("held-bar");
  const form = bar?.querySelector("form");
  if (!form?.querySelector("[data-held]")) return;
  // Reloading must not bring the bar back.
  const address = new URL(location.href);
  address.searchParams.delete("held");
  history.replaceState(history.state, "", address);
  const timer = setInterval(async () => {
    const seconds = form.querySelector("[data-seconds]");
    const left = Number(seconds?.textContent ?? 0);
    if (left > 1) {
      seconds.textContent = String(left - 1);
      form.querySelector("progress").value = left - 1;
      return;
    }
    const id = form.querySelector("[data-held]").dataset.held;
    const html = await fragment(`/compose/held?id=${id}`).catch(() => "");
    const fresh = parsed(html).querySelector("[data-held]");
    if (!fresh || fresh.querySelector("[data-seconds]")?.textContent === "0") return;
    const shown = form.querySelector("[data-held]");
    // What stays the same is not said again.
    if (shown.innerHTML !== fresh.innerHTML) shown.replaceWith(fresh);
    // On its way: what this browser kept of it is not needed any more, whenever a relay takes it.
    if (fresh.querySelector("[data-queued], [data-published]")) forgetDraft();
    if (!fresh.querySelector("[data-published]")) return;
    clearInterval(timer);
    setTimeout(() => bar.replaceChildren(), 15000);
  }, 1000);
}

/** Forgets the copy of what was handed over that this browser kept. */
export function forgetDraft() {
  const name = sessionStorage.getItem("linnet-sent");
  if (name) localStorage.removeItem(name);
  sessionStorage.removeItem("linnet-sent");
}
