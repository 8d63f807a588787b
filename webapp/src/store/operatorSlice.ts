import * as api from "@/api/operator";
import type { Checks, DeadLetter, Letters, Projections } from "@/api/types";
import { readInto } from "./read";
import { idle, type Remote } from "./remote";
import type { Slice } from "./store";

export interface OperatorSlice {
  checks: Remote<Checks>;
  projections: Remote<Projections>;
  letters: Remote<Letters>;
  deadLetters: Remote<DeadLetter[]>;
  loadOperator: () => Promise<void>;
  retryProjection: (name: string) => Promise<string>;
  rebuildProjection: (name: string) => Promise<string>;
}

export const createOperatorSlice: Slice<OperatorSlice> = (set, get) => ({
  checks: idle,
  projections: idle,
  letters: idle,
  deadLetters: idle,
  async loadOperator() {
    await Promise.all([
      readInto({
        key: "checks",
        get: () => get().checks,
        put: (checks) => set({ checks }),
        read: api.getChecks,
      }),
      readInto({
        key: "letters",
        get: () => get().letters,
        put: (letters) => set({ letters }),
        read: api.getLetters,
      }),
      readInto({
        key: "projections",
        get: () => get().projections,
        put: (projections) => set({ projections }),
        read: api.getProjections,
      }),
      readInto({
        key: "deadLetters",
        get: () => get().deadLetters,
        put: (deadLetters) => set({ deadLetters }),
        read: api.getDeadLetters,
      }),
    ]);
  },
  async retryProjection(name) {
    const { message } = await api.retryProjection(name);
    void get().loadOperator();
    return message;
  },
  async rebuildProjection(name) {
    const { message } = await api.rebuildProjection(name);
    void get().loadOperator();
    return message;
  },
});
