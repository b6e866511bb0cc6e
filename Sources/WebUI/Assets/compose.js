import { fragment, parsed, post } from "./fetching.js";
import { forgetDraft } from "./held.js";

const kept = "linnet-draft";
const word = /(^|[\s(])([@:][^\s@:]{1,40})$/u;

/** The page to write on: suggestions, preview in place, a draft that survives. */
export function watchCompose() {
  if (location.pathname === "/drafts" && location.search.includes("kept=")) forgetDraft();
  const adding = document.querySelector("form[data-suggest]");
  if (adding && document.getElementById("completions")) suggestNames(adding, adding.elements.text);
  const form = document.querySelector("form[data-compose]");
  if (!form) return;
  const text = form.elements.text;
  keepDraft(form, text);
  suggestNames(form, text);
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
  const name = `${kept}:${document.body.dataset.account}:${form.dataset.reply}:${form.dataset.quote}:${form.elements.kept.value}`;
  if (!text.value) text.value = localStorage.getItem(name) ?? "";
  text.addEventListener("input", () => {
    if (text.value) localStorage.setItem(name, text.value);
    else localStorage.removeItem(name);
  });
  // What was handed over is held by Linnet; the bar about it forgets the draft once it is published.
  form.addEventListener("submit", (event) => {
    if (!["preview", "attach", "gif"].includes(event.submitter?.value)) sessionStorage.setItem("linnet-sent", name);
  });
}

/** Suggestions for the word under the caret: `@` people, `:` emoji. */
export function suggestNames(form, text) {
  suggest(text, document.getElementById("completions"), {
    find: () => text.value.slice(0, text.selectionStart).match(word)?.[2],
    path: (found) => `/compose/complete?word=${encodeURIComponent(found)}`,
    insert(option, found) {
      text.setRangeText(`${option.dataset.insert} `, text.selectionStart - found.length, text.selectionStart, "end");
      if (option.dataset.key) form.elements.mentions.value += `${option.dataset.name}\t${option.dataset.key}\n`;
    },
  });
}

/** Suggestions for the people a message goes to; those picked stand before the field. */
export function suggestPeople(form) {
  const { to, people } = form.elements;
  suggest(to, document.getElementById("to-completions"), {
    find: () => to.value.match(/[^,;]*$/)[0].trim(),
    path: (found) => `/messages/people?word=${encodeURIComponent(found)}`,
    insert(option, found) {
      to.value = to.value.slice(0, to.value.lastIndexOf(found)).replace(/[,;\s]+$/, "");
      if (people.value.includes(option.dataset.key)) return;
      people.value += `\n${option.dataset.key}`;
      const person = document.getElementById("chosen-person").content.cloneNode(true);
      person.querySelector(".avatar").replaceChildren(...option.querySelector(".avatar").cloneNode(true).childNodes);
      person.querySelector(".name").textContent = option.dataset.name;
      const button = person.querySelector("button");
      button.value = option.dataset.key;
      button.setAttribute("aria-label", `Leave ${option.dataset.name} out`);
      form.querySelector("[data-chosen]").append(person);
    },
  });
  form.addEventListener("click", (event) => {
    const button = event.target.closest("[name=remove]");
    if (!button) return;
    event.preventDefault();
    people.value = people.value.split(/\s+/).filter((key) => key !== button.value).join("\n");
    button.closest(".chosen-person").remove();
    to.focus();
  });
}

/* A list of suggestions under a field: arrows choose, Enter and Tab take, Escape leaves. */
function suggest(text, list, { find, path, insert }) {
  let chosen = -1;
  let round = 0;
  let asked = "";
  let takes = false;
  const options = () => [...list.children];
  const close = () => {
    list.hidden = true;
    takes = false;
    chosen = -1;
    text.removeAttribute("aria-activedescendant");
  };
  const choose = (index) => {
    chosen = (index + options().length) % options().length;
    options().forEach((option, at) => option.setAttribute("aria-selected", String(at === chosen)));
    text.setAttribute("aria-activedescendant", options()[chosen].id);
  };
  const pick = (option) => {
    const found = find();
    if (found !== undefined) insert(option, found);
    close();
    text.dispatchEvent(new Event("input"));
  };
  // Who types on faster than Linnet answers wants what fits the whole word, not what is still shown for its beginning.
  const take = () => {
    if (find() === asked) pick(options()[chosen]);
    else takes = true;
  };
  text.setAttribute("aria-autocomplete", "list");
  text.setAttribute("aria-controls", list.id);
  text.addEventListener("input", async () => {
    const found = find();
    round += 1;
    takes = false;
    const mine = round;
    if (!found) return close();
    const html = await fragment(path(found)).catch(() => "");
    if (mine !== round) return;
    asked = found;
    list.replaceChildren(...parsed(html).children);
    if (list.children.length === 0) return close();
    list.hidden = false;
    choose(0);
    if (takes) pick(options()[0]);
  });
  text.addEventListener("keydown", (event) => {
    if (list.hidden || event.ctrlKey || event.metaKey) return;
    if (event.key === "ArrowDown") choose(chosen + 1);
    else if (event.key === "ArrowUp") choose(chosen - 1);
    else if ((event.key === "Enter" && !event.shiftKey) || event.key === "Tab") take();
    else if (event.key === "Escape") close();
    else return;
    event.preventDefault();
  });
  list.addEventListener("mousedown", (event) => {
    event.preventDefault();
    const option = event.target.closest(".completion");
    if (option) pick(option);
  });
  text.addEventListener("blur", () => {
    // What is still being asked for would open over what somebody went on to.
    round += 1;
    close();
  });
}
