// Gets about in the app as a browser does, without the loads that cost most of a test's time.

/** What every answer of the API has: one without it counts as the answer of somebody in between. */
export const OURS = { "X-Adashi": "api" };

/** How long a screen may take to change; afterwards the address is loaded. */
const CHANGE_LIMIT_MS = 5000;

/**
 * Runs in the page. Follows a path as a link there would; answers false where only a load leads there.
 * @param {[path: string, limitMs: number]} to
 * @returns {Promise<boolean> | false}
 */
function follow([path, limitMs]) {
  const main = document.getElementById("main");
  if (!main) return false; // No shell, or no page at all yet.
  const to = new URL(path, location.href);
  if (to.origin !== location.origin || to.pathname === location.pathname) return false;
  // A load leaves no earlier toast, which the next one might be taken for.
  for (const close of document.querySelectorAll("[data-toast] button")) /** @type {HTMLElement} */ (close).click();
  return new Promise((resolve) => {
    const over = new AbortController();
    const end = (/** @type {boolean} */ came) => {
      over.abort();
      replaced.disconnect();
      resolve(came);
    };
    // The new screen is there once the shell has given its main part the focus, or another shell has taken its place.
    const replaced = new MutationObserver(() => main.isConnected || end(true));
    replaced.observe(document.body, { childList: true, subtree: true });
    main.blur();
    main.addEventListener("focus", () => end(true), { signal: over.signal });
    setTimeout(() => end(false), limitMs);
    const state = { usr: null, key: crypto.randomUUID(), idx: (history.state?.idx ?? 0) + 1 };
    history.pushState(state, "", to);
    dispatchEvent(new PopStateEvent("popstate", { state }));
    // The app goes back where something typed would be lost: a load loses it.
    addEventListener("popstate", () => end(false), { signal: over.signal });
  });
}

/**
 * Goes to a path inside the app, which costs a third of a load.
 * @param {import("playwright-core").Page} page
 * @param {string} path
 */
export async function goes(page, path) {
  if (!(await page.evaluate(follow, [path, CHANGE_LIMIT_MS]))) await page.goto(path);
}

/**
 * Begins a session by a call, as if the browser had kept it, and opens the dashboard.
 * @param {import("playwright-core").Page} page
 * @param {{ email: string, password: string }} login
 */
export async function logIn(page, { email, password }) {
  await page.goto("/healthz"); // The app itself would keep the session before.
  await page.evaluate(async (body) => {
    const headers = { "Content-Type": "application/json" };
    const reply = await fetch("/api/Account/GetToken", { method: "POST", headers, body });
    const { message, returnedObject: session } = await reply.json();
    if (!reply.ok) throw new Error(message);
    localStorage.clear();
    localStorage.setItem("adashi", JSON.stringify({ state: { session }, version: 1 }));
  }, JSON.stringify({ email, password }));
  await page.goto("/dashboard");
  await page.locator("#main").waitFor();
}
