import { defineRecipe, defineSlotRecipe } from "@chakra-ui/react";

const field = {
  width: "full",
  minWidth: "0",
  minHeight: "12",
  px: "3.5",
  bg: "bg.panel",
  color: "fg",
  fontSize: "md",
  borderWidth: "1px",
  borderColor: "border.control",
  borderRadius: "md",
  _hover: { borderColor: "fg" },
  _focusVisible: { borderColor: "border.brand" },
  _invalid: { borderColor: "fg.danger" },
  _disabled: { bg: "bg.muted", color: "fg.muted", cursor: "not-allowed" },
};

export const controlRecipe = defineRecipe({ className: "adashi-control", base: field });

export const cardRecipe = defineRecipe({
  className: "adashi-card",
  base: {
    bg: "bg.panel",
    borderRadius: "card",
    padding: { base: "4", md: "6" },
    minHeight: "card",
    minWidth: "0",
    boxShadow: "card",
    borderWidth: "1px",
    borderColor: "border",
  },
  variants: { pad: { spec: { padding: "1rem" }, none: { padding: "0" } } },
});

const overlay = {
  bg: "shade",
  position: "fixed",
  inset: "0",
  zIndex: "popover",
  _open: { animationName: "fade-in", animationDuration: "moderate" },
  _closed: { animationName: "fade-out", animationDuration: "fast" },
} as const;

const closeTrigger = { position: "absolute", top: "3", insetEnd: "3" } as const;

export const dialogRecipe = defineSlotRecipe({
  className: "adashi-dialog",
  slots: ["backdrop", "positioner", "content", "header", "title", "body", "footer", "closeTrigger"],
  base: {
    backdrop: overlay,
    positioner: {
      position: "fixed",
      inset: "0",
      zIndex: "popover",
      display: "flex",
      justifyContent: "center",
      alignItems: { base: "flex-end", md: "center" },
      overflow: "auto",
      overscrollBehaviorY: "none",
    },
    content: {
      position: "relative",
      display: "flex",
      flexDirection: "column",
      width: "full",
      maxWidth: { md: "28rem" },
      maxHeight: "100dvh",
      overflowY: "auto",
      bg: "bg.panel",
      borderTopRadius: "card",
      borderBottomRadius: { base: "0", md: "card" },
      boxShadow: "float",
      outline: "0",
      _open: { animationName: "rise-in", animationDuration: "moderate" },
      _closed: { animationName: "fade-out", animationDuration: "fast" },
    },
    header: { px: { base: "5", md: "6" }, pt: "6", pb: "2", pe: "14" },
    title: { textStyle: "section", fontSize: "xl" },
    body: { px: { base: "5", md: "6" }, pb: "6", pt: "2" },
    footer: { px: { base: "5", md: "6" }, pb: "6", display: "flex", gap: "3", flexWrap: "wrap" },
    closeTrigger,
  },
});

export const drawerRecipe = defineSlotRecipe({
  className: "adashi-drawer",
  slots: ["backdrop", "positioner", "content", "header", "title", "body", "footer", "closeTrigger"],
  base: {
    backdrop: overlay,
    positioner: { position: "fixed", inset: "0", zIndex: "popover", display: "flex" },
    content: {
      position: "relative",
      display: "flex",
      flexDirection: "column",
      width: "full",
      bg: "bg.panel",
      boxShadow: "float",
      outline: "0",
      _open: { animationDuration: "moderate" },
      _closed: { animationName: "fade-out", animationDuration: "fast" },
    },
    header: { px: "5", pt: "5", pb: "3", pe: "14" },
    title: { textStyle: "section" },
    body: { flex: "1", overflowY: "auto", px: "5", pb: "6" },
    footer: { px: "5", py: "4", borderTopWidth: "1px", borderColor: "border" },
    closeTrigger,
  },
  variants: {
    placement: {
      start: {
        positioner: { justifyContent: "flex-start" },
        content: { maxWidth: "20rem", _open: { animationName: "slide-right-in" } },
      },
      end: {
        positioner: { justifyContent: "flex-end" },
        content: { maxWidth: "27rem", _open: { animationName: "slide-left-in" } },
      },
      top: { content: { height: "100dvh", _open: { animationName: "slide-down-in" } } },
    },
  },
  defaultVariants: { placement: "end" },
});

export const menuRecipe = defineSlotRecipe({
  className: "adashi-menu",
  slots: ["content", "item", "separator"],
  base: {
    content: {
      minWidth: "14rem",
      bg: "bg.panel",
      borderRadius: "md",
      borderWidth: "1px",
      borderColor: "border",
      boxShadow: "float",
      padding: "1.5",
      outline: "0",
      zIndex: "popover",
    },
    item: {
      display: "flex",
      alignItems: "center",
      gap: "3",
      minHeight: "11",
      px: "3",
      borderRadius: "sm",
      textStyle: "body",
      cursor: "pointer",
      outline: "0",
      _highlighted: { bg: "bg.brand", color: "fg.brand" },
    },
    separator: { height: "1px", bg: "border", my: "1.5" },
  },
});

export const tooltipRecipe = defineSlotRecipe({
  className: "adashi-tooltip",
  slots: ["content"],
  base: {
    content: {
      bg: "fg",
      color: "white",
      px: "2.5",
      py: "1.5",
      borderRadius: "sm",
      fontSize: "xs",
      zIndex: "tooltip",
    },
  },
});

/** Slim: its title and its sentence share the lines, so that on a wide screen it fits into the header. */
export const toastRecipe = defineSlotRecipe({
  className: "adashi-toast",
  slots: ["root", "title", "description", "closeTrigger"],
  base: {
    root: {
      width: "var(--toast-width)",
      minHeight: "12",
      display: "flex",
      gap: "2.5",
      alignItems: "center",
      py: "1.5",
      ps: "4",
      pe: "12",
      bg: "bg.panel",
      color: "fg",
      borderRadius: { base: "0", lg: "md" },
      borderWidth: { base: "0 0 1px", lg: "1px" },
      borderColor: "border.strong",
      boxShadow: "float",
      textStyle: "small",
      translate: "var(--x) var(--y)",
      scale: "var(--scale)",
      zIndex: "var(--z-index)",
      opacity: "var(--opacity)",
      transition: "translate 200ms, scale 200ms, opacity 200ms",
    },
    title: { display: "inline", fontWeight: "700", me: "1.5" },
    description: { display: "inline", overflowWrap: "anywhere" },
    closeTrigger: {
      position: "absolute",
      top: "0.5",
      insetEnd: "0.5",
      display: "inline-flex",
      alignItems: "center",
      justifyContent: "center",
      boxSize: "target",
      borderRadius: "sm",
      cursor: "pointer",
      color: "fg.muted",
      _hover: { bg: "bg.muted" },
    },
  },
});
