import { lazyPart } from "./lazyPart";
import type { Kind } from "./toasts";

const load = () => import("./toasts");

/** Where toasts appear. Its file comes after the first load, with the first screen. */
export const Toaster = lazyPart(() => load().then((m) => m.Toasts));

const say = (kind: Kind, text: string, title?: string) =>
  void load().then(
    (toasts) => toasts.say(kind, text, title),
    () => {},
  );

export const toast = {
  success: (text: string) => say("success", text),
  info: (text: string) => say("info", text),
  warning: (title: string, text: string) => say("warning", text, title),
  error: (text: string) => say("error", text),
  /** Takes away what was said. */
  clear: () =>
    void load().then(
      ({ toaster }) => toaster.remove(),
      () => {},
    ),
};
