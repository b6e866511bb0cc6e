/* What stands for a person on a map: a button of 44 pixels whose point is on the place. */
const near = 30;

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

/** How far each point steps aside: those on top of each other stand in a ring around their middle. */
export function fanned(points) {
  const moves = points.map(() => ({ x: 0, y: 0 }));
  const left = new Set(points.keys());
  for (const first of points.keys()) {
    if (!left.has(first)) continue;
    const crowd = [...left].filter((one) => Math.hypot(points[one].x - points[first].x, points[one].y - points[first].y) < near);
    for (const one of crowd) left.delete(one);
    if (crowd.length < 2) continue;
    const middle = { x: 0, y: 0 };
    for (const one of crowd) {
      middle.x += points[one].x / crowd.length;
      middle.y += points[one].y / crowd.length;
    }
    const wide = Math.max(34, (crowd.length * 54) / (2 * Math.PI));
    crowd.forEach((one, index) => {
      const turn = (2 * Math.PI * index) / crowd.length + Math.PI;
      moves[one] = {
        x: middle.x + wide * Math.cos(turn) - points[one].x, y: middle.y + wide * Math.sin(turn) - points[one].y,
      };
    });
  }
  return moves;
}

function part(name) {
  const span = document.createElement("span");
  span.className = name;
  span.setAttribute("aria-hidden", "true");
  return span;
}
