import { useEffect } from "react";
import { useStore } from "./store";

const forms = () => useStore.getState().unsaved;

/** Whether a form on screen holds what was typed and not saved. */
export const hasUnsaved = () => forms().size > 0;

/** Gives up all unsaved input. */
export const dropUnsaved = () => forms().clear();

const warn = (event: BeforeUnloadEvent) => event.preventDefault();

/** While `dirty`, leaving the screen asks first. */
export function useUnsaved(dirty: boolean) {
  useEffect(() => {
    if (!dirty) return;
    const unsaved = forms();
    const form = Symbol("form");
    unsaved.add(form);
    window.addEventListener("beforeunload", warn);
    return () => {
      unsaved.delete(form);
      if (unsaved.size === 0) window.removeEventListener("beforeunload", warn);
    };
  }, [dirty]);
}
