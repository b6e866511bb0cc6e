import { flattened, halfwayRound, middle, round, unflattened } from "./geodesy.js";

/* A map without tiles: squares as wide as the scale says, places, trails and how sure each position is. */

const closest = 0.02;
const widest = 60000;

/** The ground that Linnet draws itself, flat around the centre of the view, so that its scale is true there anywhere. */
export class PlainGround {
  kind = "plain";

  constructor(view, drawn) {
    this.view = view;
    this.drawn = drawn;
    this.centre = { lat: 0, lon: 0 };
    this.metres = 10;
    this.pins = [];
    this.places = [];
    this.line = null;
    this.picture = shape("svg", { class: "map-ground", "aria-hidden": "true" });
    this.layers = ["grid", "places", "trails", "rings", "ways", "marks"].map((name) => shape("g", { class: `map-${name}` }));
    this.picture.append(...this.layers);
    this.holder = document.createElement("div");
    this.holder.className = "map-pins";
    view.append(this.picture, this.holder);
    this.watch();
    new ResizeObserver(() => this.resized()).observe(view);
  }

  /* ---- What is asked of a ground ---- */

  show(pins, places, line) {
    this.pins = pins.filter((pin) => pin.isPlaced);
    this.places = places;
    this.line = line;
    const buttons = this.pins.map((pin) => pin.button);
    for (const button of [...this.holder.children]) if (!buttons.includes(button)) button.remove();
    buttons.forEach((button, index) => {
      if (this.holder.children[index] !== button) this.holder.insertBefore(button, this.holder.children[index] ?? null);
    });
  }

  metresPerPixel() {
    return this.metres;
  }

  point(place) {
    const { x, y } = flattened(this.centre, place);
    return { x: this.width / 2 + x / this.metres, y: this.height / 2 + y / this.metres };
  }

  fit(points) {
    this.fitted = points;
    this.centre = middle(points);
    const all = points.map((place) => ({ ...flattened(this.centre, place), around: Math.min(place.around, 5000) }));
    const left = Math.min(...all.map(({ x, around }) => x - around));
    const right = Math.max(...all.map(({ x, around }) => x + around));
    const top = Math.min(...all.map(({ y, around }) => y - around));
    const bottom = Math.max(...all.map(({ y, around }) => y + around));
    this.centre = unflattened(this.centre, (left + right) / 2, (top + bottom) / 2);
    // Room for the pins themselves, and never closer than a street.
    const wide = Math.max(80, this.width - 140);
    const high = Math.max(80, this.height - 170);
    this.metres = bounded(Math.max((right - left) / wide, (bottom - top) / high, 200 / Math.min(wide, high)));
    this.draw();
  }

  pan(x, y) {
    this.fitted = null;
    this.centre = unflattened(this.centre, x * this.metres, y * this.metres);
    this.draw();
  }

  /** By a number of doublings, around a point of the view. */
  zoom(steps, at = { x: this.width / 2, y: this.height / 2 }) {
    this.fitted = null;
    const former = this.metres;
    this.metres = bounded(former / 2 ** steps);
    const still = former - this.metres;
    this.centre = unflattened(this.centre, (at.x - this.width / 2) * still, (at.y - this.height / 2) * still);
    this.draw();
  }

  /** Brings a pin that is out of view, or at its rim, to the middle. */
  reveal(pin) {
    const { x, y } = this.point(pin);
    const isInside = x > 40 && y > 70 && x < this.width - 60 && y < this.height - 40;
    if (!isInside) this.glide(pin);
  }

  draw() {
    if (!this.width || !this.height) return;
    const [grid, places, trails, rings, ways, marks] = this.layers;
    this.picture.setAttribute("viewBox", `0 0 ${this.width} ${this.height}`);
    grid.replaceChildren(...this.squares());
    places.replaceChildren(...this.places.flatMap((place) => this.place(place)));
    trails.replaceChildren(...this.pins.flatMap((pin) => this.trail(pin)));
    rings.replaceChildren(...this.pins.flatMap((pin) => this.ring(pin)));
    ways.replaceChildren(...this.way());
    marks.replaceChildren(...this.pins.map((pin) => {
      const { x, y } = this.point(pin);
      pin.button.style.setProperty("transform", `translate(${x}px, ${y}px)`);
      return shape("circle", { cx: x, cy: y, r: 4, "data-state": pin.state });
    }));
    this.drawn();
  }

  /* ---- Drawing ---- */

  squares() {
    const step = round(this.metres * 120);
    this.anchor ??= this.centre;
    const home = flattened(this.centre, this.anchor);
    // Squares far from where they were counted from would lean: they are counted from here then.
    if (home.far > 2e6) this.anchor = this.centre;
    const lines = [];
    const first = (middle, half) => Math.ceil((-half * this.metres - middle) / step);
    const { x, y } = home.far > 2e6 ? { x: 0, y: 0 } : home;
    for (let index = first(x, this.width / 2); lines.length < 200; index += 1) {
      const at = this.width / 2 + (x + index * step) / this.metres;
      if (!(at < this.width)) break;
      lines.push(shape("path", { d: `M${at} 0V${this.height}`, class: index % 5 === 0 ? "is-fifth" : "" }));
    }
    for (let index = first(y, this.height / 2); lines.length < 400; index += 1) {
      const at = this.height / 2 + (y + index * step) / this.metres;
      if (!(at < this.height)) break;
      lines.push(shape("path", { d: `M0 ${at}H${this.width}`, class: index % 5 === 0 ? "is-fifth" : "" }));
    }
    return lines;
  }

  place(place) {
    const { x, y } = this.point(place);
    const wide = Math.max(6, (place.radius || 0) / this.metres);
    if (!this.isNear(x, y, wide)) return [];
    const words = shape("text", { x, y: y + Math.min(wide, this.height) + 16, "text-anchor": "middle" });
    words.textContent = String(place.name ?? "");
    return [shape("circle", { cx: x, cy: y, r: wide }), words];
  }

  ring(pin) {
    const { x, y } = this.point(pin);
    const wide = pin.accuracy / this.metres;
    if (wide < 8 || !this.isNear(x, y, wide)) return [];
    return [shape("circle", { cx: x, cy: y, r: wide, "data-state": pin.state })];
  }

  trail(pin) {
    if (pin.trail.length === 0) return [];
    const steps = [...pin.trail.map(([lat, lon]) => ({ lat, lon })), pin].map((step) => flattened(this.centre, step));
    let way = "";
    let isDown = false;
    for (const { x, y, far } of steps) {
      // The other side of the earth is smeared along the rim: no line goes there.
      if (far > halfwayRound * 0.8) {
        isDown = false;
        continue;
      }
      way += `${isDown ? "L" : "M"}${this.width / 2 + x / this.metres} ${this.height / 2 + y / this.metres}`;
      isDown = true;
    }
    return way ? [shape("path", { d: way, "data-state": pin.state })] : [];
  }

  way() {
    if (!this.line) return [];
    const [from, to] = this.line.map((pin) => this.point(pin));
    return [shape("path", { d: `M${from.x} ${from.y}L${to.x} ${to.y}` })];
  }

  isNear(x, y, wide) {
    return x + wide > -50 && y + wide > -50 && x - wide < this.width + 50 && y - wide < this.height + 50;
  }

  resized() {
    const box = this.view.getBoundingClientRect();
    this.width = box.width;
    this.height = box.height;
    // What showed everybody does so in the new size too.
    if (this.fitted) this.fit(this.fitted);
    else this.draw();
  }

  /* ---- Moving ---- */

  glide(to) {
    this.fitted = null;
    cancelAnimationFrame(this.gliding);
    const way = flattened(this.centre, to);
    const isStill = document.documentElement.dataset.motion === "less" || matchMedia("(prefers-reduced-motion: reduce)").matches || way.far > this.metres * 4000;
    const from = this.centre;
    const start = performance.now();
    const move = (now) => {
      const part = isStill ? 1 : Math.min(1, (now - start) / 220);
      const eased = 1 - (1 - part) ** 3;
      this.centre = part === 1 ? { lat: to.lat, lon: to.lon } : unflattened(from, way.x * eased, way.y * eased);
      this.draw();
      if (part < 1) this.gliding = requestAnimationFrame(move);
    };
    move(start);
  }

  watch() {
    const fingers = new Map();
    const at = (event) => {
      const box = this.view.getBoundingClientRect();
      return { x: event.clientX - box.left, y: event.clientY - box.top };
    };
    this.view.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      cancelAnimationFrame(this.gliding);
      fingers.set(event.pointerId, { ...at(event), moved: 0 });
    });
    this.view.addEventListener("pointermove", (event) => {
      const former = fingers.get(event.pointerId);
      if (!former) return;
      const now = { ...at(event), moved: former.moved + Math.hypot(at(event).x - former.x, at(event).y - former.y) };
      // Captured only once it is a drag, so that a click still reaches its pin.
      if (now.moved > 5 && !this.view.hasPointerCapture(event.pointerId)) this.view.setPointerCapture(event.pointerId);
      const other = [...fingers].find(([id]) => id !== event.pointerId)?.[1];
      fingers.set(event.pointerId, now);
      if (other) this.pinch(former, now, other);
      else if (now.moved > 5) this.pan(former.x - now.x, former.y - now.y);
    });
    for (const kind of ["pointerup", "pointercancel", "lostpointercapture"]) {
      this.view.addEventListener(kind, (event) => fingers.delete(event.pointerId));
    }
    this.view.addEventListener("wheel", (event) => {
      event.preventDefault();
      const lines = event.deltaMode === 1 ? 30 : 1;
      this.zoom(Math.max(-1, Math.min(1, (-event.deltaY * lines) / 250)), at(event));
    }, { passive: false });
    this.view.addEventListener("dblclick", (event) => {
      if (!event.target.closest(".pin")) this.zoom(1, at(event));
    });
  }

  pinch(former, now, other) {
    const was = Math.hypot(former.x - other.x, former.y - other.y);
    const is = Math.hypot(now.x - other.x, now.y - other.y);
    const middle = { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 };
    if (was > 10 && is > 10) this.zoom(Math.log2(is / was), middle);
    this.pan((former.x - now.x) / 2, (former.y - now.y) / 2);
  }
}

const bounded = (metres) => Math.min(widest, Math.max(closest, metres));

function shape(name, attributes) {
  const fresh = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [attribute, value] of Object.entries(attributes)) fresh.setAttribute(attribute, value);
  return fresh;
}
