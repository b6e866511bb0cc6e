import { fragment, parsed } from "./fetching.js";

/** Offers to notify, where the browser can and was not asked yet; says how it stands where a page has room for it. */
export function askToNotify() {
  const places = document.querySelectorAll("[data-notify]");
  if (!("Notification" in window) || !isSecureContext) return;
  if (Notification.permission === "granted") void worker();
  const show = () => {
    for (const place of places) {
      const state = place.querySelector("[data-notify-state]");
      place.hidden = !state && Notification.permission !== "default";
      if (state) state.textContent = words[Notification.permission];
      place.querySelector("[data-notify-ask]").hidden = Notification.permission !== "default";
    }
  };
  for (const place of places) {
    place.querySelector("[data-notify-ask]").addEventListener("click", async () => {
      await Notification.requestPermission();
      show();
      if (Notification.permission === "granted") void worker();
    });
  }
  show();
}

const words = {
  default: "This browser can tell you when a request waits while you look elsewhere.",
  granted: "This browser tells you when a request waits. You can take that back in the browser's own settings.",
  denied: "You told this browser not to notify you. Its own settings can change that.",
};

/** Tells what happened in circles while nobody looks: who came to a place, whose battery is low, who wants to leave. */
export function watchAlerts() {
  if (!("Notification" in window) || !document.body.dataset.account) return;
  let known;
  let busy = false;
  const look = async () => {
    if (busy || Notification.permission !== "granted") return;
    busy = true;
    try {
      const found = [...parsed(await fragment("/circles/alerts")).querySelectorAll("[data-alert]")];
      // What was there when the page opened is no news.
      for (const one of known ? found.filter((item) => !known.has(item.dataset.alert)) : []) {
        void notify(one.textContent, one.dataset.alert, one.dataset.page);
      }
      known = new Set(found.map((item) => item.dataset.alert));
    } catch {
      // The strip about the connection says it already.
    } finally {
      busy = false;
    }
  };
  document.addEventListener("linnet:circle", () => void look());
  void look();
}

/** Tells that something waits, unless somebody is looking anyway.
 *
 * @param {string} tag the same for the same thing: every open page tells, and it is one notification.
 * @param {string} page where a click on it leads.
 */
export async function notify(sentence, tag = "linnet-signer", page = "/signer") {
  if (!("Notification" in window) || Notification.permission !== "granted") return;
  if (!document.hidden && document.hasFocus()) return;
  const options = { body: sentence, tag, icon: "/favicon.svg", data: { page } };
  const registration = await navigator.serviceWorker?.getRegistration("/").catch(() => undefined);
  if (registration?.active) return void registration.showNotification("Linnet", options).catch(() => {});
  const notice = new Notification("Linnet", options);
  notice.addEventListener("click", () => {
    focus();
    location.assign(page);
  });
}

/** The worker shows notifications of the installed app, also when a push comes while no page is open. */
function worker() {
  return navigator.serviceWorker?.register("/sw.js").catch(() => undefined);
}
