// The service worker. vite.config.ts writes it to /sw.js with the names of the build's files in place of FILES.
// It keeps the app's own files and nothing else: no answer of the API, of nobody.

/** @type {{ version: string, shell: string[], later: string[] }} */
const { version, shell, later } = FILES;

const PREFIX = "adashi-app-";
const CACHE = PREFIX + version;
/** What the server answers itself. The worker never touches it. */
const NOT_OURS = /^\/(api|dev|sandbox|docs|metrics|healthz|readyz)(\/|$)/;

/** Answered by the server alone: a reply that something else gave in its place is no file of ours. */
async function fetchOurs(path) {
  const response = await fetch(new Request(path, { cache: "no-cache", credentials: "same-origin" }));
  if (!response.ok || response.redirected || !response.headers.has("ETag")) throw new Error(`${path} did not come.`);
  return response;
}

async function keep(cache, path) {
  if (!(await cache.match(path))) await cache.put(path, await fetchOurs(path));
}

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => Promise.all(shell.map((path) => keep(cache, path)))));
});

self.addEventListener("activate", (event) => {
  const drop = async () => {
    const names = await caches.keys();
    const old = names.filter((name) => name.startsWith(PREFIX) && name !== CACHE);
    await Promise.all(old.map((name) => caches.delete(name)));
    await self.clients.claim();
  };
  event.waitUntil(drop());
});

/** The other screens, one after another: the page asks for them where data is not dear. */
async function keepLater() {
  const cache = await caches.open(CACHE);
  for (const path of later) await keep(cache, path);
}

self.addEventListener("message", (event) => {
  if (event.data === "update") void self.skipWaiting();
  if (event.data === "keep all") event.waitUntil(keepLater().catch(() => {}));
});

/** A file of the build; what is fetched meanwhile is kept, where the device has room. */
async function answer(path, request) {
  const cache = await caches.open(CACHE);
  const known = await cache.match(path);
  if (known) return known;
  const response = await fetch(request);
  if (response.ok && later.includes(path)) cache.put(path, response.clone()).catch(() => {});
  return response;
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== self.location.origin || NOT_OURS.test(pathname)) return;
  if (request.mode === "navigate") event.respondWith(answer("/index.html", request));
  else if (shell.includes(pathname) || later.includes(pathname)) event.respondWith(answer(pathname, request));
});
