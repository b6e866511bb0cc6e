// What answers a click itself, or is read by it.
const own = "a, button, summary, input, textarea, select, label, video, audio, img, [contenteditable], dialog";

/** A click on a note opens it, where it meets nothing that answers clicks itself and selects no text. */
export function watchOpening() {
  document.addEventListener("click", (event) => {
    if (event.button === 0) open(event, event.ctrlKey || event.metaKey || event.shiftKey);
  });
  document.addEventListener("auxclick", (event) => {
    if (event.button === 1) open(event, true);
  });
  // The middle button would begin to scroll.
  document.addEventListener("mousedown", (event) => {
    if (event.button === 1 && address(event)) event.preventDefault();
  });
}

function open(event, apart) {
  const path = address(event);
  if (!path) return;
  event.preventDefault();
  if (apart) window.open(path, "_blank", "noopener");
  else location.assign(path);
}

/* Where a click leads: the note, or the one quoted in it that was met. */
function address(event) {
  if (event.defaultPrevented || !(event.target instanceof Element) || event.target.closest(own)) return null;
  const note = event.target.closest(".card, .note:not(.is-focus)");
  if (!note || !getSelection().isCollapsed) return null;
  return note.querySelector(":scope > .note-head .when, :scope > .card-head .when")?.getAttribute("href") ?? null;
}
