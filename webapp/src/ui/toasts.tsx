import { Box, createToaster, Portal, Toast, Toaster as ToastRegion } from "@chakra-ui/react";
import { useEffect } from "react";
import { CheckIcon, CloseIcon, InfoIcon, WarningIcon } from "./icons";

/** Below the top bar, so that it stays in reach. */
const offsets = { top: "4.75rem", bottom: "1rem", left: "1rem", right: "1rem" };

// One goes while the next comes.
export const toaster = createToaster({ placement: "top-end", max: 2, gap: 12, offsets, removeDelay: 0 });

export type Kind = "success" | "info" | "warning" | "error";
const titles: Record<Kind, string> = { success: "Success", info: "Info", warning: "Warning", error: "Error" };
const durations: Record<Kind, number> = { success: 6000, info: 8000, warning: 20_000, error: 10_000 };

export function say(kind: Kind, text: string, title = titles[kind]) {
  // The same sentence twice at once is one toast.
  const id = `${kind}:${text}`;
  if (toaster.isVisible(id)) return;
  toaster.remove(); // The newest alone: two would stand over what is worked on.
  toaster.create({ id, type: kind, title, description: text, duration: durations[kind], closable: true });
}

const looks = {
  success: { color: "fg.success", icon: <CheckIcon /> },
  info: { color: "fg.brand", icon: <InfoIcon /> },
  warning: { color: "fg.warning", icon: <WarningIcon /> },
  error: { color: "fg.danger", icon: <WarningIcon /> },
};

const CONTROLS = "input, textarea, select, [role=combobox]";

/** In the same column: on a phone always, on a wide screen only above a form that reaches under it. */
const inColumn = (one: DOMRect, other: DOMRect) => one.left < other.right && other.left < one.right;

/** A toast makes way as soon as somebody works on the form that it may stand over. */
function useMakingWay() {
  useEffect(() => {
    const work = ({ target }: Event) => {
      const control = target instanceof Element && target.closest(CONTROLS);
      if (!control) return;
      const form = (control.closest("form") ?? control).getBoundingClientRect();
      const over = [...document.querySelectorAll("[data-toast]")].some((shown) =>
        inColumn(shown.getBoundingClientRect(), form),
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
              <Box color={look.color} fontSize="lg" pt="0.5">
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
