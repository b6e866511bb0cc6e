/* What stands for a person on a map: a button of 44 pixels whose point is on the place. */

/* What one takes up, its name above it included. */
const room = { x: 50, y: 64 };

/** One person's pin; it keeps its button for as long as the person is there. */
export class Pin {
  constructor(key) {
    this.key = key;
    this.button = document.createElement("button");
    this.button.type = "button";
    this.button.className = "pin";
    this.button.dataset.key = key;
    this.face = part("pin-face");
    this.label = part("pin-name");
    this.button.append(part("pin-stem"), this.face, part("pin-badge"), this.label);
  }

  /** Takes what is told of the person now. */
  take(fresh) {
    Object.assign(this, { lat: null, lon: null, battery: null, words: "", picture: "", initials: "", isSelf: false }, fresh);
    this.dress(this.face);
    this.label.textContent = this.isSelf ? "You" : this.name;
    this.button.dataset.state = this.state;
    this.button.classList.toggle("is-self", Boolean(this.isSelf));
  }

  /** Takes what time alone makes of it. */
  grow(state, words) {
    this.state = this.button.dataset.state = state;
    this.words = words;
  }

  /** Puts the picture or the initials into a face. */
  dress(face) {
    // Pictures come from here alone, whatever the data say.
    const picture = /^\/(?!\/)/.test(this.picture ?? "") ? this.picture : "";
    const letters = this.initials || Array.from(this.name).slice(0, 1).join("");
    if (face.dataset.shown === `${picture} ${letters}`) return;
    face.dataset.shown = `${picture} ${letters}`;
    face.replaceChildren(letters);
    if (!picture) return;
    const image = new Image();
    image.alt = "";
    image.addEventListener("error", () => image.remove());
    image.src = picture;
    face.append(image);
  }

  /** Says aloud who this is, how old, and why. */
  speak(age, isChosen, state) {
    const words = [this.isSelf ? `${this.name} (you)` : this.name, age && `seen ${age === "now" ? "just now" : `${age} ago`}`, state];
    this.button.setAttribute("aria-label", words.filter(Boolean).join(", "));
    this.button.setAttribute("aria-pressed", String(isChosen));
  }

  /** Moves the pin aside from its place, so that nobody hides another. */
  lean({ x, y }) {
    this.button.style.setProperty("--aside-x", `${x}px`);
    this.button.style.setProperty("--aside-y", `${y}px`);
    // The stem leads from the middle of the button, 30 pixels above its tip, to the place.
    this.button.style.setProperty("--stem-turn", `${Math.atan2(x, 30 - y)}rad`);
    this.button.style.setProperty("--stem-length", `${Math.hypot(x, 30 - y)}px`);
    this.button.classList.toggle("is-aside", x !== 0 || y !== 0);
  }
}

/** How far each pin steps aside, so that none covers another: they push each other until there is room. */
export function fanned(points) {
  // Two on the very same place part in a direction of their own, always the same one.
  const now = points.map(({ x, y }, index) => ({ x: x + Math.cos(index * 2.4) / 50, y: y + Math.sin(index * 2.4) / 50, lowest: y }));
  for (let turn = 0; turn < 40 && points.length <= 80; turn += 1) {
    let isStill = true;
    for (let one = 0; one < now.length; one += 1) {
      for (let other = one + 1; other < now.length; other += 1) isStill = !parted(now[one], now[other]) && isStill;
    }
    if (isStill) break;
  }
  return now.map(({ x, y }, index) => {
    const move = { x: x - points[index].x, y: y - points[index].y };
    return Math.hypot(move.x, move.y) < 1 ? { x: 0, y: 0 } : move;
  });
}

/* Moves two apart where they overlap, each by half of it. */
function parted(one, other) {
  const x = (other.x - one.x) / room.x;
  const y = (other.y - one.y) / room.y;
  const far = Math.hypot(x, y);
  if (far >= 0.99 || far === 0) return false;
  // Rather sideways, and never down: a pin below its place would stand on it.
  const turn = Math.atan2(y * 0.3, x);
  const push = (1 - far) / 2;
  one.x -= Math.cos(turn) * push * room.x;
  one.y = Math.min(one.y - Math.sin(turn) * push * room.y, one.lowest);
  other.x += Math.cos(turn) * push * room.x;
  other.y = Math.min(other.y + Math.sin(turn) * push * room.y, other.lowest);
  return true;
}

function part(name) {
  const span = document.createElement("span");
  span.className = name;
  span.setAttribute("aria-hidden", "true");
  return span;
}
