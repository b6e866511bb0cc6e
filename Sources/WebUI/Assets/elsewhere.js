import { fragment } from "./fetching.js";
import { keepFormsHere, serveExtension } from "./nip07.js";

/** Keeps a page in touch with a signer elsewhere: shows how it stands, or is the way to this browser's extension. */
export function watchElsewhere() {
  const kind = document.body.dataset.signer;
  if (kind === "browser") {
    serveExtension();
    keepFormsHere();
  }
  if (kind === "remote") keepStrip(document.getElementById("signer-strip"));
}

function keepStrip(strip) {
  let shown = strip.innerHTML;
  setInterval(async () => {
    if (document.hidden) return;
    try {
      // Our own server's HTML, escaped there.
      const html = await fragment("/signer-strip");
      if (html !== shown) strip.innerHTML = shown = html;
    } catch {
      // The page says elsewhere that Linnet is not answering.
    }
  }, 3000);
}
