import { listen } from "@/api/live";
import { useStore } from "./store";

/** Keeps the figures of the one signed in fresh; answers how to stop. */
export function followLive(): () => void {
  return listen({
    onTopics: (topics) => useStore.getState().refreshTopics(topics),
    onReset: () => useStore.getState().readAnew(),
  });
}
