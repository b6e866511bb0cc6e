/* Sealed files: how far one has come on its way out, and words in place of a picture that cannot be shown. */

/** Where a file is chosen in a form: among those of the machine, or by its camera. */
export const fileFields = (form) => [form.elements.file, form.elements.camera].filter(Boolean);

/** Whether a file is chosen in a form. */
export const hasFile = (form) => fileFields(form).some((field) => field.files.length > 0);

/** Posts a form with its file, and takes a part of a page back; throws with a sentence for a person. */
export function upload(path, form) {
  const bar = form.querySelector("[data-progress]");
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", path);
    request.setRequestHeader("X-Linnet-Fragment", "1");
    request.setRequestHeader("X-Linnet-Present", "1");
    const account = document.body.dataset.account;
    if (account) request.setRequestHeader("X-Linnet-Account", account);
    // Encrypting and the media server follow after the last byte has left the browser.
    request.timeout = 300000;
    request.upload.addEventListener("progress", (event) => {
      if (bar && event.lengthComputable) bar.value = event.loaded / event.total;
    });
    request.upload.addEventListener("load", () => bar?.removeAttribute("value"));
    request.addEventListener("load", () => {
      if (request.status < 400) resolve(request.responseText);
      else reject(new Error(request.responseText.slice(0, 200) || "That did not work."));
    });
    for (const kind of ["error", "timeout"]) {
      request.addEventListener(kind, () => reject(new Error("Linnet is not answering.")));
    }
    request.addEventListener("loadend", () => bar && (bar.hidden = true));
    if (bar) [bar.value, bar.hidden] = [0, false];
    request.send(new FormData(form));
  });
}

/** Says what is wrong with pictures that do not open, and which file is chosen. */
export function watchSealed() {
  // Such events do not rise, so they are met on their way down.
  document.addEventListener("error", (event) => gone(event.target), true);
  for (const image of document.querySelectorAll("img[data-sealed]")) {
    if (image.complete && image.naturalWidth === 0) gone(image);
  }
  document.addEventListener("change", (event) => {
    if (!event.target.matches?.("input[type=file]") || !event.target.closest(".pen-attach, .pen-camera")) return;
    showChosen(event.target);
    // One goes with a message: the one that was chosen last.
    if (event.target.files.length > 0) fileFields(event.target.form).forEach((field) => field !== event.target && dropChosen(field));
  });
}

/** Shows the name of the file that is to go with the message. */
export function showChosen(input) {
  const [file] = input.files;
  const words = input.closest("label").querySelector("span");
  words.dataset.usual ??= words.textContent;
  words.textContent = file ? file.name : words.dataset.usual;
}

/** Forgets what was chosen. */
export function dropChosen(input) {
  input.value = "";
  showChosen(input);
}

async function gone(image) {
  if (!image.matches?.("img[data-sealed]") || image.dataset.gone) return;
  image.dataset.gone = "1";
  const words = document.createElement("span");
  words.className = "talk-missing";
  words.textContent = "This picture cannot be shown.";
  image.replaceWith(words);
  try {
    const answer = await fetch(image.src, { credentials: "same-origin", headers: { "X-Linnet-Fragment": "1" } });
    if (!answer.ok) words.textContent = (await answer.text()).slice(0, 200) || words.textContent;
  } catch {
    // What is said already is true.
  }
}
