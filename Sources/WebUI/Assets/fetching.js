import { refreshTimes } from "./times.js";

let lastActed = Date.now();
const watched = ["pointerdown", "keydown", "wheel", "touchmove"];

/** Whether a person moved or typed just now; a page that keeps itself fresh must not keep a key unlocked. */
const isPresent = () => Date.now() - lastActed < 10000;

/** Tells Linnet about once a minute that somebody reads, while somebody does. */
export function watchPresence() {
  let told = Date.now();
  const act = () => {
    lastActed = Date.now();
    if (lastActed - told < 60000) return;
    told = lastActed;
    fragment("/present").catch(() => {});
  };
  for (const kind of watched) addEventListener(kind, act, { passive: true, capture: true });
}

/** What is posted may need a signature, and a signer elsewhere may have to ask its person first. */
const patience = ({ method }) => (method === "POST" && document.body.dataset.signer ? 300000 : 15000);

/** Fetches a part of a page; throws with a sentence for a person. */
export async function fragment(path, options = {}) {
  let answer;
  try {
    answer = await fetch(path, {
      credentials: "same-origin",
      signal: AbortSignal.timeout(patience(options)),
      ...options,
      headers: {
        "X-Linnet-Fragment": "1",
        ...(document.body.dataset.account && { "X-Linnet-Account": document.body.dataset.account }),
        ...(isPresent() && { "X-Linnet-Present": "1" }),
        ...options.headers,
      },
    });
  } catch {
    throw new Error("Linnet is not answering.");
  }
  const text = await answer.text();
  if (!answer.ok) throw new Error(text.slice(0, 200) || "That did not work.");
  return text;
}

/** Posts a form as a browser would, and takes a part of a page back. */
export function post(path, fields) {
  return fragment(path, { method: "POST", body: new URLSearchParams(fields) });
}

/** Turns our own server's HTML, escaped there, into an element to take nodes from, its times in the reader's zone. */
export function parsed(html) {
  const { body } = new DOMParser().parseFromString(html, "text/html");
  refreshTimes(body);
  return body;
}

let spoken = 0;
let mentioning;

/** Says something to screen readers, in place of what was said before. */
export function say(sentence) {
  spoken = Date.now();
  const place = document.getElementById("say");
  if (place) place.textContent = sentence;
}

/** Says something that can wait: what was said a moment ago is heard to its end first. */
export function mention(sentence) {
  clearTimeout(mentioning);
  const pause = spoken + 3000 - Date.now();
  if (pause <= 0) say(sentence);
  else mentioning = setTimeout(() => mention(sentence), pause);
}

/**
 * Runs something that reads anew, one time after the other: asked for while it runs, it runs once more.
 *
 * What fails is tried again in a moment: news is told once.
 */
export function serially(read) {
  let isRunning = false;
  let again = false;
  let failures = 0;
  const run = async () => {
    again = true;
    if (isRunning) return;
    isRunning = true;
    try {
      while (again) {
        again = false;
        await read();
        failures = 0;
      }
    } catch {
      failures += 1;
      // The strip about the connection says it when Linnet is gone; what it missed is read when it is back.
      if (failures <= 5) setTimeout(run, 2000 * failures);
    } finally {
      isRunning = false;
    }
  };
  return run;
}
