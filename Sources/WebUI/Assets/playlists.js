/** Why a stream cannot be played here, however often it is tried. */
export class Unplayable extends Error {}

/** The longest list that is read, in characters. */
export const longestList = 1 << 20;
/** The most pieces of one list, the newest of them: a day of pieces of four seconds. */
const mostPieces = 21600;
/** The most lists that one may name. */
const mostLists = 200;
/** The longest and the shortest piece, in seconds: a list of such that take no time would be fetched without end. */
const longestDuration = 3600;
const shortestDuration = 0.1;
/** The longest address, in characters: each of a list is made from the list's own. */
const longestAddress = 4096;

/**
 * Reads a list of pieces (HLS), or one of such lists; source: RFC 8216.
 *
 * Gives `{ variants, sounds }` for a list of lists, else `{ target, isEnded, pieces }`. All addresses in it are whole.
 */
export function readPlaylist(text, address) {
  const lines = text.slice(0, longestList).split(/\r?\n/u).map((line) => line.trim());
  if (lines[0] !== "#EXTM3U") throw new Unplayable("no list of pieces");
  return lines.some((line) => line.startsWith("#EXT-X-STREAM-INF:"))
    ? readMaster(lines, address)
    : readMedia(lines, address);
}

/** The attributes of a line: `A=1,B="x,y"`; what has another form is left out. */
export function attributes(text) {
  const found = new Map();
  // A comma within quotes parts nothing.
  for (const part of text.match(/(?:[^,"]|"[^"]*")+/gu) ?? []) {
    const equals = part.indexOf("=");
    const name = part.slice(0, Math.max(equals, 0)).trim();
    if (name && !found.has(name)) found.set(name, part.slice(equals + 1).trim().replace(/^"(.*)"$/u, "$1"));
  }
  return found;
}

/** Whether an address is of this machine or a network of its own, as far as the address says so. */
export function isPrivate(address) {
  const host = new URL(address).hostname.replace(/\.$/u, "");
  if (/^\[(::|f[cd][\da-f]{2}:|fe[89ab][\da-f]:)/u.test(host)) return true;
  if (/(^|\.)(localhost|local|internal)$/u.test(host)) return true;
  if (!/^\d+(\.\d+){3}$/u.test(host)) return false;
  const [first, second] = host.split(".").map(Number);
  return [0, 10, 127].includes(first) || (first === 172 && second >> 4 === 1) || (first === 192 && second === 168)
    || (first === 169 && second === 254) || (first === 100 && second >> 6 === 1);
}

/* An address in a list: over no less than what the list itself came over, and in no network that the list is not in. */
function whole(word, base) {
  if (Math.max(word.length, base.length) > longestAddress) throw new Unplayable("an address that is too long");
  let url;
  try {
    url = new URL(word, base);
  } catch {
    throw new Unplayable("an address that is none");
  }
  if (url.href.length > longestAddress) throw new Unplayable("an address that is too long");
  if (url.protocol !== "https:" && url.protocol !== new URL(base).protocol) throw new Unplayable("an address of a kind");
  if (isPrivate(url) && !isPrivate(base)) throw new Unplayable("an address in a private network");
  return url.href;
}

const number = (word) => (/^\d{1,15}(\.\d{1,15})?$/u.test(word ?? "") ? Number(word) : undefined);

function readMaster(lines, address) {
  const variants = [];
  const sounds = [];
  // What is said of the list whose address comes next.
  let said;
  for (const line of lines) {
    if (variants.length + sounds.length >= mostLists) break;
    if (line.startsWith("#EXT-X-STREAM-INF:")) {
      said = attributes(line.slice(18));
    } else if (line.startsWith("#EXT-X-MEDIA:")) {
      sounds.push(...readSound(attributes(line.slice(13)), address));
    } else if (said && line && !line.startsWith("#")) {
      variants.push(readVariant(said, line, address));
      said = undefined;
    }
  }
  return { variants, sounds };
}

/* Sound that is chosen for itself; nothing for words and pictures. */
function readSound(said, address) {
  if (said.get("TYPE") !== "AUDIO") return [];
  const uri = said.get("URI");
  // One without an address is in the pictures' own pieces.
  const url = uri === undefined ? undefined : whole(uri, address);
  return [{ group: said.get("GROUP-ID") ?? "", url, isDefault: said.get("DEFAULT") === "YES" }];
}

function readVariant(said, place, address) {
  return {
    url: whole(place, address),
    bandwidth: number(said.get("BANDWIDTH")) ?? 0,
    height: number(said.get("RESOLUTION")?.split(/x/iu)[1]) ?? 0,
    codecs: (said.get("CODECS") ?? "").split(",").map((codec) => codec.trim()).filter(Boolean),
    sounds: said.get("AUDIO"),
  };
}

/**
 * The variant to play: the best of those the browser takes that the line carries; if it carries none, the lightest.
 *
 * `takes` says whether a browser takes pieces of a type; `most` is in bits a second.
 */
export function chooseVariant(variants, takes, most) {
  // One that does not say what it holds may be taken; its pieces say it.
  const playable = variants.filter(({ codecs }) => !codecs.length || takes(`video/mp4; codecs="${codecs.join(",")}"`));
  const ordered = playable.sort((one, other) => one.bandwidth - other.bandwidth);
  return ordered.findLast(({ bandwidth }) => bandwidth <= most) ?? ordered[0];
}

function readMedia(lines, address) {
  const list = { target: 6, isEnded: false, pieces: [] };
  let sequence = 0;
  let breaks = 0;
  let next = {};
  let init;
  let isLocked = false;
  let before;
  for (const line of lines) {
    const [name, value] = line.startsWith("#") ? split(line) : ["", line];
    if (name === "#EXT-X-TARGETDURATION") list.target = Math.min(Math.max(number(value) ?? 6, 1), 60);
    else if (name === "#EXT-X-MEDIA-SEQUENCE") sequence = Math.floor(number(value) ?? 0);
    else if (name === "#EXT-X-DISCONTINUITY-SEQUENCE") breaks = number(value) ?? 0;
    else if (name === "#EXT-X-DISCONTINUITY") breaks += 1;
    else if (name === "#EXT-X-ENDLIST") list.isEnded = true;
    else if (name === "#EXTINF") next.duration = lengthOf(value);
    else if (name === "#EXT-X-BYTERANGE") next.range = value;
    else if (name === "#EXT-X-GAP") next.isMissing = true;
    else if (name === "#EXT-X-KEY") isLocked = (attributes(value).get("METHOD") ?? "NONE") !== "NONE";
    else if (name === "#EXT-X-MAP") init = readMap(attributes(value), address);
    else if (name === "" && value) {
      const url = whole(value, address);
      const range = next.range === undefined ? undefined : readRange(next.range, before?.url === url ? before.range : undefined);
      const { duration = list.target, isMissing = false } = next;
      list.pieces.push({ number: sequence, url, range, duration, init, breaks, isLocked, isMissing });
      before = { url, range };
      sequence += 1;
      next = {};
    }
  }
  list.pieces = list.pieces.slice(-mostPieces);
  return list;
}

/* How long a piece is; nothing where that is not said, or so little that it is none. */
function lengthOf(value) {
  const seconds = number(value.split(",")[0].trim()) ?? 0;
  return seconds < shortestDuration ? undefined : Math.min(seconds, longestDuration);
}

function split(line) {
  const colon = line.indexOf(":");
  return colon < 0 ? [line, ""] : [line.slice(0, colon), line.slice(colon + 1)];
}

function readMap(said, address) {
  if (!said.has("URI")) throw new Unplayable("a beginning without an address");
  return {
    url: whole(said.get("URI"), address),
    range: said.has("BYTERANGE") ? readRange(said.get("BYTERANGE"), undefined) : undefined,
  };
}

/* `length@start`; without a start, after what came before of the same file. */
function readRange(text, before) {
  const [length, start] = text.split("@").map((word) => number(word.trim()));
  const begins = text.includes("@") ? start : (before?.end ?? 0);
  if (!length || begins === undefined) throw new Unplayable("a part of a file that is none");
  return { start: begins, end: begins + length };
}

/**
 * Puts pieces on one line of time: each after the one before it, in seconds since the first that was ever listed.
 *
 * `known` are those of the list as it was before.
 */
export function placed(pieces, known) {
  const starts = new Map(known.map((piece) => [piece.number, piece.start]));
  const last = known.at(-1);
  let end = last ? last.start + last.duration : 0;
  return pieces.map((piece) => {
    const start = starts.get(piece.number) ?? end;
    end = start + piece.duration;
    return { ...piece, start };
  });
}

/** Where to begin: with the first piece of what is whole, else three pieces' length before the end. */
export function beginning(list) {
  if (list.isEnded) return list.pieces[0];
  let left = 3 * list.target;
  for (const piece of [...list.pieces].reverse()) {
    left -= piece.duration;
    if (left <= 0) return piece;
  }
  return list.pieces[0];
}
