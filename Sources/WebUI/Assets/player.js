import { startOf } from "./boxes.js";
import { beginning, chooseVariant, isPrivate, longestList, placed, readPlaylist, Unplayable } from "./playlists.js";
import { Source, Track } from "./tracks.js";

/** Seconds that are held before and after what is seen. */
const ahead = 30;
const behind = 30;
/** The largest beginning and the largest piece, in bytes. */
const longestInit = 1 << 20;
const longestPiece = 32 << 20;
/** The most that is brought while what is seen stands still, in bytes: more than browsers hold. */
const mostBrought = 256 << 20;
/** How long one answer may take, in milliseconds; and how often in a row something may go wrong. */
const patience = 15000;
const mostFailures = 3;
/** A list that stays the same for so long, in milliseconds, belongs to a stream that is over. */
const longestSilence = 60000;
/** What a line carries of which nothing is known, in bits a second. */
const usualLine = 5e6;

/**
 * Plays a list of pieces (HLS, of fragmented MP4) in a browser that does not do so itself; nothing is fetched before
 * somebody presses play.
 *
 * `tell` is called once, with `unplayable` or `failed`, when nothing more will come.
 */
export function playPieces(film, address, tell) {
  void new Player(film, address).run().then(tell);
}

/** What would go wrong again at once. */
class Refused extends Error {}

class Player {
  constructor(film, address) {
    this.film = film;
    this.address = address;
    this.source = new Source();
    this.stopped = new AbortController();
    /** By how much the clock of the pieces is off, for each stretch between two breaks. */
    this.offsets = new Map();
    this.tracks = [];
    /** Where somebody went. */
    this.soughtAt = 0;
    /** How many bytes were brought since what is seen last moved, and where that is. */
    this.brought = 0;
    this.standsAt = 0;
  }

  /** Plays until nothing more comes; gives why. */
  async run() {
    const { film, source } = this;
    const opened = once(source, "sourceopen");
    const wanted = once(film, "play");
    const isWanted = !film.paused;
    if (!globalThis.MediaSource) film.disableRemotePlayback = true;
    film.src = URL.createObjectURL(source);
    film.addEventListener("error", () => this.stopped.abort());
    film.addEventListener("seeking", () => this.tracks.forEach((track) => { track.isSought = true; }));
    let jumps;
    try {
      if (isWanted) film.play().catch(() => {});
      await Promise.all([opened, wanted]);
      URL.revokeObjectURL(film.src);
      this.tracks = await this.insistently(() => this.open());
      jumps = setInterval(() => this.land(), 250);
      await Promise.all(this.tracks.map((track) => this.feed(track)));
      return "failed";
    } catch (trouble) {
      return trouble instanceof Unplayable && !film.error ? "unplayable" : "failed";
    } finally {
      clearInterval(jumps);
      this.stopped.abort();
    }
  }

  /* Reads the lists, and makes a place for the pieces of each before any is brought. */
  async open() {
    const tracks = [];
    for (const [index, { url, codecs, answer }] of (await this.choose()).entries()) {
      const track = new Track(url, codecs, index === 0);
      await this.refresh(track, answer);
      const first = beginning(track.list);
      if (!first) throw new Error("nothing in the list yet");
      check(first);
      track.next = first.number;
      track.beginning = await this.bring(first.init, longestInit);
      track.held = name(first.init);
      track.take(track.beginning);
      tracks.push(track);
    }
    for (const track of tracks) track.buffer = this.source.addSourceBuffer(track.type);
    const [{ list }] = tracks;
    if (list.isEnded) this.source.duration = list.pieces.at(-1).start + list.pieces.at(-1).duration;
    for (const track of tracks) await this.append(track, track.beginning);
    return tracks;
  }

  /* The lists of pieces that make up the stream: one, or one for pictures and one for sound. */
  async choose() {
    const answer = await this.read(this.address);
    const { variants, sounds } = readPlaylist(answer.text, answer.address);
    if (!variants) return [{ url: this.address, codecs: [], answer }];
    const line = (navigator.connection?.downlink ?? 0) * 1e6 * 0.8 || usualLine;
    const variant = chooseVariant(variants, (type) => Source.isTypeSupported(type), line);
    if (!variant) throw new Unplayable("written in a way that the browser does not read");
    const group = sounds.filter((sound) => sound.group === variant.sounds);
    const sound = group.find(({ isDefault }) => isDefault) ?? group[0];
    const apart = sound?.url ? [{ url: sound.url, codecs: variant.codecs }] : [];
    return [{ url: variant.url, codecs: variant.codecs }, ...apart];
  }

  /* Brings a track's pieces, one after the other, as they are needed. */
  async feed(track) {
    for (;;) {
      await this.insistently(async (failures) => {
        // What was listed a while ago may be gone, such as after a pause.
        if (failures > 0 && !track.list.isEnded) await this.refresh(track);
        // One piece that is not there does not end what is live.
        if (failures === 2 && track.piece && !track.list.isEnded) track.next += 1;
        const wait = await this.step(track);
        if (wait) await this.pause(wait);
      });
    }
  }

  /* Does one thing that a track needs; gives how long nothing else will be, in milliseconds. */
  async step(track) {
    if (track.isSought) track.seek(this.film.currentTime);
    this.keepUp(track);
    const { piece } = track;
    if (!piece) return this.wait(track);
    track.isDone = false;
    if (piece.start - track.heldFrom(piece.start, this.film.currentTime) > ahead) return 250;
    if (piece.isMissing) {
      track.skip();
      return 1;
    }
    check(piece);
    if (this.isFull() || this.waitsForPictures(track, piece)) return 200;
    await this.show(track, piece);
    track.next = piece.number + 1;
    return 0;
  }

  /* Whether all that was brought led nowhere: pieces may say that they are elsewhere than the list does. */
  isFull() {
    const { currentTime } = this.film;
    if (currentTime !== this.standsAt) [this.standsAt, this.brought] = [currentTime, 0];
    return this.brought > mostBrought;
  }

  /*
   * Whether sound waits until the pictures say by how much their clock is off. Where the film stands for want of it, the
   * two lists count their breaks from different numbers.
   */
  waitsForPictures(track, { start, breaks }) {
    if (track.isMain || this.offsets.has(breaks + track.breaksApart)) {
      track.standsSince = undefined;
      return false;
    }
    const { currentTime } = this.film;
    if (this.offsets.size === 0 || track.heldUntil(currentTime) - currentTime > 1) track.standsSince = undefined;
    track.standsSince ??= performance.now();
    if (performance.now() - track.standsSince < patience) return true;
    const [{ list }] = this.tracks;
    const picture = list.pieces.findLast((piece) => piece.start <= start + 0.5 && this.offsets.has(piece.breaks));
    track.breaksApart = (picture?.breaks ?? [...this.offsets.keys()].at(-1)) - breaks;
    return true;
  }

  /* What was not brought in time is gone, and who sends may have begun anew: it goes on where the stream is now. */
  keepUp(track) {
    const [first, last] = [track.list.pieces[0], track.list.pieces.at(-1)];
    if (!first || (track.next >= first.number && track.next <= last.number + 1)) return;
    if (track.next > last.number) this.offsets.clear();
    track.next = beginning(track.list).number;
  }

  /* Nothing more is listed: it ends here, or the list is read again. */
  async wait(track) {
    const { list } = track;
    if (!list.isEnded) {
      const rest = track.readAt + (track.isSame ? 500 : 1000) * list.target - performance.now();
      if (rest > 0) return Math.min(rest, 1000);
      await this.refresh(track);
      return 0;
    }
    track.isDone = true;
    const isIdle = this.tracks.every(({ isDone, buffer }) => isDone && !buffer.updating);
    if (isIdle && this.source.readyState === "open") this.source.endOfStream();
    return 500;
  }

  async refresh(track, answer) {
    const { text, address } = answer ?? (await this.read(track.url));
    const list = readPlaylist(text, address);
    if (!list.pieces) throw new Unplayable("a list of lists in a list");
    const [now, before] = [performance.now(), track.list?.pieces ?? []];
    track.isSame = before.length > 0 && before.at(-1).number === list.pieces.at(-1)?.number;
    track.readAt = now;
    if (!track.isSame) track.changedAt = now;
    if (!list.isEnded && now - track.changedAt > longestSilence) throw new Refused("over");
    track.list = { ...list, pieces: placed(list.pieces, before) };
  }

  /* Fetches a piece and puts it at its time. */
  async show(track, piece) {
    if (name(piece.init) !== track.held) await this.change(track, piece.init);
    const bytes = await this.bring(piece, longestPiece);
    const start = startOf(bytes, track.kinds);
    if (track.isMain && !this.offsets.has(piece.breaks)) this.offsets.set(piece.breaks, piece.start - start);
    const offset = this.offsets.get(piece.breaks + track.breaksApart);
    if (offset === undefined) throw new Error("the pictures began anew meanwhile");
    track.anchor(piece, start + offset);
    if (track.buffer.timestampOffset !== offset) track.buffer.timestampOffset = offset;
    await this.forget(track, behind);
    await this.append(track, bytes);
    this.land();
  }

  /* Goes on with pieces of another beginning. */
  async change(track, init) {
    const bytes = await this.bring(init, longestInit);
    const before = track.type;
    track.take(bytes);
    if (track.type !== before) {
      if (!track.buffer.changeType) throw new Unplayable("a stream that changes");
      track.buffer.changeType(track.type);
    }
    await this.append(track, bytes);
    track.held = name(init);
  }

  /* Hands bytes to the browser; one that holds all it can waits until some was seen. */
  async append(track, bytes) {
    for (let tries = 0; ; tries += 1) {
      try {
        return await this.changed(track.buffer, () => track.buffer.appendBuffer(bytes));
      } catch (trouble) {
        if (trouble.name !== "QuotaExceededError") throw trouble;
        const { currentTime } = this.film;
        const isStuck = track.heldUntil(currentTime) - currentTime < 0.1;
        if (isStuck && tries > 3) throw new Unplayable("a piece that is too large");
        // What fills it may lie where somebody was before.
        if (isStuck && tries === 2) await this.changed(track.buffer, () => track.buffer.remove(0, Infinity));
        await this.forget(track, 2);
        await this.pause(1000);
        this.stopped.signal.throwIfAborted();
      }
    }
  }

  /* Lets go of what was seen a while ago. */
  async forget({ buffer }, seconds) {
    const end = this.film.currentTime - seconds;
    if (buffer.buffered.length === 0 || buffer.buffered.start(0) >= end - 1) return;
    await this.changed(buffer, () => buffer.remove(0, end));
  }

  changed(buffer, change) {
    const heard = new AbortController();
    const { signal } = heard;
    return new Promise((resolve, reject) => {
      const refuse = () => reject(new Refused("not taken"));
      buffer.addEventListener("updateend", resolve, { signal });
      buffer.addEventListener("error", refuse, { signal });
      this.stopped.signal.addEventListener("abort", refuse, { signal });
      change();
    }).finally(() => heard.abort());
  }

  /* Goes on where something is, when nothing is here and nothing will come here. */
  land() {
    const { film } = this;
    const { buffered, currentTime } = film;
    // Where somebody went just now is asked for first.
    if (film.seeking && currentTime !== this.soughtAt) {
      this.soughtAt = currentTime;
      this.tracks.forEach((track) => { track.isSought = true; });
    }
    if (this.tracks.some(({ isSought }) => isSought)) return;
    // A film whose last picture lasts a while stands at its beginning.
    const rest = film.readyState < HTMLMediaElement.HAVE_FUTURE_DATA ? 1 : 0.1;
    for (let index = 0; index < buffered.length; index += 1) {
      const start = buffered.start(index);
      if (start <= currentTime && currentTime < buffered.end(index) - rest) return;
      if (start <= currentTime) continue;
      const isNear = start - currentTime < 1;
      if (isNear || this.tracks.every(({ piece }) => !piece || piece.start > start - 0.5)) film.currentTime = start + 0.01;
      return;
    }
  }

  async read(url) {
    const { bytes, address } = await this.fetched(url, undefined, longestList);
    return { text: new TextDecoder().decode(bytes), address };
  }

  async bring({ url, range }, most) {
    const { bytes } = await this.fetched(url, range, most);
    this.brought += bytes.buffer.byteLength;
    return bytes;
  }

  /* Fetches within bounds, without telling who asks or from where. */
  async fetched(url, range, most) {
    const limit = new AbortController();
    const end = () => limit.abort();
    const timer = setTimeout(end, patience);
    this.stopped.signal.addEventListener("abort", end);
    try {
      const answer = await fetch(url, {
        credentials: "omit",
        referrerPolicy: "no-referrer",
        signal: limit.signal,
        headers: range ? { Range: `bytes=${range.start}-${range.end - 1}` } : {},
      });
      if (!answer.ok) throw answer.status < 500 ? new Refused(answer.status) : new Error(answer.status);
      const address = answer.url || url;
      if (isPrivate(address) && !isPrivate(this.address)) throw new Unplayable("led into a private network");
      if (!range || answer.status === 206) return { bytes: await beginningOf(answer.body, most, true), address };
      // Whoever gives no parts gives it all.
      if (range.end > most) throw new Unplayable("too large");
      return { bytes: (await beginningOf(answer.body, range.end, false)).subarray(range.start, range.end), address };
    } finally {
      clearTimeout(timer);
      this.stopped.signal.removeEventListener("abort", end);
      limit.abort();
    }
  }

  /* Tries again what may go well the next time, later each time. */
  async insistently(work) {
    for (let failures = 0; ; failures += 1) {
      this.stopped.signal.throwIfAborted();
      try {
        return await work(failures);
      } catch (trouble) {
        const isOver = trouble instanceof Unplayable || trouble.name === "InvalidStateError" || failures >= mostFailures;
        if (isOver || this.stopped.signal.aborted) throw trouble;
        if (trouble instanceof Refused && this.tracks.length === 0) throw trouble;
        await this.pause(1000 * 2 ** failures);
      }
    }
  }

  pause(milliseconds) {
    const heard = new AbortController();
    return new Promise((resume) => {
      const timer = setTimeout(resume, milliseconds);
      const end = () => {
        clearTimeout(timer);
        resume();
      };
      this.stopped.signal.addEventListener("abort", end, { signal: heard.signal });
    }).finally(() => heard.abort());
  }
}

const name = ({ url, range }) => `${url} ${range?.start ?? ""}`;

/* Only pieces of MP4 have a beginning of their own; what is locked needs a key that is not asked for. */
function check(piece) {
  if (piece.isLocked) throw new Unplayable("encrypted");
  if (!piece.init) throw new Unplayable("no MP4");
}

const once = (target, event) => new Promise((resolve) => target.addEventListener(event, resolve, { once: true }));

/* The bytes of an answer up to an end; where it is to end there, more is refused. */
async function beginningOf(body, end, isAll) {
  const parts = [];
  let size = 0;
  const reader = body.getReader();
  for (let { done, value } = await reader.read(); !done && size <= end; { done, value } = await reader.read()) {
    parts.push(value);
    size += value.length;
  }
  if (isAll && size > end) throw new Unplayable("too large");
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
