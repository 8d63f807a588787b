/** Whether the server has another build of the app than the one that runs here; no answer means that nobody knows. */
export async function isReplaced(): Promise<boolean> {
  const running = document.querySelector('script[type="module"][src]')?.getAttribute("src");
  if (!running) return false;
  try {
    const response = await fetch("/", { cache: "no-store" });
    return response.ok && !(await response.text()).includes(running);
  } catch {
    return false;
  }
}
