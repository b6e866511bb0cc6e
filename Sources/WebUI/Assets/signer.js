import { complain } from "./acts.js";
import { fragment, parsed, post, say } from "./fetching.js";
import { addKeys } from "./keys.js";
import { offerPush } from "./push.js";

/** The signer's own pages: what waits is decided without leaving them. */
export function watchSigner() {
  showTab();
  void offerPush();
  if (!document.querySelector("[data-signer-badge]")) return;
  let known = Number(document.querySelector("[data-signer-badge] [data-count]").textContent);
  // The page's count may be newer than its list: the first word about it brings the list up to date.
  let isFirst = true;
  document.addEventListener("linnet:signer", ({ detail }) => {
    const { count, changes } = detail;
    const differs = count !== known || isFirst;
    isFirst = false;
    known = count;
    for (const place of document.querySelectorAll("[data-signer]")) {
      const wanted = place.dataset.signer.split(" ");
      const isList = place.id === "asks";
      if (wanted.some((name) => changes.includes(name)) || (isList && differs)) void refresh(place);
    }
    const came = document.getElementById("app-came");
    if (came && changes.includes("apps")) came.hidden = false;
  });
  watchDeciding();
  watchPairing();
  const clean = new URL(location.href);
  if (clean.pathname === "/signer/connect" && clean.searchParams.has("uri")) {
    // The token of a link that led here stays in no history.
    clean.searchParams.delete("uri");
    history.replaceState(history.state, "", clean);
  }
  document.getElementById("second-step")?.focus();
}

/* Where the tabs are wider than the page, the one that is open is in sight. */
function showTab() {
  const tabs = document.querySelector(".signer-tabs");
  const open = tabs?.querySelector("[aria-current]");
  if (open) tabs.scrollLeft = open.offsetLeft - (tabs.clientWidth - open.offsetWidth) / 2;
}

/* ---- Parts that keep themselves fresh ---- */

const busy = new WeakMap();

/** Fetches a part anew; one at a time, and once more when something came meanwhile. */
async function refresh(place) {
  if (busy.has(place)) return void busy.set(place, true);
  busy.set(place, false);
  try {
    const fresh = parsed(await fragment(place.dataset.path)).querySelector("[data-signer]");
    if (fresh) put(place, fresh);
  } catch {
    // The strip about the connection says it already.
  } finally {
    const again = busy.get(place);
    busy.delete(place);
    if (again && place.isConnected) void refresh(place);
  }
}

function put(place, fresh) {
  if (place.id === "asks") {
    // What was wrong with an answer stands there until the next one, whatever comes meanwhile.
    const problem = place.querySelector(":scope > .problem");
    if (problem && !fresh.querySelector(":scope > .problem")) fresh.prepend(problem);
    return putAsks(place, fresh);
  }
  if (place.contains(document.activeElement) && document.activeElement.matches("input, textarea, select")) return;
  const hadFocus = place.contains(document.activeElement) ? document.activeElement.getAttribute("href") : null;
  place.replaceChildren(...fresh.childNodes);
  if (hadFocus) place.querySelector(`[href="${CSS.escape(hadFocus)}"]`)?.focus();
  place.dispatchEvent(new Event("linnet:fresh", { bubbles: true }));
}

/* Requests that are still as they were stay in place with their focus, open menus and ticks. */
function putAsks(place, fresh) {
  const here = new Map([...place.querySelectorAll("[data-ask]")].map((ask) => [ask.dataset.mark, ask]));
  const focused = document.activeElement?.closest?.("[data-ask]");
  const order = [...here.values()];
  const index = order.indexOf(focused);
  const unlocking = ".ask-locked input[type=password]";
  if (place.querySelector(unlocking)?.value && fresh.querySelector(unlocking)) return;
  for (const ask of fresh.querySelectorAll("[data-ask]")) {
    const old = here.get(ask.dataset.mark);
    if (old) ask.replaceWith(old);
    else if (order.length > 0 || place.dataset.count === "0") ask.classList.add("is-new");
  }
  place.dataset.count = fresh.dataset.count;
  place.replaceChildren(...fresh.childNodes);
  if (!focused || focused === document.activeElement?.closest("[data-ask]")) return;
  if (focused.isConnected) return void (lastFocus?.isConnected ? lastFocus : focused).focus({ preventScroll: true });
  const left = [...place.querySelectorAll("[data-ask]")];
  (left[Math.min(index, left.length - 1)] ?? place).focus({ preventScroll: true });
}

let lastFocus;
document.addEventListener("focusin", (event) => { lastFocus = event.target; });

/* ---- Deciding ---- */

function watchDeciding() {
  document.addEventListener("submit", async (event) => {
    const form = event.target;
    const place = form.closest("#asks");
    if (!place || !form.matches("[data-decide]")) return;
    event.preventDefault();
    if (place.dataset.busy) return;
    place.dataset.busy = "1";
    try {
      const path = new URL(form.action).pathname;
      const body = new FormData(form, event.submitter);
      // What was typed is for one answer.
      for (const typed of form.querySelectorAll("input[type=password]")) typed.value = "";
      const fresh = parsed(await post(path, body)).querySelector("#asks");
      if (!fresh) throw new Error("That did not work. Reload the page.");
      const done = fresh.dataset.done;
      form.closest("[data-ask]")?.contains(document.activeElement) || form.closest("[data-ask]")?.focus();
      putAsks(place, fresh);
      if (done) say(done);
    } catch (trouble) {
      complain(trouble.message);
    } finally {
      delete place.dataset.busy;
    }
  });
  addKeys(act);
}

/** j and k walk; a approves, x refuses, o opens the request one is at. */
function act(key) {
  const asks = [...document.querySelectorAll("[data-ask]")];
  const alone = document.querySelector("[data-request]");
  if (asks.length === 0 && !alone) return false;
  const current = document.activeElement?.closest("[data-ask]");
  const press = (name) => {
    const button = (alone ?? current)?.querySelector(`[data-act="${name}"]`);
    button?.click();
    return Boolean(button);
  };
  switch (key) {
    case "j": case "k": {
      if (asks.length === 0) return false;
      const index = current ? asks.indexOf(current) + (key === "j" ? 1 : -1) : 0;
      const next = asks[Math.min(Math.max(index, 0), asks.length - 1)];
      next.focus({ preventScroll: true });
      next.scrollIntoView({ block: "nearest" });
      return true;
    }
    case "a": return press("once");
    case "x": return press("refuse");
    case "o": {
      const link = current?.querySelector(".ask-headline a, .batch > summary");
      link?.click();
      return Boolean(link);
    }
    default: return false;
  }
}

/* ---- Pairing ---- */

/* The answer is sent again until the app is heard of, which takes a while: the form says so meanwhile. */
function watchPairing() {
  document.addEventListener("submit", async (event) => {
    const form = event.target;
    if (!form.matches("[data-pair]")) return;
    event.preventDefault();
    if (form.classList.contains("is-busy")) return;
    form.classList.add("is-busy");
    const progress = form.querySelector("[data-progress]");
    const began = Date.now();
    const tell = () => {
      const seconds = Math.round((Date.now() - began) / 1000);
      if (seconds === 0) progress.textContent = "Telling the app…";
      else if (seconds % 5 === 0) progress.textContent = `Waiting for the app to answer, ${seconds} s`;
    };
    tell();
    const timer = setInterval(tell, 1000);
    try {
      const html = await fragment(new URL(form.action).pathname, {
        method: "POST", body: new URLSearchParams(new FormData(form)), signal: AbortSignal.timeout(120000),
      });
      const fresh = parsed(html).querySelector("#pairing");
      const place = document.getElementById("pairing");
      place.replaceWith(fresh);
      fresh.setAttribute("tabindex", "-1");
      fresh.focus();
      say(fresh.querySelector("h2, .problem")?.textContent ?? "");
    } catch (trouble) {
      complain(trouble.message);
    } finally {
      clearInterval(timer);
      form.classList.remove("is-busy");
      if (progress) progress.textContent = "";
    }
  });
}
