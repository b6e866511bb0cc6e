/** A picture that cannot be loaded is tried at the other addresses its author named, one after the other. */
export function watchFallbacks() {
  // Such events do not rise, so they are met on their way down.
  document.addEventListener("error", (event) => next(event.target), true);
  // What failed before this script ran.
  for (const image of document.querySelectorAll("img[data-else]")) {
    if (image.complete && image.naturalWidth === 0) next(image);
  }
}

function next(image) {
  if (!image.matches?.("img[data-else]")) return;
  const [address, ...rest] = image.dataset.else.split(" ");
  if (rest.length > 0) image.dataset.else = rest.join(" ");
  else delete image.dataset.else;
  if (!address) return;
  image.src = address;
  const link = image.closest("a.picture");
  if (link) link.href = address;
}
