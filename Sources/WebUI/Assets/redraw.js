/* What this browser draws of a file before it is brought: a picture that the machine cannot prepare, a still of a film.
   What was drawn is prepared like any other file, so nothing that the file told of its maker is in it. */

const longest = 2048;
const patience = 8000;

/** A picture drawn anew, upright and small; null for what moves, for drawings of lines, and where this cannot be done. */
export async function redrawn(file) {
  if (!file.type.startsWith("image/") || /gif|svg/.test(file.type) || !drawsTruly()) return null;
  try {
    if (await moves(file)) return null;
    const picture = await createImageBitmap(file);
    const canvas = drawn(picture, picture.width, picture.height);
    picture.close();
    const type = file.type !== "image/jpeg" && isTransparent(canvas) ? "image/png" : "image/jpeg";
    return await saved(canvas, type, file.name);
  } catch {
    // This browser cannot read it either.
    return null;
  }
}

/** A still of a film, from near its beginning; null where this browser does not play it. */
export async function still(file) {
  if (!file.type.startsWith("video/") || !drawsTruly()) return null;
  const film = document.createElement("video");
  const address = URL.createObjectURL(file);
  Object.assign(film, { muted: true, playsInline: true, preload: "auto" });
  try {
    await told(film, "loadeddata", () => { film.src = address; });
    const moment = Number.isFinite(film.duration) ? Math.min(1, film.duration / 3) : 0;
    await told(film, "seeked", () => { film.currentTime = moment; });
    return await saved(drawn(film, film.videoWidth, film.videoHeight), "image/jpeg", file.name);
  } catch {
    return null;
  } finally {
    film.removeAttribute("src");
    film.load();
    URL.revokeObjectURL(address);
  }
}

/* Some browsers give out noise in place of what was drawn, so that nobody is known by it. */
function drawsTruly() {
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width: 8, height: 8 });
  const context = canvas.getContext("2d");
  if (!context) return false;
  context.fillStyle = "rgb(20, 140, 60)";
  context.fillRect(0, 0, 8, 8);
  const { data } = context.getImageData(0, 0, 8, 8);
  return data.every((value, place) => value === [20, 140, 60, 255][place % 4]);
}

/* Drawn anew, a picture would stand still. */
async function moves(file) {
  const beginning = new Uint8Array(await file.slice(0, 65536).arrayBuffer());
  const text = new TextDecoder("latin1").decode(beginning);
  return text.includes("acTL") || (text.startsWith("RIFF") && text.includes("ANIM"))
    || ["ftypavis", "ftypmsf1", "ftyphevc"].includes(text.slice(4, 12));
}

function drawn(source, width, height) {
  if (!width || !height) throw new Error("nothing to draw");
  const scale = Math.min(1, longest / Math.max(width, height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(width * scale));
  canvas.height = Math.max(1, Math.round(height * scale));
  const context = canvas.getContext("2d");
  context.imageSmoothingQuality = "high";
  context.drawImage(source, 0, 0, canvas.width, canvas.height);
  return canvas;
}

function isTransparent(canvas) {
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  for (let place = 3; place < data.length; place += 4) if (data[place] < 255) return true;
  return false;
}

async function saved(canvas, type, name) {
  const blob = await new Promise((done) => canvas.toBlob(done, type, 0.85));
  if (!blob) return null;
  const ending = type === "image/png" ? "png" : "jpg";
  return new File([blob], `${(name || "picture").replace(/\.[^.]*$/, "")}.${ending}`, { type });
}

function told(target, kind, act) {
  return new Promise((done, fail) => {
    const timer = setTimeout(() => fail(new Error("too late")), patience);
    const end = (after) => () => {
      clearTimeout(timer);
      after();
    };
    target.addEventListener(kind, end(done), { once: true });
    target.addEventListener("error", end(() => fail(new Error("not playable"))), { once: true });
    act();
  });
}
