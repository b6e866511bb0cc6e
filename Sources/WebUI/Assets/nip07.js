import { complain } from "./acts.js";
import { fragment, post } from "./fetching.js";

const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

/** The browser's extension for Nostr (NIP-07); some put it there late. */
export async function extension() {
  for (let tries = 0; tries < 20 && !window.nostr; tries++) await pause(100);
  return window.nostr;
}

const functions = {
  sign_event: (nostr) => nostr.signEvent && (async ([event]) => JSON.stringify(await nostr.signEvent(JSON.parse(event)))),
  nip44_encrypt: (nostr) => nostr.nip44?.encrypt && (([key, text]) => nostr.nip44.encrypt(key, text)),
  nip44_decrypt: (nostr) => nostr.nip44?.decrypt && (([key, text]) => nostr.nip44.decrypt(key, text)),
  nip04_encrypt: (nostr) => nostr.nip04?.encrypt && (([key, text]) => nostr.nip04.encrypt(key, text)),
  nip04_decrypt: (nostr) => nostr.nip04?.decrypt && (([key, text]) => nostr.nip04.decrypt(key, text)),
};

/** Asks the extension for what Linnet needs, while this page is open. */
export async function serveExtension(tell = showStrip) {
  const nostr = await extension();
  const name = () => crypto.getRandomValues(new Uint32Array(4)).join("-");
  let page = name();
  // Once it has left, a page that is gone back to is another.
  addEventListener("pageshow", (event) => { if (event.persisted) page = name(); });
  addEventListener("pagehide", () => {
    const body = new URLSearchParams({ csrf: document.body.dataset.csrf, page });
    fetch("/nip07/leave", { method: "POST", body, keepalive: true, headers: { "X-Linnet-Fragment": "1" } }).catch(() => {});
  });
  if (!nostr && !document.getElementById("signer-strip")) {
    return tell("This browser's extension has your key, and it does not answer on this page. You can read.");
  }
  if (!nostr) return askDevice(() => page);
  for (;;) {
    try {
      const text = await fragment(`/nip07/requests?page=${page}`, { signal: AbortSignal.timeout(40000) });
      for (const request of JSON.parse(text)) answer(nostr, request);
    } catch {
      // Linnet is not answering, or another account is open now.
      await pause(5000);
    }
  }
}

/** Without an extension the key may be in an app of this device: what is asked of it is shown as links to it. */
async function askDevice(page) {
  let shown;
  for (;;) {
    try {
      const html = await fragment(`/device-signer/requests?page=${page()}`, { signal: AbortSignal.timeout(40000) });
      // A link that somebody is about to open stays as it is.
      if (html !== shown) document.getElementById("signer-strip").innerHTML = shown = html;
      // No app was chosen, so nothing changes until one is.
      if (html.includes("/device-signer")) return;
      if (html) await pause(2000);
    } catch {
      await pause(5000);
    }
  }
}

async function answer(nostr, { id, method, params }) {
  const [outcome, text] = await outcomeOf(nostr, method, params);
  const bytes = new TextEncoder().encode(text);
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  for (let tries = 0; tries < 5; tries++) {
    try {
      return await post("/nip07/answer", { csrf: document.body.dataset.csrf, id, outcome, text: btoa(binary) });
    } catch {
      await pause(1000);
    }
  }
}

async function outcomeOf(nostr, method, params) {
  const run = functions[method]?.(nostr);
  if (!run) return ["cannot", ""];
  try {
    return ["result", String(await run(params))];
  } catch (trouble) {
    return ["failure", String(trouble?.message ?? trouble).slice(0, 300)];
  }
}

function showStrip(sentence) {
  const strip = document.createElement("p");
  strip.className = "strip";
  strip.textContent = sentence;
  document.getElementById("signer-strip").replaceChildren(...(sentence ? [strip] : []));
}

/* ---- Forms ---- */

/** Sends forms while their page stays: whoever leaves it takes the way to the extension along. */
export function keepFormsHere() {
  document.addEventListener("submit", async (event) => {
    const form = event.target;
    // What another script sends stays here anyway.
    if (event.defaultPrevented || form.getAttribute("method") !== "post") return;
    event.preventDefault();
    if (form.dataset.sending) return;
    form.dataset.sending = "1";
    form.setAttribute("aria-busy", "true");
    // Where there is none, the links to the app that has the key stand there.
    const say = (sentence) => window.nostr && showStrip(sentence);
    const waiting = setTimeout(() => say("Your browser's extension is asked. It may want you to approve something."), 1500);
    try {
      goOn(await sendForm(form, event.submitter));
    } catch (trouble) {
      complain(trouble.message);
      delete form.dataset.sending;
      form.removeAttribute("aria-busy");
    } finally {
      clearTimeout(waiting);
      say("");
    }
  });
  // A page that is gone back to is not sending any more.
  addEventListener("pageshow", () => {
    for (const form of document.querySelectorAll("form[data-sending]")) delete form.dataset.sending;
  });
}

/** Sends a form as its browser would; returns where the browser would be then. */
export async function sendForm(form, submitter) {
  const path = submitter?.getAttribute("formaction") ?? form.getAttribute("action") ?? location.href;
  let answer;
  try {
    answer = await fetch(path, {
      method: "POST",
      body: new URLSearchParams(new FormData(form, submitter)),
      credentials: "same-origin",
      // Several things may be asked of the extension, and each may wait for its person.
      signal: AbortSignal.timeout(600000),
      headers: {
        "X-Linnet-Submit": "1", "X-Linnet-Present": "1", "X-Linnet-Account": document.body.dataset.account ?? "",
      },
    });
  } catch {
    throw new Error("Linnet is not answering.");
  }
  if (!answer.ok) throw new Error((await answer.text()).slice(0, 300) || "That did not work.");
  return new URL((await answer.json()).go, location.href);
}

function goOn(target) {
  const here = target.pathname + target.search === location.pathname + location.search;
  if (!here) return location.assign(target);
  // Another place of the same page is no other page, but this one may have changed.
  history.replaceState(history.state, "", target);
  location.reload();
}
