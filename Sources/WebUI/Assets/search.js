import { complain } from "./acts.js";
import { fragment, mention, parsed } from "./fetching.js";

/** So long after the last letter a search begins. */
const pause = 500;

/** Searches while somebody types, and asks whom a name at a domain leads to. */
export function watchSearch() {
  const form = document.querySelector("[data-search-form]");
  if (!form) return;
  const field = form.querySelector("[name=q]");
  let timer;
  let last = 0;
  field.addEventListener("input", () => {
    clearTimeout(timer);
    last += 1;
    const number = last;
    timer = setTimeout(() => search(form, () => number === last), pause);
  });
  form.addEventListener("submit", (event) => {
    clearTimeout(timer);
    last += 1;
    const warning = warningOf(field.value);
    if (!warning) return;
    event.preventDefault();
    field.value = "";
    complain(warning);
  });
  void askName();
}

/** What is said of a secret, which goes into no address; nothing of words. */
function warningOf(text) {
  if (/(nsec|ncryptsec)1[a-z0-9]{20}/i.test(text)) {
    return "That is a secret key. It was not searched for. Paste it only where Linnet asks for your key.";
  }
  // Of a signer, an app, a wallet or a circle; the server knows all their forms.
  if (/(bunker|nostrconnect|wallet_?connect|whistle|famstr|linnet-answer):\S/i.test(text)) {
    return "That address lets in whoever has it. It was not searched for. Paste it under Signer or Circles.";
  }
  return "";
}

async function search(form, isNewest) {
  const text = form.querySelector("[name=q]").value.trim();
  const feed = document.querySelector("form.feed[data-search]");
  if (text.length < 2 || !feed || warningOf(text)) return;
  const fields = new URLSearchParams(new FormData(form));
  for (const name of [...fields.keys()]) if (!fields.get(name)) fields.delete(name);
  const typed = new URLSearchParams(fields);
  typed.set("typed", "1");
  const html = await fragment(`/search?${typed}`).catch(() => "");
  const fresh = html && parsed(html).querySelector("form.feed");
  // Somebody typed on meanwhile, or went to a result already.
  if (!fresh || !isNewest() || feed.contains(document.activeElement)) return;
  feed.replaceChildren(...fresh.children);
  feed.dataset.path = fresh.dataset.path;
  feed.action = fresh.action;
  delete feed.dataset.pages;
  feed.dispatchEvent(new Event("linnet:grown"));
  const tabs = document.querySelector("[data-search-tabs]");
  for (const link of tabs?.querySelectorAll("a") ?? []) {
    const address = new URL(link.href);
    address.searchParams.set("q", text);
    link.href = address;
  }
  document.querySelector("[data-search-name]")?.remove();
  history.replaceState(history.state, "", fresh.dataset.path);
  mention(`${feed.querySelectorAll(".note, .person-row").length} found so far`);
}

async function askName() {
  const place = document.querySelector("[data-search-name]");
  if (!place) return;
  const html = await fragment(place.dataset.searchName).catch(() => "");
  if (html) place.replaceChildren(...parsed(html).childNodes);
}
