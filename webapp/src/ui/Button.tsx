import { chakra, useRecipe } from "@chakra-ui/react";
import type { ComponentProps, ReactNode } from "react";
import { Link, type LinkProps } from "react-router";
import { buttonRecipe } from "@/theme/button";

export type ButtonVariant = "primary" | "secondary" | "success" | "danger" | "warning" | "outline" | "ghost" | "link";
export type ButtonSize = "xs" | "sm" | "md" | "lg" | "xl";

interface Looks {
  variant?: ButtonVariant;
  size?: ButtonSize;
  fullWidth?: boolean;
  icon?: ReactNode;
  iconPosition?: "left" | "right";
}

export interface ButtonProps extends Looks, Omit<ComponentProps<"button">, "color"> {
  loading?: boolean;
}

const Spinner = () => (
  <chakra.span
    data-spinner
    aria-hidden="true"
    boxSize="1.1em"
    borderRadius="full"
    borderWidth="2px"
    borderStyle="solid"
    borderColor="current"
    borderBottomColor="transparent"
    animation="spin 700ms linear infinite"
  />
);

function useLooks({ variant = "primary", size = "md", fullWidth = false }: Looks) {
  return useRecipe({ recipe: buttonRecipe })({ variant, size, fullWidth });
}

function Filling({
  icon,
  iconPosition = "left",
  children,
}: Pick<Looks, "icon" | "iconPosition"> & { children?: ReactNode }) {
  return (
    <>
      {iconPosition === "left" && icon}
      {children}
      {iconPosition === "right" && icon}
    </>
  );
}

/** The product's one button. While loading it is disabled and a spinner stands where its icon was. */
export function Button(props: ButtonProps) {
  const {
    variant,
    size,
    fullWidth,
    icon,
    iconPosition,
    loading = false,
    disabled,
    children,
    type = "button",
    ...rest
  } = props;
  const css = useLooks({ variant, size, fullWidth });
  return (
    <chakra.button
      {...rest}
      type={type}
      disabled={disabled || loading}
      aria-busy={loading || undefined}
      data-variant={variant ?? "primary"}
      data-size={size ?? "md"}
      css={css}
    >
      <Filling icon={loading ? <Spinner /> : icon} iconPosition={iconPosition}>
        {children}
      </Filling>
    </chakra.button>
  );
}

/** A link inside the app that looks like the button. */
export function LinkButton(props: Looks & LinkProps & { children?: ReactNode }) {
  const { variant, size, fullWidth, icon, iconPosition, children, ...rest } = props;
  const css = useLooks({ variant, size, fullWidth });
  return (
    <chakra.a asChild css={css}>
      <Link {...rest}>
        <Filling icon={icon} iconPosition={iconPosition}>
          {children}
        </Filling>
      </Link>
    </chakra.a>
  );
}

/** A link in a line of text. */
export function TextLink({ children, ...rest }: LinkProps & { children: ReactNode }) {
  return (
    <chakra.a asChild color="fg.brand" textDecoration="underline" textUnderlineOffset="0.2em">
      <Link {...rest}>{children}</Link>
    </chakra.a>
  );
}

/** A link that leaves the app (a checkout page, a mail) and looks like the button. */
export function AwayButton(props: Looks & Omit<ComponentProps<"a">, "color">) {
  const { variant, size, fullWidth, icon, iconPosition, children, ...rest } = props;
  const css = useLooks({ variant, size, fullWidth });
  return (
    <chakra.a {...rest} css={css}>
      <Filling icon={icon} iconPosition={iconPosition}>
        {children}
      </Filling>
    </chakra.a>
  );
}

interface IconButtonProps extends Omit<ButtonProps, "children" | "icon" | "aria-label"> {
  label: string;
  children: ReactNode;
}

/** A 44 px square with a name for those who can't see its icon. */
export function IconButton({ label, children, variant = "ghost", ...rest }: IconButtonProps) {
  const css = useLooks({ variant });
  const { loading: _loading, size: _size, fullWidth: _wide, iconPosition: _place, type = "button", ...button } = rest;
  return (
    <chakra.button {...button} type={type} aria-label={label} css={[css, { px: "0", width: "11", fontSize: "lg" }]}>
      {children}
    </chakra.button>
  );
}
