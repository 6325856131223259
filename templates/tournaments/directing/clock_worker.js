// Keeps the clock's page for a reload while the room is away: what was last had is shown when the room does not answer.
// The numbers on it are the page's own business.

const CACHE = "cardroom.clock";

addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(clients.claim()));

// The page says what it is made of, once it has all of it.
addEventListener("message", (event) => Array.isArray(event.data?.keep) && event.waitUntil(keepAll(event.data.keep)));

async function keepAll(addresses) {
  const cache = await caches.open(CACHE);
  await Promise.allSettled(addresses.map((address) => cache.add(new Request(address, { cache: "no-cache" }))));
}

addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  const isOurs = request.mode === "navigate" || pathname.startsWith("{{ static_url }}");
  if (request.method === "GET" && origin === location.origin && isOurs) event.respondWith(answer(request));
});

async function answer(request) {
  try {
    const fresh = await fetch(request);
    // A gateway that has lost the room says so with 502 to 504: that is the room being away, too.
    if (fresh.status < 500) return fresh;
    return (await kept(request)) ?? fresh;
  } catch (error) {
    const found = await kept(request);
    if (found) return found;
    throw error;
  }
}

/** The same page in another look is the same page. */
async function kept(request) {
  return (await caches.open(CACHE)).match(request, { ignoreSearch: true, ignoreVary: true });
}
