import { asFailure } from "@/api/failure";
import { keepAnswer, keptAnswer } from "./offline";
import type { Source } from "./source";
import { useStore } from "./store";

/** Reads a source that no screen follows: from the server, or from the device where the server cannot be reached. */
export async function readOnce<T>(source: Source<T>): Promise<T> {
  const { id = "", email = "" } = useStore.getState().session ?? {};
  try {
    const { value, position } = await source.read({ me: { id, email } });
    keepAnswer(id, source, [{ value, position }], () => useStore.getState().session?.id === id);
    return value;
  } catch (error) {
    const kept = asFailure(error).kind === "lost" ? await keptAnswer(id, source) : undefined;
    if (!kept) throw error;
    return kept.value;
  }
}
