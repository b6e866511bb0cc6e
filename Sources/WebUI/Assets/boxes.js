import { Unplayable } from "./playlists.js";

/** The most boxes that are looked at beside each other. */
const mostBoxes = 10000;

/* What stands inside an MP4: boxes in boxes; source: ISO/IEC 14496-12. */
function* boxes(view, start = 0, end = view.byteLength) {
  let at = start;
  for (let count = 0; at + 8 <= end; count += 1) {
    if (count > mostBoxes) throw new Unplayable("a film of nothing but boxes");
    let size = view.getUint32(at);
    let head = 8;
    if (size === 1 && at + 16 <= end) {
      size = Number(view.getBigUint64(at + 8));
      head = 16;
    }
    if (size === 0) size = end - at;
    if (size < head || at + size > end) throw new Unplayable("a box that ends elsewhere");
    yield { name: text(view, at + 4), start: at + head, end: at + size };
    at += size;
  }
}

const text = (view, at) => String.fromCharCode(...[0, 1, 2, 3].map((step) => view.getUint8(at + step)));
const within = (view, { start, end }, name) => [...boxes(view, start, end)].find((box) => box.name === name);
const hex = (byte) => byte.toString(16).padStart(2, "0");
const two = (count) => String(count).padStart(2, "0");
const whole = (bytes) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/* The first box along a path of names. */
function inside(view, box, ...names) {
  return names.reduce((found, name) => found && within(view, found, name), box);
}

/** The tracks that the beginning of a film names: `{ id, timescale, codec }`; throws for what is no such beginning. */
export function tracksIn(bytes, declared = []) {
  return reading(() => {
    const view = whole(bytes);
    const film = { start: 0, end: bytes.byteLength };
    const moov = within(view, film, "moov");
    if (!moov) throw new Unplayable("a film without its beginning");
    const tracks = [...boxes(view, moov.start, moov.end)].filter(({ name }) => name === "trak");
    return tracks.map((trak) => {
      const header = within(view, trak, "tkhd");
      const media = inside(view, trak, "mdia", "mdhd");
      const kinds = inside(view, trak, "mdia", "minf", "stbl", "stsd");
      if (!header || !media || !kinds) throw new Unplayable("a track without its beginning");
      return {
        id: view.getUint32(header.start + (view.getUint8(header.start) === 1 ? 20 : 12)),
        timescale: view.getUint32(media.start + (view.getUint8(media.start) === 1 ? 20 : 12)) || 1,
        codec: codecIn(view, kinds, declared),
      };
    });
  });
}

/* What a track is written in, as browsers call it; `declared` is what the list says of all tracks. */
function codecIn(view, kinds, declared) {
  const [entry] = boxes(view, kinds.start + 8, kinds.end);
  if (!entry) throw new Unplayable("a track of no kind");
  const picture = (name) => within(view, { start: entry.start + 78, end: entry.end }, name);
  const byte = (box, at) => view.getUint8(box.start + at);
  let box;
  switch (entry.name) {
    case "mp4a": return declared.find((codec) => codec.startsWith("mp4a.")) ?? "mp4a.40.2";
    case "Opus": return "opus";
    case "fLaC": return "flac";
    case "avc1":
    case "avc3":
      box = picture("avcC");
      if (box) return `${entry.name}.${hex(byte(box, 1))}${hex(byte(box, 2))}${hex(byte(box, 3))}`;
      break;
    case "vp09":
      box = picture("vpcC");
      if (box) return `vp09.${two(byte(box, 4))}.${two(byte(box, 5))}.${two(byte(box, 6) >> 4)}`;
      break;
    case "av01":
      box = picture("av1C");
      if (box) {
        const tier = byte(box, 2) >> 7 ? "H" : "M";
        const depth = byte(box, 2) >> 6 & 1 ? (byte(box, 2) >> 5 & 1 ? 12 : 10) : 8;
        return `av01.${byte(box, 1) >> 5}.${two(byte(box, 1) & 31)}${tier}.${two(depth)}`;
      }
      break;
    default:
  }
  const said = declared.find((codec) => codec.startsWith(entry.name));
  if (!said) throw new Unplayable(`a track of kind ${entry.name}`);
  return said;
}

/** When a piece begins by its own clock, in seconds: the earliest of its tracks. */
export function startOf(bytes, tracks) {
  return reading(() => {
    const view = whole(bytes);
    const scales = new Map(tracks.map(({ id, timescale }) => [id, timescale]));
    const starts = [];
    for (const moof of boxes(view)) {
      if (moof.name !== "moof") continue;
      for (const traf of boxes(view, moof.start, moof.end)) {
        if (traf.name !== "traf") continue;
        const [header, time] = [within(view, traf, "tfhd"), within(view, traf, "tfdt")];
        if (!header || !time) throw new Unplayable("a piece without a time");
        const ticks = view.getUint8(time.start) === 1
          ? Number(view.getBigUint64(time.start + 4))
          : view.getUint32(time.start + 4);
        starts.push(ticks / (scales.get(view.getUint32(header.start + 4)) ?? 1));
      }
      if (starts.length) return Math.min(...starts);
    }
    throw new Unplayable("no piece of a film");
  });
}

/* What reads beyond the bytes is no film. */
function reading(work) {
  try {
    return work();
  } catch (trouble) {
    if (trouble instanceof RangeError) throw new Unplayable("a film that breaks off");
    throw trouble;
  }
}
