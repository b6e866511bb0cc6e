/* A picture for a circle: whatever file is chosen, a small square JPEG is drawn of it here. What is drawn anew has only
   what can be seen: nothing of where or when a photo was taken, or with what. */

const side = 128;
const most = 12288;
const qualities = [0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1];

/* Forms somebody sent while their picture was still being drawn, with the button that did: they go when it is drawn. */
const waiting = new Map();

/** Makes the forms of pictures draw what is sent. */
export function watchPictures() {
  speakOfPictures(document);
  // Forms come and go with what is live, so the page listens for all of them.
  document.addEventListener("change", (event) => {
    const form = event.target.closest?.("form[data-picture]");
    if (form && event.target.type === "file") void prepare(form, event.target);
  });
  document.addEventListener("submit", (event) => {
    const form = event.target.closest?.("form[data-picture]");
    // Without a script that drew it, a file goes as it is and is checked there.
    if (!form || event.submitter?.name || form.dataset.picture !== "busy") return;
    event.preventDefault();
    waiting.set(form, event.submitter);
  }, true);
}

/** Says what happens to a file here, where it is more than the page without a script does. */
export function speakOfPictures(root) {
  for (const hint of root.querySelectorAll("[data-scripted-words]")) hint.textContent = hint.dataset.scriptedWords;
}

async function prepare(form, input) {
  const [file] = input.files;
  const problem = form.querySelector("[data-picture-problem]");
  problem.hidden = true;
  drop(form);
  waiting.delete(form);
  form.dataset.picture = file ? "busy" : "";
  if (!file) return;
  try {
    const canvas = await square(file);
    const jpeg = await small(canvas);
    if (input.files[0] !== file) return;
    keep(form, input, jpeg);
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", "What the others will see");
    form.querySelector("[data-picture-now]").append(canvas);
  } catch {
    if (input.files[0] !== file) return;
    waiting.delete(form);
    input.value = "";
    problem.textContent = "This browser cannot read that file as a picture.";
    problem.hidden = false;
  }
  form.dataset.picture = "";
  sendIfAsked(form);
}

/* Sends a form that somebody already sent while its picture was being drawn. */
function sendIfAsked(form) {
  if (!waiting.has(form)) return;
  const button = waiting.get(form);
  waiting.delete(form);
  if (form.isConnected) form.requestSubmit(button);
}

function drop(form) {
  form.querySelector("canvas")?.remove();
  form.querySelector("input[type=hidden][name=file]")?.remove();
  const input = form.querySelector("input[type=file]");
  input.name = "file";
  form.enctype = "multipart/form-data";
}

/* The field of the chosen file sends nothing any more: what was drawn goes in its stead. */
function keep(form, input, jpeg) {
  const field = document.createElement("input");
  field.type = "hidden";
  field.name = "file";
  field.value = jpeg;
  form.append(field);
  input.removeAttribute("name");
  form.enctype = "application/x-www-form-urlencoded";
}

/* The largest square of its middle, the right way up. */
async function square(file) {
  const image = await createImageBitmap(file, { imageOrientation: "from-image" });
  try {
    const edge = Math.min(image.width, image.height);
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = side;
    const pen = canvas.getContext("2d");
    pen.imageSmoothingQuality = "high";
    // What can be seen through would be black in a JPEG.
    pen.fillStyle = "#fff";
    pen.fillRect(0, 0, side, side);
    pen.drawImage(image, (image.width - edge) / 2, (image.height - edge) / 2, edge, edge, 0, 0, side, side);
    return canvas;
  } finally {
    image.close();
  }
}

/* As good as fits into a message, in Base64. */
async function small(canvas) {
  for (const quality of qualities) {
    const blob = await new Promise((done) => canvas.toBlob(done, "image/jpeg", quality));
    if (!blob || blob.type !== "image/jpeg") break;
    if (blob.size > most) continue;
    const bytes = new Uint8Array(await blob.arrayBuffer());
    return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  }
  throw new Error("too large");
}
