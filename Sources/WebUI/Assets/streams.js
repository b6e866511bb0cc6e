import { fragment, parsed, post, say, serially } from "./fetching.js";

/** Linnet listens to a stream's chat only as long as somebody looks at it, and is told so this often. */
const asksAgain = 60000;
/** A lively chat is read at most this often. */
const rest = 1000;

/** Live streams: the list shows who came, a chat what was written, without leaving the page. */
export function watchStreams() {
  for (const part of document.querySelectorAll("[data-stream]")) watchPart(part);
  const pen = document.querySelector("form[data-stream-pen]");
  if (pen) watchPen(pen);
  const film = document.querySelector("video[data-film]");
  if (film) watchFilm(film);
  for (const scroll of document.querySelectorAll("[data-stream-scroll]")) scroll.scrollTop = scroll.scrollHeight;
}

/* Says where a film cannot be played, instead of a player in which nothing happens. */
function watchFilm(film) {
  let isTold = false;
  const tell = (what) => {
    if (isTold) return;
    isTold = true;
    // What still holds some sound would go on unseen, with nothing to stop it by.
    film.pause();
    document.querySelector(`[data-film-${what}]`).hidden = false;
    for (const part of [film.closest(".stream-film"), document.querySelector("[data-film-hint]")]) part.hidden = true;
  };
  film.addEventListener("error", () => tell("failed"));
  if (film.hasAttribute("data-list") && !film.canPlayType("application/vnd.apple.mpegurl")) void watchPieces(film, tell);
}

/* A list of pieces, in a browser that does not read such lists but takes the pieces. */
async function watchPieces(film, tell) {
  if (!(globalThis.MediaSource ?? globalThis.ManagedMediaSource)) return tell("unplayable");
  try {
    const { playPieces } = await import("./player.js");
    playPieces(film, film.src, tell);
  } catch {
    tell("failed");
  }
}

function watchPart(part) {
  const read = serially(async () => {
    // The address may say what is being answered; the part does not depend on it.
    show(part, parsed(await fragment(part.dataset.path)));
    await new Promise((resume) => setTimeout(resume, rest));
  });
  document.addEventListener("linnet:stream", ({ detail }) => detail.includes(part.dataset.stream) && void read());
  if (part.dataset.stream !== "list") setInterval(() => document.hidden || void read(), asksAgain);
  part.addEventListener("submit", (event) => void act(event, part));
}

/* Puts what came into the page; what somebody is in stays as it is. */
function show(part, body) {
  const fresh = body.querySelector("[data-stream]");
  if (!fresh) return;
  // The film and who may send it come with the page itself.
  if (fresh.hasAttribute("data-known") && !part.hasAttribute("data-known") && part.dataset.stream !== "list") {
    if (!document.querySelector("[data-stream-pen] textarea")?.value) return location.reload();
  }
  const log = part.querySelector("[data-stream-log]");
  const next = fresh.querySelector("[data-stream-log]");
  if (!log || !next) {
    if (!part.contains(document.activeElement)) part.replaceChildren(...fresh.childNodes);
    return;
  }
  updateLog(log, next);
  const [here, there] = [part, fresh].map((place) => place.querySelector("[data-stream-state]"));
  if (here && there && here.innerHTML !== there.innerHTML) here.replaceChildren(...there.childNodes);
  replaceNear(part, fresh, ".stream-pinned");
  replaceNear(part, fresh, ":scope > .hint, :scope > .strip");
}

/* Something above the log that may come, change or go. */
function replaceNear(part, fresh, selector) {
  const here = part.querySelector(selector);
  const there = fresh.querySelector(selector);
  if (here?.contains(document.activeElement)) return;
  if (here && there) {
    if (withoutTimes(here) !== withoutTimes(there)) here.replaceWith(there);
  } else if (here) here.remove();
  else if (there) part.prepend(there);
}

const withoutTimes = (element) => element.outerHTML.replace(/(<time\b[^>]*>)[^<]*/g, "$1");

/** Adds, changes and takes lines, each at its place, and stays at the end when the end was in sight. */
function updateLog(log, next) {
  const scroll = log.closest("[data-stream-scroll]");
  const wasAtEnd = !scroll || scroll.scrollHeight - scroll.scrollTop - scroll.clientHeight < 80;
  const wanted = new Set([...next.children].map((line) => line.dataset.line));
  for (const line of [...log.children]) {
    if (!wanted.has(line.dataset.line) && !line.contains(document.activeElement)) line.remove();
  }
  let last;
  for (const line of [...next.children]) {
    let here = document.getElementById(line.id);
    if (!here) {
      if (last) last.after(line);
      else log.prepend(line);
      here = line;
    } else if (withoutTimes(here) !== withoutTimes(line) && !here.contains(document.activeElement)) {
      here.replaceWith(line);
      here = line;
    }
    last = here;
  }
  if (wasAtEnd && scroll) scroll.scrollTop = scroll.scrollHeight;
}

/* A like, or a line deleted. */
async function act(event, part) {
  const button = event.submitter;
  if (!button?.hasAttribute("formaction")) return;
  event.preventDefault();
  const line = button.closest("[data-line]");
  const place = [...line.querySelectorAll("button")].indexOf(button);
  button.disabled = true;
  try {
    const body = parsed(await post(button.getAttribute("formaction"), new FormData(event.target)));
    button.blur();
    show(part, body);
    const fresh = document.getElementById(line.id);
    // The button may be another one now; a line that is gone leaves its place to the log.
    (fresh?.querySelectorAll("button")[place] ?? part.querySelector("[data-stream-scroll]"))?.focus();
  } catch (trouble) {
    button.disabled = false;
    say(trouble.message);
  }
}

/** Sends without leaving the page, so that the stream goes on. */
function watchPen(pen) {
  const text = pen.querySelector("textarea");
  const answering = pen.querySelector("[data-answering]");
  const problem = pen.querySelector("[data-problem]");
  const answer = (id, name) => {
    pen.elements.reply.value = id;
    pen.querySelector("[data-answered]").textContent = name;
    answering.hidden = !id;
    text.focus();
  };
  document.addEventListener("click", (event) => {
    const link = event.target.closest("[data-reply], [data-no-reply]");
    if (!link || event.metaKey || event.ctrlKey) return;
    event.preventDefault();
    answer(link.dataset.reply ?? "", link.dataset.name ?? "");
  });
  text.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    pen.requestSubmit();
  });
  pen.addEventListener("submit", (event) => {
    event.preventDefault();
    void send(pen, text, problem).then((isSent) => isSent && answer("", ""));
  });
}

async function send(pen, text, problem) {
  const button = pen.querySelector("button");
  button.disabled = true;
  try {
    const body = parsed(await post(pen.getAttribute("action"), new FormData(pen)));
    text.value = "";
    problem.hidden = true;
    const part = document.querySelector("[data-stream][data-path]");
    const scroll = part.querySelector("[data-stream-scroll]");
    // One's own line is always seen.
    if (scroll) scroll.scrollTop = scroll.scrollHeight;
    show(part, body);
    say("Sent");
    return true;
  } catch (trouble) {
    problem.textContent = trouble.message;
    problem.hidden = false;
    text.focus();
    return false;
  } finally {
    button.disabled = false;
  }
}
