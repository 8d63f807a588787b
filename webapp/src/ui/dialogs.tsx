import { Dialog, Drawer, Portal } from "@chakra-ui/react";
import type { ReactNode } from "react";
import { IconButton } from "./Button";
import { CloseIcon } from "./icons";

export interface OverlayProps {
  open: boolean;
  onClose: () => void;
  title: string;
  children: ReactNode;
  footer?: ReactNode;
}

/** A modal: centred on a wide screen, a sheet at the bottom of a phone. Focus goes back to where it came from. */
export function Modal({ open, onClose, title, children, footer }: OverlayProps) {
  return (
    <Dialog.Root open={open} onOpenChange={(change) => !change.open && onClose()} lazyMount unmountOnExit>
      <Portal>
        <Dialog.Backdrop />
        <Dialog.Positioner>
          <Dialog.Content>
            <Dialog.Header>
              <Dialog.Title>{title}</Dialog.Title>
            </Dialog.Header>
            <Dialog.Body>{children}</Dialog.Body>
            {footer && <Dialog.Footer>{footer}</Dialog.Footer>}
            <Dialog.CloseTrigger asChild>
              <IconButton label="Close">
                <CloseIcon />
              </IconButton>
            </Dialog.CloseTrigger>
          </Dialog.Content>
        </Dialog.Positioner>
      </Portal>
    </Dialog.Root>
  );
}

export interface SheetProps extends OverlayProps {
  placement: "start" | "end";
  /** As wide at most; as its side has it when absent. */
  width?: string;
}

/** A drawer from the side. */
export function Sheet({ open, onClose, title, children, footer, placement, width }: SheetProps) {
  return (
    <Drawer.Root
      open={open}
      onOpenChange={(change) => !change.open && onClose()}
      placement={placement}
      lazyMount
      unmountOnExit
    >
      <Portal>
        <Drawer.Backdrop />
        <Drawer.Positioner>
          <Drawer.Content maxWidth={width}>
            <Drawer.Header>
              <Drawer.Title>{title}</Drawer.Title>
            </Drawer.Header>
            <Drawer.Body>{children}</Drawer.Body>
            {footer && <Drawer.Footer>{footer}</Drawer.Footer>}
            <Drawer.CloseTrigger asChild>
              <IconButton label="Close">
                <CloseIcon />
              </IconButton>
            </Drawer.CloseTrigger>
          </Drawer.Content>
        </Drawer.Positioner>
      </Portal>
    </Drawer.Root>
  );
}

export interface TopSheetProps {
  open: boolean;
  onClose: () => void;
  label: string;
  children: ReactNode;
  initialFocus: () => HTMLElement | null;
}

/** A drawer from the top over the whole height; its content brings its own way out. */
export function TopSheet({ open, onClose, label, children, initialFocus }: TopSheetProps) {
  return (
    <Drawer.Root
      open={open}
      onOpenChange={(change) => !change.open && onClose()}
      placement="top"
      initialFocusEl={initialFocus}
      lazyMount
      unmountOnExit
    >
      <Portal>
        <Drawer.Positioner>
          <Drawer.Content aria-label={label}>{children}</Drawer.Content>
        </Drawer.Positioner>
      </Portal>
    </Drawer.Root>
  );
}
