import { fragment, parsed, post } from "./fetching.js";

const kept = "linnet-draft";
const word = /(^|[\s(])([@:][^\s@:]{1,40})$/u;

/** The page to write on: suggestions, preview in place, a draft that survives. */
export function watchCompose() {
  const form = document.querySelector("form[data-compose]");
  if (!form) return;
  const text = form.elements.text;
  keepDraft(form, text);
  suggest(form, text);
  form.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.querySelector("[value=publish]").click();
  });
  form.addEventListener("submit", async (event) => {
    if (event.submitter?.value !== "preview") return;
    event.preventDefault();
    const place = document.getElementById("preview");
    try {
      const fields = new FormData(form, event.submitter);
      place.replaceChildren(...parsed(await post("/compose", fields)).childNodes);
    } catch (trouble) {
      place.textContent = trouble.message;
    }
    place.scrollIntoView({ block: "nearest" });
  });
  text.setSelectionRange(text.value.length, text.value.length);
}

function keepDraft(form, text) {
  const name = `${kept}:${form.dataset.reply}:${form.dataset.quote}`;
  if (!text.value) text.value = localStorage.getItem(name) ?? "";
  text.addEventListener("input", () => {
    if (text.value) localStorage.setItem(name, text.value);
    else localStorage.removeItem(name);
  });
  // What was handed over is held by Linnet; the bar about it forgets the draft once it is published.
  form.addEventListener("submit", (event) => {
    if (event.submitter?.value !== "preview") sessionStorage.setItem("linnet-sent", name);
  });
}

function suggest(form, text) {
  const list = document.getElementById("completions");
  let chosen = -1;
  let round = 0;
  const options = () => [...list.children];
  const close = () => {
    list.hidden = true;
    chosen = -1;
    text.removeAttribute("aria-activedescendant");
  };
  const choose = (index) => {
    chosen = (index + options().length) % options().length;
    options().forEach((option, at) => option.setAttribute("aria-selected", String(at === chosen)));
    text.setAttribute("aria-activedescendant", options()[chosen].id);
  };
  const insert = (option) => {
    const before = text.value.slice(0, text.selectionStart);
    const start = before.length - before.match(word)[2].length;
    text.setRangeText(`${option.dataset.insert} `, start, text.selectionStart, "end");
    if (option.dataset.key) form.elements.mentions.value += `${option.dataset.name}\t${option.dataset.key}\n`;
    close();
    text.dispatchEvent(new Event("input"));
  };
  text.setAttribute("aria-autocomplete", "list");
  text.setAttribute("aria-controls", "completions");
  text.addEventListener("input", async () => {
    const found = text.value.slice(0, text.selectionStart).match(word);
    round += 1;
    const mine = round;
    if (!found) return close();
    const html = await fragment(`/compose/complete?word=${encodeURIComponent(found[2])}`).catch(() => "");
    if (mine !== round) return;
    list.replaceChildren(...parsed(html).children);
    if (list.children.length === 0) return close();
    list.hidden = false;
    choose(0);
  });
  text.addEventListener("keydown", (event) => {
    if (list.hidden || event.ctrlKey || event.metaKey) return;
    if (event.key === "ArrowDown") choose(chosen + 1);
    else if (event.key === "ArrowUp") choose(chosen - 1);
    else if (event.key === "Enter" || event.key === "Tab") insert(options()[chosen]);
    else if (event.key === "Escape") close();
    else return;
    event.preventDefault();
  });
  list.addEventListener("mousedown", (event) => {
    event.preventDefault();
    const option = event.target.closest(".completion");
    if (option) insert(option);
  });
  text.addEventListener("blur", close);
}
