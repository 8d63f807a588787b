import { useEffect, useState } from "react";
import { type LazyPart, lazyPart } from "./lazyPart";

const load = () => import("./dialogs");

/** An overlay whose file comes after the screen's own. It stays once it was open, so that it can close in its own time. */
function overlay<P extends { open: boolean }>(Part: LazyPart<P>) {
  const Overlay = (props: P) => {
    const [seen, setSeen] = useState(props.open);
    if (props.open && !seen) setSeen(true);
    useEffect(() => void Part.fetch(), []);
    return seen && <Part {...props} />;
  };
  return Object.assign(Overlay, { fetch: Part.fetch });
}

export const Modal = overlay(lazyPart(() => load().then((m) => m.Modal)));
export const Sheet = overlay(lazyPart(() => load().then((m) => m.Sheet)));
export const TopSheet = overlay(lazyPart(() => load().then((m) => m.TopSheet)));
