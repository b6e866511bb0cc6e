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

/** Tells that something waits, unless somebody is looking anyway. */
export async function notify(sentence) {
  if (!("Notification" in window) || Notification.permission !== "granted") return;
  if (!document.hidden && document.hasFocus()) return;
  // Every open page tells; with one tag they are one notification.
  const options = { body: sentence, tag: "linnet-signer", icon: "/favicon.svg" };
  const registration = await navigator.serviceWorker?.getRegistration("/").catch(() => undefined);
  if (registration?.active) return void registration.showNotification("Linnet", options).catch(() => {});
  const notice = new Notification("Linnet", options);
  notice.addEventListener("click", () => {
    focus();
    location.assign("/signer");
  });
}

/** The worker shows notifications of the installed app, also when a push comes while no page is open. */
function worker() {
  return navigator.serviceWorker?.register("/sw.js").catch(() => undefined);
}
