import { say } from "./fetching.js";
import { bearing, distance, isPlace, length, round, wind } from "./geodesy.js";
import { PlainGround } from "./mapplain.js";
import { fanned, Pin } from "./mappins.js";

/* A map has a ground: one that is drawn here, or one of tiles. Grounds show; what is chosen and told is decided here. */

const maps = new WeakMap();

/** Starts every map of the page. */
export function watchMaps() {
  for (const root of document.querySelectorAll(".map[data-pins]")) {
    if (!maps.has(root)) maps.set(root, new CircleMap(root));
  }
  setInterval(() => {
    for (const root of document.querySelectorAll(".map[data-pins]")) maps.get(root)?.refreshWords();
  }, 30000);
}

/** Shows other pins, or the same elsewhere, and keeps the view, the choice and the focus. */
export function updateMap(root, pins) {
  maps.get(root)?.update(pins);
}

/** The part of the world that a map of tiles shows: south, west, north, east in degrees, and how near. */
export function shownPart(root) {
  return maps.get(root)?.ground?.part?.() ?? null;
}

const states = {
  fresh: "", old: "old", paused: "paused", nofix: "no position", nonetwork: "no network", norelay: "no relay",
  outofstep: "not up to date",
};

/* What a page says is data: a pin without a place is only in the list, and anything odd is left out. */
function read(data) {
  const told = Array.isArray(data) ? { pins: data } : data ?? {};
  const now = Date.now();
  const pins = (told.pins ?? []).filter((pin) => pin && typeof pin.key === "string").map((pin) => ({
    ...pin,
    name: String(pin.name ?? ""),
    state: Object.hasOwn(states, pin.state) ? pin.state : "old",
    isPlaced: isPlace(pin.lat, pin.lon),
    accuracy: Number.isFinite(pin.accuracy) ? Math.max(0, pin.accuracy) : 0,
    oldAt: pin.state === "fresh" && Number.isFinite(pin.freshFor) ? now + pin.freshFor * 1000 : null,
    born: Number.isFinite(pin.age) ? now - pin.age * 1000 : null,
    trail: (Array.isArray(pin.trail) ? pin.trail : []).filter((step) => Array.isArray(step) && isPlace(step[0], step[1])),
  }));
  const places = (told.places ?? []).filter((place) => isPlace(place?.lat, place?.lon));
  return { pins, places: Array.isArray(told.places) ? places : null };
}

class CircleMap {
  constructor(root) {
    this.root = root;
    this.pins = new Map();
    this.places = [];
    this.chosen = null;
    this.list = root.querySelector("[data-people]") ?? root.querySelector("ul");
    this.build();
    const source = document.getElementById(root.dataset.pins);
    try {
      this.take(JSON.parse(source?.textContent || "[]"));
    } catch {
      // What cannot be read is not shown; the list of the page stands.
      return;
    }
    void this.begin();
  }

  /* ---- The frame around the ground ---- */

  build() {
    this.stage = element("div", "map-stage");
    this.view = element("div", "map-view", { role: "group", tabindex: "0", "aria-label": "Map" });
    const help = element("p", "visually-hidden", { id: `${this.root.dataset.pins}-help` });
    help.textContent = "Arrow keys move the map, plus and minus zoom, Home shows everybody, Escape lets go of a person.";
    this.view.setAttribute("aria-describedby", help.id);
    this.acts = element("div", "map-acts", { role: "group", "aria-label": "Zoom" });
    this.acts.append(
      this.act("Closer", "M12 5v14M5 12h14", () => this.ground?.zoom(1)),
      this.act("Further away", "M5 12h14", () => this.ground?.zoom(-1)),
      this.act("Show everybody", "M4 9V5.5A1.5 1.5 0 0 1 5.5 4H9M15 4h3.5A1.5 1.5 0 0 1 20 5.5V9M20 15v3.5a1.5 1.5 0 0 1-1.5 1.5H15M9 20H5.5A1.5 1.5 0 0 1 4 18.5V15", () => this.showAll()),
    );
    this.scale = element("div", "map-scale", { "aria-hidden": "true" });
    this.scaleWords = element("span", "map-scale-words");
    this.scale.append(element("span", "map-scale-bar"), this.scaleWords);
    this.north = element("div", "map-north", { "aria-hidden": "true" });
    this.north.textContent = "N";
    this.empty = element("p", "map-empty");
    this.empty.textContent = "Nobody's place is known yet.";
    this.stage.append(this.view, help, this.acts, this.scale, this.north, this.empty);
    this.root.prepend(this.stage);
    this.root.classList.add("is-live");
    this.view.addEventListener("keydown", (event) => this.key(event));
    this.view.addEventListener("click", (event) => {
      const button = event.target.closest?.(".pin");
      if (button) this.choose(button.dataset.key, { isOnMap: true });
    });
    this.view.addEventListener("focusin", (event) => {
      const button = event.target.closest?.(".pin");
      if (button?.matches(":focus-visible")) this.ground?.reveal(this.pins.get(button.dataset.key));
    });
  }

  act(name, path, work) {
    const button = element("button", "map-act", { type: "button", "aria-label": name, title: name });
    const icon = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    const line = document.createElementNS("http://www.w3.org/2000/svg", "path");
    icon.setAttribute("viewBox", "0 0 24 24");
    icon.setAttribute("aria-hidden", "true");
    line.setAttribute("d", path);
    icon.append(line);
    button.append(icon);
    button.addEventListener("click", work);
    return button;
  }

  async begin() {
    const { tiles, leaflet } = this.root.dataset;
    if (tiles && leaflet) {
      try {
        const { TileGround } = await import("./maptiles.js");
        this.ground = await TileGround.open(this.view, this.root.dataset, () => this.drawn());
      } catch {
        // Without Leaflet there is a map all the same.
        this.view.replaceChildren();
      }
    }
    this.ground ??= new PlainGround(this.view, () => this.drawn());
    this.root.dataset.ground = this.ground.kind;
    this.ground.show([...this.pins.values()], this.places, null);
    this.showAll();
  }

  /* ---- What is shown ---- */

  take(data) {
    const { pins, places } = read(data);
    const former = this.pins;
    this.pins = new Map(pins.map((fresh) => {
      const pin = former.get(fresh.key) ?? new Pin(fresh.key);
      pin.take(fresh);
      return [fresh.key, pin];
    }));
    if (places) this.places = places;
    if (!this.pins.get(this.chosen)?.isPlaced) this.chosen = null;
    this.empty.hidden = [...this.pins.values()].some((pin) => pin.isPlaced) || this.places.length > 0;
    this.refreshList();
    this.refreshWords();
  }

  update(data) {
    const wasEmpty = !this.empty.hidden;
    const focused = document.activeElement;
    this.take(data);
    if (!this.ground) return;
    this.ground.show([...this.pins.values()], this.places, this.line());
    // Whoever changed rank was taken out and put back, and lost the focus by that.
    if (this.root.contains(focused) && focused !== document.activeElement) focused.focus({ preventScroll: true });
    if (wasEmpty && this.empty.hidden) this.showAll();
    else this.ground.draw();
  }

  showAll() {
    if (!this.ground) return;
    const points = [...this.pins.values()].filter((pin) => pin.isPlaced);
    const all = points.length ? points : this.places;
    if (all.length) this.ground.fit(all.map(({ lat, lon, accuracy, radius }) => ({ lat, lon, around: accuracy ?? radius ?? 0 })));
    else this.ground.draw();
  }

  /* From oneself to who is chosen. */
  line() {
    const self = this.self();
    const chosen = this.pins.get(this.chosen);
    return self && chosen && self !== chosen ? [self, chosen] : null;
  }

  self() {
    return [...this.pins.values()].find((pin) => pin.isSelf && pin.isPlaced);
  }

  choose(key, { isOnMap } = {}) {
    const isSame = this.chosen === key;
    this.chosen = isSame ? null : key;
    const pin = this.pins.get(this.chosen);
    this.refreshList();
    this.refreshWords();
    this.ground.show([...this.pins.values()], this.places, this.line());
    this.ground.draw();
    if (pin && !isOnMap) this.ground.reveal(pin);
    if (!pin) return;
    say([pin.name, this.where(pin)].filter(Boolean).join(", "));
    if (isOnMap) this.row(key)?.scrollIntoView({ block: "nearest" });
  }

  /* The ground has moved: what lies over it follows. */
  drawn() {
    const metres = this.ground.metresPerPixel();
    if (Number.isFinite(metres) && metres > 0) {
      const bar = round(metres * 120);
      this.scale.firstChild.style.inlineSize = `${bar / metres}px`;
      this.scaleWords.textContent = length(bar);
      this.root.dataset.scale = String(bar);
    }
    const placed = [...this.pins.values()].filter((pin) => pin.isPlaced);
    const points = placed.map((pin) => this.ground.point(pin));
    fanned(points).forEach((moved, index) => placed[index].lean(moved));
  }

  /* ---- The list beside it ---- */

  row(key) {
    return this.list?.querySelector(`[data-pin="${CSS.escape(key)}"]`);
  }

  refreshList() {
    if (!this.list) return;
    const rows = [...this.pins.values()].map((pin) => {
      const row = this.row(pin.key) ?? element("li", "map-person", { "data-pin": pin.key });
      let button = row.querySelector(".map-find");
      if (!button) {
        button = element("button", "map-find", { type: "button" });
        button.append(
          element("span", "map-face", { "aria-hidden": "true" }), element("span", "map-name"), element("span", "map-age"),
          element("span", "map-where"), element("span", "map-why"));
        button.addEventListener("click", () => this.choose(pin.key));
        row.replaceChildren(button);
      }
      return row;
    });
    // Rows that stay are not taken out and put back: that would drop the focus.
    for (const row of [...this.list.children]) if (!rows.includes(row)) row.remove();
    rows.forEach((row, index) => {
      if (this.list.children[index] !== row) this.list.insertBefore(row, this.list.children[index] ?? null);
    });
  }

  refreshWords() {
    for (const pin of this.pins.values()) {
      // Nobody tells a page that nothing came.
      if (pin.state === "fresh" && pin.oldAt !== null && Date.now() > pin.oldAt) pin.grow("old", "nothing newer came");
      const age = pin.born === null ? "" : aged((Date.now() - pin.born) / 1000);
      pin.speak(age, this.chosen === pin.key, states[pin.state]);
      const button = this.row(pin.key)?.querySelector(".map-find");
      if (!button) continue;
      button.disabled = !pin.isPlaced;
      button.setAttribute("aria-pressed", String(this.chosen === pin.key));
      pin.dress(button.querySelector(".map-face"));
      button.dataset.state = pin.state;
      button.classList.toggle("is-self", Boolean(pin.isSelf));
      text(button, ".map-name", pin.isSelf ? `${pin.name} (you)` : pin.name);
      text(button, ".map-age", age);
      text(button, ".map-where", pin.isPlaced ? this.where(pin) : "");
      text(button, ".map-why", pin.words || (pin.state === "fresh" ? "" : states[pin.state]));
    }
  }

  /* As in "at Home · 1.2 km north-east of you · within 20 m · battery 40 %" */
  where(pin) {
    const self = this.self();
    const parts = [];
    const at = this.places.find((place) => distance(place, pin) <= (place.radius || 0));
    if (at) parts.push(`at ${at.name}`);
    if (self && self !== pin) {
      const far = distance(self, pin);
      parts.push(far < 10 ? "beside you" : `${length(far)} ${wind(bearing(self, pin))} of you`);
    }
    if (pin.accuracy) parts.push(`within ${length(pin.accuracy)}`);
    if (Number.isFinite(pin.battery)) parts.push(`battery ${Math.round(pin.battery)}\u00a0%`);
    return parts.join(" · ");
  }

  /* ---- Keys ---- */

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || !this.ground) return;
    const step = 80;
    const ways = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] };
    if (ways[event.key]) this.ground.pan(...ways[event.key]);
    else if (event.key === "+" || event.key === "=") this.ground.zoom(1);
    else if (event.key === "-" || event.key === "_") this.ground.zoom(-1);
    else if (event.key === "Home") this.showAll();
    else if (event.key === "Escape" && this.chosen) this.choose(this.chosen);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

/* An age in seconds, in words; ahead of our clock is now. */
function aged(age) {
  if (age < 60) return "now";
  if (age < 3600) return `${Math.floor(age / 60)} min`;
  return age < 86400 ? `${Math.floor(age / 3600)} h` : `${Math.floor(age / 86400)} d`;
}

function element(name, className, attributes = {}) {
  const fresh = document.createElement(name);
  fresh.className = className;
  for (const [attribute, value] of Object.entries(attributes)) fresh.setAttribute(attribute, value);
  return fresh;
}

function text(button, selector, words) {
  const place = button.querySelector(selector);
  if (place.textContent !== words) place.textContent = words;
  place.hidden = !words;
}
