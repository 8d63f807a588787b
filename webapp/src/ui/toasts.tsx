import { Box, createToaster, Portal, Toast, Toaster as ToastRegion } from "@chakra-ui/react";
import { useEffect } from "react";
import { CheckIcon, CloseIcon, InfoIcon, WarningIcon } from "./icons";

/** In the header of a wide screen, where nothing else is, and right under the header of a phone: theme/system.ts. */
const offsets = { top: "var(--toast-top)", bottom: "1rem", left: "0px", right: "var(--toast-end)" };

// One goes while the next comes.
export const toaster = createToaster({ placement: "top-end", max: 2, gap: 12, offsets, removeDelay: 0 });

/** The pointer on it, or the focus in it, stops the clock. */
const SHOWN_MS = 4000;

export type Kind = "success" | "info" | "warning" | "error";
const titles: Record<Kind, string> = { success: "Success", info: "Info", warning: "Warning", error: "Error" };

export function say(kind: Kind, text: string, title = titles[kind]) {
  // The same sentence twice at once is one toast.
  const id = `${kind}:${text}`;
  if (toaster.isVisible(id)) return;
  toaster.remove(); // The newest alone: two would stand over what is worked on.
  toaster.create({ id, type: kind, title, description: text, duration: SHOWN_MS, closable: true });
}

const looks = {
  success: { color: "fg.success", icon: <CheckIcon /> },
  info: { color: "fg.brand", icon: <InfoIcon /> },
  warning: { color: "fg.warning", icon: <WarningIcon /> },
  error: { color: "fg.danger", icon: <WarningIcon /> },
};

const CONTROLS = "input, textarea, select, [role=combobox]";

const overlap = (one: DOMRect, other: DOMRect) =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;

/** A toast makes way as soon as somebody works on the form that it may stand over. */
function useMakingWay() {
  useEffect(() => {
    const work = ({ target }: Event) => {
      const control = target instanceof Element && target.closest(CONTROLS);
      if (!control) return;
      const form = (control.closest("form") ?? control).getBoundingClientRect();
      const over = [...document.querySelectorAll("[data-toast]")].some((shown) =>
        overlap(shown.getBoundingClientRect(), form),
      );
      if (over) toaster.remove();
    };
    document.addEventListener("pointerdown", work);
    document.addEventListener("input", work);
    return () => {
      document.removeEventListener("pointerdown", work);
      document.removeEventListener("input", work);
    };
  }, []);
}

export function Toasts() {
  useMakingWay();
  return (
    <Portal>
      <ToastRegion toaster={toaster}>
        {(shown) => {
          const look = looks[(shown.type as Kind | undefined) ?? "info"] ?? looks.info;
          return (
            <Toast.Root data-toast={shown.type}>
              <Box color={look.color} fontSize="lg" flexShrink="0">
                {look.icon}
              </Box>
              <Box flex="1" minWidth="0">
                <Toast.Title>{shown.title}</Toast.Title>
                <Toast.Description>{shown.description}</Toast.Description>
              </Box>
              <Toast.CloseTrigger aria-label="Dismiss">
                <CloseIcon />
              </Toast.CloseTrigger>
            </Toast.Root>
          );
        }}
      </ToastRegion>
    </Portal>
  );
}
