import type { Slice } from "./store";

export interface StepUpSlice {
  /** Somebody must show again who they are before a call goes on. */
  stepUpAsked: boolean;
  /** The calls that wait for it. */
  stepUpWaiting: ((shown: boolean) => void)[];
  /** Opens the one dialog; calls that ask meanwhile wait for the same answer. */
  askStepUp: () => Promise<boolean>;
  settleStepUp: (shown: boolean) => void;
}

export const createStepUpSlice: Slice<StepUpSlice> = (set, get) => ({
  stepUpAsked: false,
  stepUpWaiting: [],
  askStepUp: () =>
    new Promise((resolve) => set({ stepUpAsked: true, stepUpWaiting: [...get().stepUpWaiting, resolve] })),
  settleStepUp(shown) {
    const { stepUpWaiting } = get();
    set({ stepUpAsked: false, stepUpWaiting: [] });
    for (const tell of stepUpWaiting) tell(shown);
  },
});
