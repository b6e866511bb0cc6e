// The news of an account, once per browser: a browser opens six connections to a host, and a stream keeps one for life.
// The page that holds a lock listens and passes on what it hears; the others hear it from that page. Where a browser
// has no locks, or the address is not a secure one, every page in sight listens for itself, and no hidden one does.

const kinds = [
  "locked", "connection", "messaging", "signer", "notifications", "notes", "feed", "touched", "receipts",
  "conversation", "circle", "stream", "older", "search", "lists", "missed",
];
/** What a page that joins is told at once, since it stands until it changes. */
const standing = kinds.slice(0, 5);
/** After so long without an answer, whoever holds the lock is taken to be asleep. */
const patience = 3000;

/**
 * Hears the news of an account from now on, until the page goes away.
 *
 * @param account whose news
 * @param hear called with a kind and its data: a kind of the stream; `up` and `down` as the connection stands;
 *   `gone` when there will be no more; `back` when news may have been missed, its data `first` where that is what came
 *   between the page and its first word
 * @param staysHidden whether a page out of sight may be the one that listens
 */
export function join(account, hear, staysHidden) {
  // A page was drawn before anything was listened to.
  let behind = "first";
  const told = (kind, data) => {
    hear(kind, data);
    if (kind === "down") behind ??= "";
    if (kind !== "up" || behind === undefined) return;
    const since = behind;
    behind = undefined;
    hear("back", since);
  };
  const member = navigator.locks && "BroadcastChannel" in window
    ? new Member(account, told, staysHidden)
    : new Loner(account, told);
  const come = () => {
    if (document.hidden) return void member.hide();
    // What came while nobody looked was not heard.
    behind ??= "";
    member.show();
  };
  document.addEventListener("visibilitychange", come);
  // A page kept by the browser for "back" must hold nothing.
  addEventListener("pagehide", () => member.leave());
  addEventListener("pageshow", (event) => event.persisted && come());
  if (!document.hidden) come();
}

function listen(account, hear) {
  const source = new EventSource(`/events?for=${account}`);
  let isHeard = false;
  source.addEventListener("open", () => { isHeard = false; });
  // Linnet ends the news of a page for good only when another account is open.
  source.addEventListener("error", () => hear(source.readyState === EventSource.CLOSED ? "gone" : "down"));
  // Others of this browser need the connection more; this page listens again when it is next looked at.
  source.addEventListener("crowded", () => source.close());
  for (const kind of kinds) {
    source.addEventListener(kind, (event) => {
      // Its first word shows that Linnet listens for this page, which an answer alone does not.
      if (!isHeard) hear("up");
      isHeard = true;
      hear(kind, event.data);
    });
  }
  return source;
}

/** A page that listens for itself while it is in sight. */
class Loner {
  constructor(account, hear) {
    Object.assign(this, { account, hear });
  }

  show() {
    if (!this.source || this.source.readyState === EventSource.CLOSED) this.source = listen(this.account, this.hear);
  }

  hide() {
    this.leave();
  }

  leave() {
    this.source?.close();
    this.source = undefined;
  }
}

/** A page among others of the same account in this browser. */
class Member {
  constructor(account, hear, staysHidden) {
    Object.assign(this, { account, hear, staysHidden });
    this.name = `linnet-news-${account}`;
    this.id = crypto.randomUUID();
    this.latest = new Map();
  }

  show() {
    this.open();
    if (this.isLeading) {
      // It may have been crowded out meanwhile.
      if (this.source.readyState === EventSource.CLOSED) this.source = listen(this.account, this.pass);
      else if (this.source.readyState === EventSource.OPEN) this.hear("up");
      return;
    }
    this.hasHeard = false;
    this.channel.postMessage({ ask: this.id });
    this.apply();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      if (!this.hasHeard && !this.isLeading && this.channel && !document.hidden) this.lead({ steal: true });
    }, patience);
  }

  hide() {
    clearTimeout(this.timer);
    this.wish?.abort();
    if (this.isLeading && !this.staysHidden) this.stepDown();
  }

  leave() {
    clearTimeout(this.timer);
    this.wish?.abort();
    this.stepDown();
    this.channel?.close();
    this.channel = undefined;
  }

  open() {
    if (this.channel) return;
    this.channel = new BroadcastChannel(this.name);
    this.channel.addEventListener("message", ({ data }) => this.receive(data));
  }

  /** Waits for its turn to listen: at once when nobody does. */
  apply() {
    if (this.wish && !this.wish.signal.aborted) return;
    this.wish = new AbortController();
    this.lead({ signal: this.wish.signal });
  }

  lead(options) {
    navigator.locks.request(this.name, options, () => this.hold(options)).catch(() => {
      if (options.signal?.aborted) return;
      // Another page in sight took over: this one did not answer.
      this.stepDown();
      if (this.channel && !document.hidden) this.apply();
    });
  }

  /** Listens for as long as the lock is held. */
  hold({ steal }) {
    if (steal) this.wish?.abort();
    this.wish = undefined;
    if (!this.channel || document.hidden) return undefined;
    return new Promise((done) => {
      this.release = done;
      this.isLeading = true;
      this.latest.clear();
      // What came between another page's stream and this one was heard by nobody.
      this.pass("down");
      this.source = listen(this.account, this.pass);
    });
  }

  stepDown() {
    if (!this.isLeading) return;
    this.isLeading = false;
    this.source.close();
    this.release();
  }

  /** Hears something and tells the others. */
  pass = (kind, data) => {
    if (standing.includes(kind)) this.latest.set(kind, data);
    this.channel?.postMessage({ kind, data });
    this.hear(kind, data);
  };

  receive({ ask, to, kind, data }) {
    if (ask) return this.answer(ask);
    if (to && to !== this.id) return;
    this.hasHeard = true;
    this.hear(kind, data);
  }

  /** A page came into sight: it is told how things stand, or takes over from one that is out of sight. */
  answer(asker) {
    if (!this.isLeading) return;
    if (document.hidden) return this.stepDown();
    if (this.source.readyState === EventSource.CLOSED) return;
    this.channel.postMessage({ to: asker, kind: this.source.readyState === EventSource.OPEN ? "up" : "down" });
    for (const [kind, data] of this.latest) this.channel.postMessage({ to: asker, kind, data });
  }
}
