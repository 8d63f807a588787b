import { Box, createToaster, Portal, Toast, Toaster as ToastRegion } from "@chakra-ui/react";
import { CheckIcon, CloseIcon, InfoIcon, WarningIcon } from "./icons";

export const toaster = createToaster({ placement: "top-end", max: 4, gap: 12 });

type Kind = "success" | "info" | "error";
const titles: Record<Kind, string> = { success: "Success", info: "Info", error: "Error" };
const durations: Record<Kind, number> = { success: 6000, info: 8000, error: 10_000 };

function say(kind: Kind, text: string) {
  // The same sentence twice at once is one toast.
  const id = `${kind}:${text}`;
  if (toaster.isVisible(id)) return;
  toaster.create({ id, type: kind, title: titles[kind], description: text, duration: durations[kind], closable: true });
}

export const toast = {
  success: (text: string) => say("success", text),
  info: (text: string) => say("info", text),
  error: (text: string) => say("error", text),
};

const looks = {
  success: { color: "fg.success", icon: <CheckIcon /> },
  info: { color: "fg.brand", icon: <InfoIcon /> },
  error: { color: "fg.danger", icon: <WarningIcon /> },
};

export function Toaster() {
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
