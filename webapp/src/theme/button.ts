import { defineRecipe } from "@chakra-ui/react";

const solid = (rest: string, hover: string) => ({
  bg: rest,
  color: "fg.onBrand",
  _hover: { bg: hover },
  _active: { bg: hover },
});

/** The product's one button: eight variants, five sizes. Every size can be hit within 44 px. */
export const buttonRecipe = defineRecipe({
  className: "adashi-button",
  base: {
    display: "inline-flex",
    alignItems: "center",
    justifyContent: "center",
    gap: "2",
    position: "relative",
    flexShrink: "0",
    borderRadius: "md",
    borderWidth: "1px",
    borderColor: "transparent",
    fontWeight: "600",
    lineHeight: "1.2",
    textAlign: "center",
    textDecoration: "none",
    cursor: "pointer",
    userSelect: "none",
    transitionProperty: "background-color, border-color, color",
    transitionDuration: "fast",
    _disabled: { cursor: "not-allowed", opacity: "0.55" },
    "& svg": { flexShrink: "0" },
  },
  variants: {
    variant: {
      primary: solid("brand", "brandDeep"),
      secondary: {
        bg: "bg.brand",
        color: "fg.brand",
        _hover: { bg: "brandLine" },
        _active: { bg: "brandLine" },
      },
      success: solid("green", "greenDeep"),
      danger: solid("red", "redDeep"),
      warning: solid("amber", "amberDeep"),
      outline: {
        bg: "bg.panel",
        color: "fg",
        borderColor: "border.control",
        _hover: { bg: "bg.muted" },
        _active: { bg: "bg.muted" },
      },
      ghost: {
        bg: "transparent",
        color: "fg",
        _hover: { bg: "bg.muted" },
        _active: { bg: "bg.muted" },
      },
      link: {
        bg: "transparent",
        color: "fg.brand",
        textDecoration: "underline",
        textUnderlineOffset: "0.2em",
        _hover: { color: "brandDeep" },
      },
    },
    size: {
      xs: { minH: "8", px: "3", fontSize: "xs", _before: { content: '""', position: "absolute", inset: "-7px 0" } },
      sm: { minH: "9", px: "3.5", fontSize: "sm", _before: { content: '""', position: "absolute", inset: "-5px 0" } },
      md: { minH: "11", px: "5", fontSize: "sm" },
      lg: { minH: "12", px: "6", fontSize: "md" },
      xl: { minH: "14", px: "8", fontSize: "lg" },
    },
    fullWidth: { true: { width: "full" } },
  },
  compoundVariants: [{ variant: "link", css: { px: "1" } }],
  defaultVariants: { variant: "primary", size: "md" },
});
