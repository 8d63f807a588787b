import { createSystem, defaultBaseConfig, defineConfig } from "@chakra-ui/react";
import { buttonRecipe } from "./button";
import {
  cardRecipe,
  controlRecipe,
  dialogRecipe,
  drawerRecipe,
  menuRecipe,
  toastRecipe,
  tooltipRecipe,
} from "./recipes";
import { semanticTokens, textStyles, tokens } from "./tokens";

const slide = (from: string) => ({ from: { translate: from }, to: { translate: "0 0" } });

const config = defineConfig({
  preflight: true,
  globalCss: {
    "*": { "--global-font-body": "fonts.body", "--global-color-border": "colors.border" },
    html: {
      bg: "bg",
      color: "fg",
      colorScheme: "light",
      fontFamily: "body",
      lineHeight: "1.5",
      scrollPaddingTop: "5rem",
      // Where what sticks to the bottom of a page sticks: above the bottom bar.
      "--frame-bottom": "0px",
      "&:has([data-frame=bottom])": {
        "--frame-bottom": "calc({sizes.bar} + env(safe-area-inset-bottom))",
        scrollPaddingBottom: "calc(var(--frame-bottom) + 1rem)",
      },
      // What the sidebar takes of the width.
      "--frame-side": "0px",
      "&:has([data-frame=side])": { "--frame-side": "{sizes.sidebar}" },
      "&:has([data-frame=rail])": { "--frame-side": "{sizes.rail}" },
      // A toast: a strip under the header of a phone; from 1024 px in the header, between the search and the bell.
      "--toast-top": { base: "{sizes.header}", lg: "{spacing.2}" },
      "--toast-end": {
        base: "0px",
        lg: "calc(max({spacing.gutter}, (100vw - var(--frame-side) - {sizes.content}) / 2) + 6.5rem)",
      },
      "--toast-width": {
        base: "100vw",
        lg: "calc(100vw - var(--frame-side) - 31rem)",
        xl: "min(30rem, 100vw - var(--frame-side) - 39rem)",
      },
      "&:has([data-bar])": { scrollPaddingBottom: "calc(var(--frame-bottom) + 6rem)" },
    },
    body: { minHeight: "100dvh", overflowX: "hidden" },
    "h1, h2, h3": { textWrap: "balance" },
    "*::placeholder": { color: "fg.muted" },
    ":focus-visible": { outline: "3px solid", outlineColor: "border.brand", outlineOffset: "2px" },
    "*, *::before, *::after": {
      _motionReduce: {
        animationDuration: "1ms !important",
        animationIterationCount: "1 !important",
        transitionDuration: "1ms !important",
        scrollBehavior: "auto !important",
      },
    },
  },
  theme: {
    breakpoints: { sm: "480px", md: "768px", lg: "1024px", xl: "1280px" },
    tokens,
    semanticTokens,
    textStyles,
    keyframes: {
      spin: { to: { transform: "rotate(360deg)" } },
      pulse: { "50%": { opacity: "0.45" } },
      "fade-in": { from: { opacity: "0" }, to: { opacity: "1" } },
      "fade-out": { from: { opacity: "1" }, to: { opacity: "0" } },
      "rise-in": { from: { opacity: "0", translate: "0 16px" }, to: { opacity: "1", translate: "0 0" } },
      "slide-left-in": slide("100% 0"),
      "slide-right-in": slide("-100% 0"),
      "slide-down-in": slide("0 -100%"),
    },
    recipes: { adashiButton: buttonRecipe, card: cardRecipe, control: controlRecipe },
    slotRecipes: {
      dialog: dialogRecipe,
      drawer: drawerRecipe,
      menu: menuRecipe,
      tooltip: tooltipRecipe,
      toast: toastRecipe,
    },
  },
});

/** One system for the whole product, light only, with nothing of Chakra's own theme in it. */
export const system = createSystem(defaultBaseConfig, config);
