import { fragment, post } from "./fetching.js";

const told = "linnet-push-told";
const day = 24 * 3600 * 1000;

/** Has this browser woken by the push proxy when a request comes while no page is open. */
export async function offerPush() {
  const place = document.querySelector("[data-push]");
  if (!place) return;
  const say = (words) => { place.querySelector("[data-push-state]").textContent = words; };
  if (!isSecureContext) return say("Browsers are woken only by pages with TLS: open Linnet by an https address.");
  if (!("PushManager" in window && "serviceWorker" in navigator)) {
    return say("This browser cannot be woken. On a phone, add Linnet to the home screen first.");
  }
  const [on, off] = [place.querySelector("[data-push-on]"), place.querySelector("[data-push-off]")];
  const show = (subscription) => {
    on.hidden = Boolean(subscription);
    off.hidden = !subscription;
    say(subscription
      ? "This browser is woken when a request comes or something happens in a circle, and shows that much."
      : "This browser can be woken when a request comes while no page of Linnet is open.");
  };
  const run = (button, work) => button.addEventListener("click", async () => {
    button.disabled = true;
    say("One moment: the push proxy is asked.");
    try {
      show(await work());
    } catch (trouble) {
      say(trouble.message || "That did not work.");
    } finally {
      button.disabled = false;
    }
  });
  run(on, subscribe);
  run(off, unsubscribe);
  const subscription = await current().catch(() => null);
  show(subscription);
  // A proxy forgets browsers it has not heard of for long, and learns of apps paired since.
  if (subscription && Date.now() - Number(localStorage.getItem(told) ?? 0) > day) {
    await register(subscription).catch((trouble) => say(trouble.message));
  }
}

async function current() {
  const registration = await navigator.serviceWorker.getRegistration("/");
  return (await registration?.pushManager.getSubscription()) ?? null;
}

async function subscribe() {
  if ((await Notification.requestPermission()) !== "granted") {
    throw new Error("You told this browser not to notify you. Its own settings can change that.");
  }
  await navigator.serviceWorker.register("/sw.js");
  const registration = await navigator.serviceWorker.ready;
  const { key } = JSON.parse(await fragment("/signer/push"));
  let subscription;
  try {
    subscription = await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytes(key) });
  } catch {
    throw new Error("The browser's own push service did not take it.");
  }
  try {
    await register(subscription);
  } catch (trouble) {
    await subscription.unsubscribe();
    throw trouble;
  }
  return subscription;
}

async function unsubscribe() {
  const subscription = await current();
  if (!subscription) return null;
  const ended = fields(subscription);
  // First here: what nobody can reach any more does not matter to the proxy.
  await subscription.unsubscribe();
  localStorage.removeItem(told);
  await post("/signer/push/end", ended);
  return null;
}

async function register(subscription) {
  await post("/signer/push", fields(subscription));
  localStorage.setItem(told, String(Date.now()));
}

function fields(subscription) {
  const { endpoint, keys } = subscription.toJSON();
  return { csrf: document.querySelector("[data-push]").dataset.push, endpoint, p256dh: keys.p256dh, auth: keys.auth };
}

function bytes(base64) {
  const text = atob(base64.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
}
