// Lets the installed app tell that a request waits or something happened, also while no page of it is open.
// A push says nothing but that: no name, no content, so whoever passes it on learns nothing.

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("push", (event) => {
  event.waitUntil(isNotice(event.data) ? notice() : wake());
});

function isNotice(data) {
  try {
    return data?.json().notice === true;
  } catch {
    return false;
  }
}

async function notice() {
  // A page that somebody looks at tells what happened by itself.
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  if (pages.some((page) => page.visibilityState === "visible" && page.focused)) return;
  await self.registration.showNotification("Linnet", {
    body: "There is something new for you.",
    tag: "linnet-news",
    icon: "/favicon.svg",
    badge: "/favicon.svg",
    data: { page: "/notifications" },
  });
}

async function wake() {
  const how = await wish();
  if (how === "off") return passOver();
  self.navigator.setAppBadge?.().catch(() => {});
  await self.registration.showNotification("Linnet", {
    body: "A request may wait for you.",
    tag: "linnet-signer",
    icon: "/favicon.svg",
    badge: "/favicon.svg",
    silent: how === "quiet",
  });
}

/* Some browsers end push for whoever shows nothing, and notices of messages would end with it. */
async function passOver() {
  await self.registration.showNotification("Linnet", { tag: "linnet-signer", silent: true });
  for (const one of await self.registration.getNotifications({ tag: "linnet-signer" })) one.close();
}

/* A push proxy knows nothing of what was chosen; Linnet is asked, and where it does not answer requests are told. */
async function wish() {
  try {
    const answer = await fetch("/notifications/quiet", {
      headers: { "X-Linnet-Fragment": "1" }, signal: AbortSignal.timeout(3000),
    });
    return answer.ok ? await answer.text() : "";
  } catch {
    return "";
  }
}

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(show(event.notification.data?.page ?? "/signer"));
});

async function show(path) {
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const page = pages.find((found) => new URL(found.url).pathname === path) ?? pages[0];
  if (!page) return self.clients.openWindow(path);
  await page.focus();
  if (new URL(page.url).pathname !== path) await page.navigate(path).catch(() => {});
}
