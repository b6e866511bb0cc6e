/* The page of a guest link: where somebody is, for a while. What stands behind # is read here and goes to no server; the
   relays it names are asked by this browser, and give what only the link opens. The server of this page is asked nothing. */

const KIND = 30078;
/* How long a relay has to answer, and how long after it broke it is asked again; in milliseconds. */
const ANSWER = 10000;
const RETRY = 15000;

const moments = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
const shown = (seconds) => moments.format(seconds * 1000);
const now = () => Math.floor(Date.now() / 1000);
const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

function fromBase64(text) {
  const standard = text.replaceAll("-", "+").replaceAll("_", "/");
  return Uint8Array.from(atob(standard), (character) => character.charCodeAt(0));
}

/** What a fragment says, or null for one that is not whole. */
export function readLink(fragment) {
  try {
    const bytes = fromBase64(fragment);
    if (bytes.length < 72 || bytes[0] !== 1) return null;
    const end = new DataView(bytes.buffer).getUint32(65);
    const relays = [];
    for (let at = 69; at < bytes.length; at += 1 + bytes[at]) {
      const name = bytes.subarray(at + 1, at + 1 + bytes[at]);
      if (name.length !== bytes[at]) return null;
      const relay = new URL(new TextDecoder("utf-8", { fatal: true }).decode(name));
      if (!/^wss?:$/.test(relay.protocol)) return null;
      relays.push(relay.href);
    }
    if (!relays.length) return null;
    return { secret: bytes.slice(1, 33), author: bytes.slice(33, 65), end, relays: relays.slice(0, 4) };
  } catch {
    return null;
  }
}

async function openers({ secret, author }) {
  const root = await crypto.subtle.importKey("raw", secret, "HKDF", false, ["deriveBits", "deriveKey"]);
  const from = (purpose) => ({
    name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info: new TextEncoder().encode(`linnet guest link v1 ${purpose}`),
  });
  const name = hex(new Uint8Array(await crypto.subtle.deriveBits(from("name"), root, 128)));
  const key = await crypto.subtle.deriveKey(from("place"), root, { name: "AES-GCM", length: 256 }, false, ["decrypt"]);
  /* Who seals with the link's key is who made the link: that stands for the signature, which relays have checked. */
  const open = async (content) => {
    const bytes = fromBase64(content);
    const algorithm = { name: "AES-GCM", iv: bytes.subarray(0, 12), additionalData: author };
    return JSON.parse(new TextDecoder().decode(await crypto.subtle.decrypt(algorithm, key, bytes.subarray(12))));
  };
  return { name, open };
}

class Guest {
  constructor(link, page) {
    Object.assign(this, link);
    this.page = page;
    this.newest = -1;
    this.report = null;
    this.isOver = false;
    /* By relay: waiting, heard or lost. */
    this.states = new Map(this.relays.map((relay) => [relay, "waiting"]));
    this.sockets = new Set();
  }

  async start() {
    if (now() >= this.end) return this.finish("ended");
    Object.assign(this, await openers(this));
    for (const relay of this.relays) this.connect(relay);
    setInterval(() => this.draw(), 5000);
    this.draw();
  }

  connect(relay) {
    if (this.isOver) return;
    let socket;
    try {
      socket = new WebSocket(relay);
    } catch {
      /* A page that came by https may not ask a relay without. */
      this.note(relay, "lost");
      return;
    }
    this.sockets.add(socket);
    const deadline = setTimeout(() => this.states.get(relay) !== "heard" && socket.close(), ANSWER);
    socket.onopen = () =>
      socket.send(JSON.stringify(["REQ", "guest", { kinds: [KIND], authors: [hex(this.author)], "#d": [this.name], limit: 1 }]));
    socket.onmessage = ({ data }) => void this.hear(relay, socket, data);
    socket.onclose = () => {
      clearTimeout(deadline);
      this.sockets.delete(socket);
      this.note(relay, "lost");
      if (!this.isOver) setTimeout(() => this.connect(relay), RETRY);
    };
  }

  async hear(relay, socket, data) {
    let message;
    try {
      message = JSON.parse(data);
    } catch {
      return;
    }
    if (!Array.isArray(message)) return;
    const [word, , event] = message;
    if (word === "CLOSED") return socket.close();
    if (word === "EVENT") await this.read(event);
    if (word === "EOSE" || word === "EVENT") this.note(relay, "heard");
  }

  async read(event) {
    const at = event?.created_at;
    if (event?.kind !== KIND || event.pubkey !== hex(this.author) || !Number.isInteger(at) || at < this.newest) return;
    try {
      const report = await this.open(event.content);
      /* Another may have been opened meanwhile. */
      if (at < this.newest) return;
      this.newest = at;
      this.report = report;
    } catch {
      /* What the link does not open was not made for it. */
    }
  }

  note(relay, state) {
    this.states.set(relay, state);
    this.draw();
  }

  finish(state) {
    this.isOver = true;
    this.report = null;
    for (const socket of this.sockets) socket.close();
    this.page.show(state, { end: this.end });
  }

  draw() {
    if (this.isOver) return;
    if (now() >= this.end) return this.finish("ended");
    const report = this.report;
    if (report?.state === "revoked") return this.finish("revoked");
    if (report?.state === "paused") return this.page.show("paused", { end: this.end, until: report.until });
    if (report && Number.isFinite(report.lat) && Number.isFinite(report.lon)) {
      const isLate = Number.isFinite(report.every) && now() > report.sent + 2 * report.every;
      const isCut = [...this.states.values()].every((state) => state === "lost");
      const state = isCut ? "cut" : isLate ? "old" : report.state === "silent" ? "silent" : "on";
      return this.page.show(state, { end: this.end, report });
    }
    const states = [...this.states.values()];
    const state = states.includes("heard") ? "none" : states.includes("waiting") ? "asking" : "unreachable";
    this.page.show(state, { end: this.end });
  }
}

const sentences = {
  asking: () => "Asking the relays that the link names …",
  unreachable: () => "No relay that the link names can be reached and read. The page goes on trying.",
  none: () => "There is no location now: none was sent yet, or the link was taken back.",
  paused: ({ until }) => `Sharing is paused${until ? ` until ${shown(until)}` : ""}. The location shows again when it goes on.`,
  revoked: () => "This link was taken back. It shows nothing any more.",
  ended: ({ end }) => `This link ended on ${shown(end)}. It shows nothing any more.`,
  on: () => "This is where they are.",
  silent: () => "This is where they were last: their device does not know where it is now.",
  old: () => "This is old: nothing newer came when it was due.",
  cut: () => "This may be old: no relay can be reached. The page goes on trying.",
  broken: () => "This link is not whole. Ask for it again, and open all of it.",
  insecure: () => "This browser cannot open the link on this page: it needs a page whose address begins with https.",
};

class Page {
  constructor(root) {
    this.root = root;
    this.part = (name) => root.querySelector(`[data-guest-${name}]`);
  }

  show(state, facts = {}) {
    this.root.dataset.state = state;
    const sentence = sentences[state](facts);
    /* What is said again is not read out again. */
    if (this.part("state").textContent !== sentence) this.part("state").textContent = sentence;
    const { report } = facts;
    this.part("place").hidden = !report;
    for (const name of ["where", "within", "when"]) if (!report) this.part(name).textContent = "";
    for (const name of ["map", "app"]) if (!report) this.part(name).removeAttribute("href");
    if (report) this.place(report);
    const isOpen = !["ended", "revoked", "broken", "insecure"].includes(state);
    this.part("end").textContent = isOpen && facts.end ? `The link ends on ${shown(facts.end)}.` : "";
  }

  place({ lat, lon, acc, fix }) {
    const point = `${lat.toFixed(5)}, ${lon.toFixed(5)}`;
    this.part("where").textContent = point;
    this.part("within").textContent = Number.isFinite(acc) ? `within ${Math.ceil(acc)} m` : "";
    this.part("when").textContent = Number.isFinite(fix) ? `${age(fix)}, ${shown(fix)}` : "";
    const at = `${lat.toFixed(6)}`, on = `${lon.toFixed(6)}`;
    this.part("map").href = `https://www.openstreetmap.org/?mlat=${at}&mlon=${on}#map=16/${at}/${on}`;
    this.part("app").href = `geo:${at},${on}`;
  }
}

function age(seconds) {
  const passed = Math.max(0, now() - seconds);
  if (passed < 60) return "now";
  if (passed < 3600) return `${Math.floor(passed / 60)} min ago`;
  return `${Math.floor(passed / 3600)} h ago`;
}

const root = document.querySelector("[data-guest]");
if (root) {
  const page = new Page(root);
  const link = readLink(location.hash.slice(1));
  /* Another link in the same window is another page. */
  addEventListener("hashchange", () => location.reload());
  if (!link) page.show("broken");
  else if (!globalThis.crypto?.subtle) page.show("insecure");
  else void new Guest(link, page).start();
}
