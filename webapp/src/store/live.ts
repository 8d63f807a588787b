import { listen } from "@/api/live";
import { useStore } from "./store";

/** Keeps the figures of the one signed in fresh; answers how to stop. */
export function followLive(): () => void {
  const onOffline = () => useStore.setState({ reached: false });
  window.addEventListener("offline", onOffline);
  const stop = listen({
    onTopics: (topics) => useStore.getState().refreshTopics(topics),
    onReset: () => useStore.getState().readAnew(),
    onBack: () => useStore.getState().refreshAll(),
  });
  return () => {
    window.removeEventListener("offline", onOffline);
    stop();
  };
}
