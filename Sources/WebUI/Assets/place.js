import { post } from "./fetching.js";

/* Where this device is, told to Linnet on this machine and to nobody else. Nothing here writes a place anywhere. */

const running = new Map();

/** Shares from every form that is shown, and stops for each that is hidden, resting or gone. */
export function watchSharing() {
  const settle = () => {
    const shown = new Set([...document.querySelectorAll("form.sharing")].filter(isOn));
    for (const [form, sharing] of running) {
      if (shown.has(form) && sharing.interval === intervalOf(form)) continue;
      sharing.stop();
      running.delete(form);
    }
    for (const form of shown) if (!running.has(form)) running.set(form, new Sharing(form));
  };
  settle();
  const watched = { subtree: true, childList: true, attributes: true, attributeFilter: ["hidden", "data-paused", "data-interval"] };
  new MutationObserver(settle).observe(document.body, watched);
  addEventListener("pagehide", () => {
    for (const sharing of running.values()) sharing.stop();
    running.clear();
  });
  addEventListener("pageshow", (event) => event.persisted && settle());
}

const isOn = (form) => !form.hasAttribute("data-paused") && !form.closest("[hidden]");

/* In seconds: ten at the least, an hour at the most. */
const intervalOf = (form) => Math.min(3600, Math.max(10, Number(form.dataset.interval) || 60));

const errors = { 1: "denied", 2: "unavailable", 3: "timeout" };
const words = {
  fix: "This device knows where it is.",
  denied: "Location is blocked in this browser. The lock beside the address, or the browser's settings, can allow it.",
  unavailable: "This device cannot tell where it is just now.",
  timeout: "This device is slow to find out where it is.",
  none: "This browser cannot tell where it is on this page: it needs https, or Linnet on this very machine.",
};

class Sharing {
  constructor(form) {
    this.form = form;
    this.interval = intervalOf(form);
    this.newest = null;
    this.sentAt = -Infinity;
    this.isStopped = false;
    void this.watchCharge();
    if (!navigator.geolocation) return void this.tell("none");
    this.start();
    // Somebody who allows it in the browser's own settings need not load the page again.
    navigator.permissions?.query({ name: "geolocation" }).then((permission) => {
      permission.onchange = () => {
        if (!this.isStopped && permission.state !== "denied") this.start();
      };
      this.permission = permission;
    }, () => {});
  }

  start() {
    this.rest();
    const wait = this.interval * 1000;
    // The satellites cost battery: only who is followed closely needs them.
    const options = {
      enableHighAccuracy: this.interval < 60, maximumAge: Math.min(wait / 2, 60000), timeout: Math.min(Math.max(wait, 15000), 60000),
    };
    this.oldest = options.maximumAge;
    const found = (position) => this.take(position);
    const failed = (error) => this.fail(error);
    this.watch = navigator.geolocation.watchPosition(found, failed, options);
    // Who stands still is not told of again by the browser, so it is asked.
    this.timer = setInterval(() => {
      if (this.newest) void this.send();
      else navigator.geolocation.getCurrentPosition(found, failed, options);
    }, wait);
  }

  rest() {
    if (this.watch !== undefined) navigator.geolocation.clearWatch(this.watch);
    clearInterval(this.timer);
    this.watch = undefined;
  }

  stop() {
    this.isStopped = true;
    this.rest();
    this.newest = null;
    this.battery?.removeEventListener("levelchange", this.chargeChanges);
    if (this.permission) this.permission.onchange = null;
  }

  /* Of a battery that runs low the circle is told at once, not when the next place is due; Linnet says how low. */
  async watchCharge() {
    const battery = await navigator.getBattery?.().catch(() => undefined);
    if (!battery) return;
    const isLow = () => battery.level * 100 < Number(this.form.dataset.lowBattery ?? 0);
    let wasLow = isLow();
    this.chargeChanges = () => {
      const hasFallen = isLow() && !wasLow;
      wasLow = isLow();
      if (!hasFallen || this.isStopped || !navigator.geolocation) return;
      this.sentAt = -Infinity;
      if (this.newest) void this.send();
      else navigator.geolocation.getCurrentPosition((position) => this.take(position), () => {}, { maximumAge: Infinity });
    };
    battery.addEventListener("levelchange", this.chargeChanges);
    this.battery = battery;
  }

  take(position) {
    if (this.isStopped) return;
    const { latitude, longitude, accuracy, altitude } = position.coords;
    this.newest = {
      lat: latitude, lon: longitude, acc: accuracy, ...(Number.isFinite(altitude) && { alt: altitude }),
      // What a browser gives is never older than it was asked for, whatever it wrote on it when the device last moved.
      ts: Math.floor(Math.max(position.timestamp, Date.now() - this.oldest) / 1000),
    };
    this.error = undefined;
    // A little early is on time: timers and positions do not come to the millisecond.
    if (performance.now() - this.sentAt >= this.interval * 1000 - 1000) void this.send();
  }

  fail({ code }) {
    if (this.isStopped) return;
    const error = errors[code] ?? "unavailable";
    // A device that falters between two positions is none that has failed.
    if (error !== "denied" && performance.now() - this.sentAt < this.interval * 1000 - 1000) return;
    this.tell(error);
    // Told once, until a position came between.
    if (this.error === error) return;
    this.error = error;
    this.newest = { error };
    void this.send();
  }

  /* One at a time, and always the newest; what could not be sent is tried again in a moment. */
  async send() {
    if (this.isSending || this.isStopped || !this.newest) return;
    this.isSending = true;
    const fix = this.newest;
    this.newest = null;
    try {
      const fields = new URLSearchParams(new FormData(this.form));
      for (const [name, value] of Object.entries(fix)) fields.set(name, String(value));
      const battery = await charge();
      if (battery !== null) fields.set("battery", String(battery));
      if (this.isStopped) return;
      await post(this.form.action, fields);
      this.sentAt = performance.now();
      this.tell(fix.error ?? "fix");
    } catch (trouble) {
      // It waits here for the next turn, or a moment.
      this.newest ??= fix;
      setTimeout(() => void this.send(), 5000);
      this.tell("lost", trouble.message);
    } finally {
      this.isSending = false;
    }
  }

  tell(state, sentence = words[state]) {
    this.form.dataset.state = state;
    const place = this.form.querySelector("[data-sharing-state]");
    if (place && place.textContent !== sentence) place.textContent = sentence;
  }
}

/* Whole percent, where the browser tells. */
async function charge() {
  try {
    const { level } = await navigator.getBattery();
    return Number.isFinite(level) ? Math.round(level * 100) : null;
  } catch {
    return null;
  }
}
