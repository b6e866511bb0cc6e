import { notesOf } from "./feed.js";

const places = { h: "/home", i: "/notifications", m: "/messages", s: "/settings", r: "/relays", b: "/signer", l: "/lists", p: ".nav-item[href^='/people/']" };
let waitsForPlace = false;
const handlers = [];

/** Lets a page have keys of its own: a function of the key that says whether it did something. */
export function addKeys(handler) {
  handlers.push(handler);
}

/** Keyboard: j and k walk, single letters act on the note one is at. */
export function watchKeys() {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest("input, textarea, select, dialog[open], [popover]")) return;
    if (act(event.key)) event.preventDefault();
  });
  for (const link of document.querySelectorAll("[data-help]")) {
    link.addEventListener("click", (event) => {
      event.preventDefault();
      help();
    });
  }
}

function act(key) {
  if (waitsForPlace) {
    waitsForPlace = false;
    return go(places[key]);
  }
  if (handlers.some((handler) => handler(key))) return true;
  switch (key) {
    case "j": return walk(1);
    case "k": return walk(-1);
    case "g": waitsForPlace = true; setTimeout(() => { waitsForPlace = false; }, 1500); return true;
    case "n": return go("/compose");
    case "/": return search();
    case "?": return help();
    case ".": return press(document.querySelector("#waiting:not([hidden]) a"));
    case "o": return press(here()?.querySelector(".when"));
    case "Enter": return document.activeElement?.matches(".note") ? press(here()?.querySelector(".when")) : false;
    case "l": case "r": case "t": case "q": case "m": return press(here()?.querySelector(`.act[data-key="${key}"]`));
    default: return false;
  }
}

function here() {
  return document.activeElement?.closest(".note") ?? document.querySelector(".note.is-focus");
}

function walk(step) {
  const notes = notesOf(document);
  if (notes.length === 0) return false;
  const current = document.activeElement?.closest(".note");
  const seen = notes.findIndex((note) => note.getBoundingClientRect().top > 60);
  const index = current ? notes.indexOf(current) + step : Math.max(0, seen);
  const next = notes[Math.min(Math.max(index, 0), notes.length - 1)];
  next.focus({ preventScroll: true });
  next.scrollIntoView({ block: "nearest" });
  return true;
}

function press(element) {
  element?.click();
  return Boolean(element);
}

function go(place) {
  if (!place) return false;
  if (place.startsWith("/")) location.assign(place);
  else press(document.querySelector(place));
  return true;
}

function search() {
  const field = [...document.querySelectorAll("#q, #side-q")].find((input) => input.checkVisibility());
  if (!field) return go("/search");
  field.focus();
  field.select();
  return true;
}

function help() {
  document.getElementById("help").showModal();
  return true;
}
