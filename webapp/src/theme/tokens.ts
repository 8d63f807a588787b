import { defineTokens } from "@chakra-ui/react";

const rem = (value: string) => ({ value });

/** The only file that names colours by their value. */
export const tokens = defineTokens({
  colors: {
    transparent: rem("transparent"),
    current: rem("currentColor"),
    white: rem("#ffffff"),
    ink: rem("#14181f"),
    accent: rem("#555555"),
    gray: rem("#cccccc"),
    grayLight: rem("#f2f2f2"),
    grayLine: rem("#e4e6ea"),
    grayControl: rem("#80868f"),
    brand: rem("#0047cc"),
    brandDeep: rem("#003cac"),
    brandTint: rem("#eaf0fc"),
    brandLine: rem("#b8ccf3"),
    green: rem("#0b7039"),
    greenDeep: rem("#08572c"),
    greenTint: rem("#e6f4ec"),
    red: rem("#b3261e"),
    redDeep: rem("#8f1d17"),
    redTint: rem("#fcebea"),
    amber: rem("#8a5300"),
    amberDeep: rem("#6d4200"),
    amberTint: rem("#fdf2dd"),
    shade: rem("rgba(20, 24, 31, 0.48)"),
    face1: rem("#2563a8"),
    face2: rem("#7c3aad"),
    face3: rem("#0e7567"),
    face4: rem("#b8430c"),
    face5: rem("#b02a6b"),
    face6: rem("#4d6b12"),
    face7: rem("#475569"),
    face8: rem("#8a5a12"),
  },
  fonts: {
    body: rem("'Figtree Variable', 'Segoe UI', Roboto, 'Noto Sans', system-ui, sans-serif"),
    heading: rem("'Figtree Variable', 'Segoe UI', Roboto, 'Noto Sans', system-ui, sans-serif"),
    mono: rem("ui-monospace, 'Roboto Mono', 'DejaVu Sans Mono', monospace"),
  },
  fontSizes: {
    xs: rem("0.8125rem"),
    sm: rem("0.9375rem"),
    md: rem("1rem"),
    lg: rem("1.125rem"),
    xl: rem("1.375rem"),
    "2xl": rem("1.75rem"),
    "3xl": rem("2.25rem"),
    "4xl": rem("3rem"),
  },
  fontWeights: {
    normal: rem("400"),
    medium: rem("500"),
    semibold: rem("600"),
    bold: rem("700"),
  },
  spacing: Object.fromEntries(
    [0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 16, 20, 24].map((step) => [
      String(step),
      rem(`${step * 0.25}rem`),
    ]),
  ),
  sizes: {
    ...Object.fromEntries(
      [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 16, 20, 24].map((step) => [String(step), rem(`${step * 0.25}rem`)]),
    ),
    full: rem("100%"),
    card: rem("9rem"),
    form: rem("28rem"),
    content: rem("72rem"),
    frame: rem("calc(72rem + 2 * var(--chakra-spacing-gutter))"),
    column: rem("47.5rem"),
    narrow: rem("35.25rem"),
    target: rem("2.75rem"),
    row: rem("3.5rem"),
    header: rem("4rem"),
    bar: rem("3.5rem"),
    sidebar: rem("17rem"),
    rail: rem("4.75rem"),
  },
  radii: {
    sm: rem("8px"),
    md: rem("12px"),
    card: rem("20px"),
    full: rem("9999px"),
  },
  shadows: {
    card: rem("0 1px 2px rgba(20, 24, 31, 0.04)"),
    float: rem("0 12px 40px rgba(20, 24, 31, 0.16)"),
    bar: rem("0 -1px 12px rgba(20, 24, 31, 0.06)"),
  },
  durations: {
    fast: rem("120ms"),
    moderate: rem("200ms"),
  },
  zIndex: {
    docked: rem("1"),
    sticky: rem("10"),
    popover: rem("1000"),
    skipNav: rem("1600"),
    toast: rem("1700"),
    tooltip: rem("1800"),
  },
});

/** The named measures of the frame; docs/design.md says when to use which. */
export const semanticTokens = {
  spacing: {
    gutter: { value: { base: "{spacing.4}", md: "{spacing.8}" } },
    section: { value: { base: "{spacing.4}", md: "{spacing.6}" } },
  },
  colors: {
    bg: {
      DEFAULT: rem("{colors.grayLight}"),
      panel: rem("{colors.white}"),
      muted: rem("{colors.grayLight}"),
      brand: rem("{colors.brandTint}"),
      success: rem("{colors.greenTint}"),
      danger: rem("{colors.redTint}"),
      warning: rem("{colors.amberTint}"),
    },
    fg: {
      DEFAULT: rem("{colors.ink}"),
      muted: rem("{colors.accent}"),
      brand: rem("{colors.brand}"),
      onBrand: rem("{colors.white}"),
      success: rem("{colors.green}"),
      danger: rem("{colors.red}"),
      warning: rem("{colors.amber}"),
    },
    border: {
      DEFAULT: rem("{colors.grayLine}"),
      strong: rem("{colors.gray}"),
      control: rem("{colors.grayControl}"),
      brand: rem("{colors.brand}"),
    },
  },
};

export const textStyles = {
  label: { value: { fontSize: "sm", lineHeight: "1.35", fontWeight: "600" } },
  small: { value: { fontSize: "xs", lineHeight: "1.45" } },
  body: { value: { fontSize: "sm", lineHeight: "1.5" } },
  lead: { value: { fontSize: "lg", lineHeight: "1.5" } },
  title: {
    value: {
      fontSize: { base: "1.5rem", md: "2xl" },
      lineHeight: "1.2",
      fontWeight: "700",
      letterSpacing: "-0.015em",
    },
  },
  section: { value: { fontSize: "lg", lineHeight: "1.3", fontWeight: "650", letterSpacing: "-0.005em" } },
  figure: {
    value: { fontSize: "2xl", lineHeight: "1.15", fontWeight: "650", letterSpacing: "-0.02em" },
  },
  hero: {
    value: {
      fontSize: { base: "2.25rem", md: "4xl" },
      lineHeight: "1.1",
      fontWeight: "650",
      letterSpacing: "-0.025em",
    },
  },
};
