// Stands in for the room when it cannot be reached: a page that says so. Everything else goes to the server, always.
// `told` stands above it: {name, page, kept}.
const { name, page, kept } = told;
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
