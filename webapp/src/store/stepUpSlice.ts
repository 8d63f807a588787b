import type { Slice } from "./store";

export interface StepUpSlice {
  /** Somebody must show again who they are before a call goes on. */
  stepUpAsked: boolean;
  /** Opens the one dialog; calls that ask meanwhile wait for the same answer. */
  askStepUp: () => Promise<boolean>;
  settleStepUp: (shown: boolean) => void;
}

let waiting: ((shown: boolean) => void)[] = [];

export const createStepUpSlice: Slice<StepUpSlice> = (set) => ({
  stepUpAsked: false,
  askStepUp() {
    set({ stepUpAsked: true });
    return new Promise((resolve) => {
      waiting.push(resolve);
    });
  },
  settleStepUp(shown) {
    const told = waiting;
    waiting = [];
    set({ stepUpAsked: false });
    for (const tell of told) tell(shown);
  },
});
