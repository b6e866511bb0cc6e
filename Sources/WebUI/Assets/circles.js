import { fragment, parsed, post, serially } from "./fetching.js";
import { shownPart, updateMap } from "./map.js";
import { speakOfPictures } from "./pictures.js";

/** Circles: the lists of people and the map show what came, without leaving the page. */
export function watchCircles() {
  for (const part of document.querySelectorAll("[data-circle-part]")) watchPart(part);
  takeInvitation();
  for (const map of document.querySelectorAll("[data-circle-map]")) {
    watchHints(map.dataset.circleMap, async () => {
      const fresh = parsed(await fragment(map.dataset.path));
      const pins = fresh.querySelector(`#${CSS.escape(map.dataset.pins)}`);
      if (pins) updateMap(map, JSON.parse(pins.textContent));
      refreshSharing(document.querySelector("[data-circle-sharing]"), fresh.querySelector("[data-circle-sharing]"));
      const notices = fresh.querySelector("[data-circle-notices]");
      if (notices) document.querySelector("[data-circle-notices]")?.replaceChildren(...notices.childNodes);
    });
  }
}

/* A link for browsers has its code behind #, which no server sees; it goes into the form, and out of the address. */
function takeInvitation() {
  const field = document.querySelector("textarea#invitation");
  if (!field || location.hash.length < 12) return;
  field.value = location.hash.slice(1);
  history.replaceState(history.state, "", location.pathname);
  field.focus();
}

/** Has the part of the map that is looked at fetched for when there is no network, and says how far that is. */
export function watchKeeping() {
  for (const form of document.querySelectorAll("form[data-keep-map]")) {
    const words = form.querySelector("[role=status]");
    form.hidden = false;
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const part = shownPart(document.querySelector(".map[data-tiles]"));
      if (!part) return;
      const fields = new URLSearchParams(new FormData(form));
      for (const [name, value] of Object.entries(part)) fields.set(name, String(value));
      try {
        await post(form.action, fields);
        await follow(words);
      } catch (trouble) {
        words.textContent = trouble.message;
      }
    });
  }
}

/* Asked once a second until it says nothing new any more. */
async function follow(words) {
  for (let same = 0, last = ""; same < 15;) {
    const said = await fragment("/map/region");
    same = said === last ? same + 1 : 0;
    last = said;
    words.textContent = said;
    if (!said.endsWith("…")) return;
    await new Promise((resume) => setTimeout(resume, 1000));
  }
}

/* A form that shares goes on sharing: put in anew it would ask the device again, and send, and be told of that. */
function refreshSharing(panel, fresh) {
  if (!panel || !fresh) return;
  const [form, next] = [panel, fresh].map((part) => part.querySelector("form.sharing"));
  if (!form || !next) {
    if (form !== next && !panel.contains(document.activeElement)) panel.replaceChildren(...fresh.childNodes);
    return;
  }
  const said = form.querySelector("[data-sharing-state]")?.textContent;
  form.querySelector(".sharing-words").replaceChildren(...next.querySelector(".sharing-words").childNodes);
  const state = form.querySelector("[data-sharing-state]");
  if (state && said) state.textContent = said;
  if (form.dataset.interval !== next.dataset.interval) form.dataset.interval = next.dataset.interval;
  if (form.hasAttribute("data-paused") !== next.hasAttribute("data-paused")) form.toggleAttribute("data-paused");
  const acts = [panel, fresh].map((part) => part.querySelector(".sharing-acts"));
  if (acts[0] && acts[1] && !acts[0].contains(document.activeElement)) acts[0].replaceWith(acts[1]);
}

function watchHints(word, refresh) {
  const read = serially(refresh);
  document.addEventListener("linnet:circle", ({ detail }) => detail.includes(word) && void read());
  return read;
}

/** A part is drawn anew once nobody is in it, writing or choosing. */
function watchPart(part) {
  let isLate = false;
  let drawn = withoutTimes(part);
  noteOpen(part);
  const read = watchHints(part.dataset.circlePart, async () => {
    isLate = isInUse(part);
    if (isLate) return;
    const fresh = parsed(await fragment(part.dataset.path)).querySelector("[data-circle-part]");
    // What is the same is left: a message of a script may stand in it.
    const next = fresh && withoutTimes(fresh);
    if (!fresh || next === drawn) return;
    // Somebody may have begun while it was fetched.
    isLate = isInUse(part);
    if (isLate) return;
    drawn = next;
    part.replaceChildren(...fresh.childNodes);
    noteOpen(part);
    part.dispatchEvent(new Event("linnet:fresh", { bubbles: true }));
    speakOfPictures(part);
  });
  // Looked at once the focus, or what was opened, has gone elsewhere.
  const make = () => setTimeout(() => isLate && !isInUse(part) && void read());
  part.addEventListener("focusout", make);
  part.addEventListener("toggle", make, true);
  // What was sent is not waiting to be sent.
  part.addEventListener("submit", ({ target }) => setTimeout(() => keepFields(target)));
}

/* As it was drawn; times are told anew by the minute. */
const withoutTimes = (part) => part.innerHTML.replace(/(<time\b[^>]*>)[^<]*/g, "$1");

/** What was drawn open: nobody opened it. */
const drawnOpen = new WeakSet();
function noteOpen(part) {
  for (const details of part.querySelectorAll("details[open]")) drawnOpen.add(details);
}

function isInUse(part) {
  // What somebody asked for, or did wrong, stands until they go on.
  const says = location.search !== "" || [...part.querySelectorAll(".problem")].some((place) => place.textContent.trim());
  return says || part.contains(document.activeElement) || part.querySelector("canvas") !== null
    || [...part.querySelectorAll("details[open]")].some((details) => !drawnOpen.has(details))
    || fieldsOf(part).some(isChanged);
}

const fieldsOf = (part) => [...part.querySelectorAll("input:not([type=hidden]), select, textarea")];

/** Whether somebody wrote or chose something that is not sent yet. */
function isChanged(field) {
  if (field.matches("select")) {
    const first = Math.max(0, [...field.options].findIndex((option) => option.defaultSelected));
    return !field.multiple && field.selectedIndex !== first;
  }
  if (field.matches("[type=checkbox], [type=radio]")) return field.checked !== field.defaultChecked;
  return field.value !== field.defaultValue;
}

function keepFields(form) {
  for (const field of fieldsOf(form)) {
    if (field.matches("select")) {
      for (const option of field.options) option.defaultSelected = option.selected;
    } else if (field.matches("[type=checkbox], [type=radio]")) {
      field.defaultChecked = field.checked;
    } else if (!field.matches("[type=file]")) {
      field.defaultValue = field.value;
    }
  }
}
