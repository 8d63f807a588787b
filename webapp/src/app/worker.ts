import { useEffect, useState } from "react";
import { isThrifty } from "@/lib/thrift";

/** Calls `onWaiting` with each worker of a newer build that has all its files and waits to take over. */
async function register(onWaiting: (worker: ServiceWorker) => void) {
  const workers = navigator.serviceWorker;
  const registration = await workers.register("/sw.js");
  const look = () => {
    if (registration.waiting && workers.controller) onWaiting(registration.waiting);
  };
  look();
  registration.addEventListener("updatefound", () => {
    registration.installing?.addEventListener("statechange", look);
  });
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) registration.update().catch(() => {});
  });
  const { active } = await workers.ready;
  if (!isThrifty()) active?.postMessage("keep all");
}

/** The worker of a newer build that waits. Where a browser has no workers the app runs without one. */
export function useWaitingWorker(): ServiceWorker | undefined {
  const [waiting, setWaiting] = useState<ServiceWorker>();
  useEffect(() => {
    if (import.meta.env.PROD && "serviceWorker" in navigator) register(setWaiting).catch(() => {});
  }, []);
  return waiting;
}

/** Lets the newer build take over, then loads it. */
export function update(waiting: ServiceWorker | undefined) {
  if (!waiting) return window.location.reload();
  navigator.serviceWorker.addEventListener("controllerchange", () => window.location.reload(), { once: true });
  waiting.postMessage("update");
}
