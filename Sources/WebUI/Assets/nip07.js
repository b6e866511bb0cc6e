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
export async function serveExtension() {
  const nostr = await extension();
  if (!nostr) return tell("This browser's extension has your key, and it does not answer on this page. You can read.");
  const page = crypto.getRandomValues(new Uint32Array(4)).join("-");
  addEventListener("pagehide", () => {
    const body = new URLSearchParams({ csrf: document.body.dataset.csrf, page });
    fetch("/nip07/leave", { method: "POST", body, keepalive: true, headers: { "X-Linnet-Fragment": "1" } }).catch(() => {});
  });
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

function tell(sentence) {
  const strip = document.createElement("p");
  strip.className = "strip";
  strip.textContent = sentence;
  document.getElementById("signer-strip").replaceChildren(strip);
}
