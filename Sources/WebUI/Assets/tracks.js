import { tracksIn } from "./boxes.js";
import { beginning, Unplayable } from "./playlists.js";

/** What a browser is handed films through. */
export const Source = globalThis.MediaSource ?? globalThis.ManagedMediaSource;

/** Pictures, sound, or both: what comes from one list. */
export class Track {
  constructor(url, codecs, isMain) {
    this.url = url;
    this.codecs = codecs;
    /** Whether the other one goes by its time. */
    this.isMain = isMain;
    this.isSought = false;
    this.isDone = false;
    this.changedAt = performance.now();
    /** By how much the other one's number of a break is higher. */
    this.breaksApart = 0;
    /** Since when the film stands for want of it, in milliseconds. */
    this.standsSince = undefined;
  }

  /** What is to be brought next; nothing where that is not listed. */
  get piece() {
    const { pieces } = this.list;
    return pieces[this.next - pieces[0]?.number];
  }

  /** Passes over pieces that the list says are not there. */
  skip() {
    while (this.piece?.isMissing) this.next += 1;
  }

  /* Reads what its pieces hold. */
  take(bytes) {
    this.kinds = tracksIn(bytes, this.codecs);
    const codecs = this.kinds.map(({ codec }) => codec).join(",");
    this.type = `${this.isMain ? "video" : "audio"}/mp4; codecs="${codecs}"`;
    if (!Source.isTypeSupported(this.type)) throw new Unplayable(this.type);
  }

  /* What the list says of times is rounded: all of it moves to where a piece really begins. */
  anchor(piece, start) {
    const shift = start - piece.start;
    for (const one of this.list.pieces) one.start += shift;
  }

  /* Goes on with what is missing after what is seen now. */
  seek(moment) {
    this.isSought = false;
    const end = this.heldUntil(moment);
    const { pieces, isEnded } = this.list;
    const piece = pieces.find(({ start, duration }) => start + duration > end + 0.1);
    // What comes before the first that is listed is gone, and that one will be soon.
    const isGone = !isEnded && piece && piece === pieces[0] && piece.start > end + 1;
    if (pieces.length) this.next = isGone ? beginning(this.list).number : (piece?.number ?? pieces.at(-1).number + 1);
  }

  /* Until when everything is here from a moment on. */
  heldUntil(moment) {
    const range = this.ranges.find(({ start, end }) => start <= moment + 0.1 && moment < end);
    return range?.end ?? moment;
  }

  /* Since when everything is here up to a moment, from what is seen on. */
  heldFrom(moment, seen) {
    const range = this.ranges.find(({ start, end }) => start <= moment && moment <= end + 1);
    return range ? Math.max(range.start, seen) : moment;
  }

  get ranges() {
    const { buffered } = this.buffer;
    return Array.from({ length: buffered.length }, (_, index) => ({
      start: buffered.start(index),
      end: buffered.end(index),
    }));
  }
}
