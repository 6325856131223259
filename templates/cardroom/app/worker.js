// Stands in for the room when it cannot be reached: a page that says so. Everything else goes to the server, always. And
// shows what comes by push, unless a page of the room in sight says it itself. `options` stands above: {name, page, kept, icon, pushes}.
const { name, page, kept, icon, pushes } = options;
self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(name).then((cache) => cache.addAll(kept)).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  const old = caches.keys().then((names) => Promise.all(names.filter((other) => other !== name).map((other) => caches.delete(other))));
  event.waitUntil(old.then(() => self.clients.claim()));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET") return;
  if (request.mode === "navigate") event.respondWith(fetch(request).catch(() => caches.match(page)));
  // What the page without a connection is made of, when it is shown.
  else if (kept.includes(new URL(request.url).pathname)) event.respondWith(fetch(request).catch(() => caches.match(request)));
});

const pages = () => self.clients.matchAll({ type: "window", includeUncontrolled: true });

self.addEventListener("push", (event) => {
  const { title, body, tag, url } = event.data.json();
  const show = async () => {
    if ((await pages()).some((open) => open.visibilityState === "visible")) return;
    await self.registration.showNotification(title, { body, tag, icon, renotify: true, data: { url } });
  };
  event.waitUntil(show());
});

// To the page that it is about, where one is open; no other page is taken away from what it shows.
self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const { url } = event.notification.data;
  const go = async () => {
    const open = (await pages()).find((each) => new URL(each.url).pathname === url);
    await (open ? open.focus() : self.clients.openWindow(url));
  };
  event.waitUntil(go());
});

// The push service of the browser gave up the old address: the room is told the new one. Where that cannot be, the person
// is told that nothing comes here any more.
self.addEventListener("pushsubscriptionchange", (event) => {
  const renew = async () => {
    const key = event.oldSubscription?.options?.applicationServerKey ?? (await (await fetch("/api/v1/me/push/key")).json()).key;
    const made = event.newSubscription ?? (await self.registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key }));
    const { endpoint, keys } = made.toJSON();
    const { value: csrf } = await self.cookieStore.get(pushes.csrf);
    const headers = { "Content-Type": "application/json", "X-CSRFToken": csrf };
    const answer = await fetch("/api/v1/me/push", { method: "PUT", headers, body: JSON.stringify({ endpoint, ...keys }) });
    if (!answer.ok) throw new Error(String(answer.status));
  };
  const tell = () =>
    self.registration.showNotification(pushes.title, { body: pushes.ended, tag: "push-ended", icon, data: { url: pushes.home } });
  event.waitUntil(renew().catch(tell));
});
