import { Box, chakra } from "@chakra-ui/react";
import { type ComponentProps, type ReactNode, useId, useState } from "react";
import { amountText, parseAmount } from "@/lib/money";
import { controlRecipe } from "@/theme/recipes";
import { Button } from "@/ui/Button";

interface FieldProps {
  label: string;
  help?: ReactNode;
  error?: string;
  optional?: boolean;
}

const Control = chakra("input", controlRecipe);
const LongControl = chakra("textarea", controlRecipe);
const ChoiceControl = chakra("select", controlRecipe);

export function useField({ help, error }: FieldProps) {
  const id = useId();
  const described = [help && `${id}-help`, error && `${id}-error`].filter(Boolean).join(" ");
  return { id, "aria-invalid": error ? (true as const) : undefined, "aria-describedby": described || undefined };
}

export function FieldFrame({
  id,
  label,
  help,
  error,
  optional,
  children,
}: FieldProps & { id: string; children: ReactNode }) {
  return (
    <Box width="full">
      <chakra.label htmlFor={id} display="block" textStyle="label" mb="1.5">
        {label}
        {optional && (
          <chakra.span fontWeight="400" color="fg.muted">
            {" "}
            (optional)
          </chakra.span>
        )}
      </chakra.label>
      {children}
      {error && (
        <chakra.p id={`${id}-error`} textStyle="small" color="fg.danger" fontWeight="500" mt="1.5">
          {error}
        </chakra.p>
      )}
      {help && (
        <chakra.p id={`${id}-help`} textStyle="small" color="fg.muted" mt="1.5">
          {help}
        </chakra.p>
      )}
    </Box>
  );
}

type Own<T extends "input" | "textarea" | "select"> = FieldProps &
  Omit<ComponentProps<T>, "size" | "color" | "height" | "width">;

export function TextField({ label, help, error, optional, ...input }: Own<"input">) {
  const field = useField({ label, help, error });
  return (
    <FieldFrame id={field.id} label={label} help={help} error={error} optional={optional}>
      <Control {...input} {...field} />
    </FieldFrame>
  );
}

export function PasswordField({ label, help, error, ...input }: Own<"input">) {
  const field = useField({ label, help, error });
  const [shown, setShown] = useState(false);
  return (
    <FieldFrame id={field.id} label={label} help={help} error={error}>
      <Box position="relative">
        <Control {...input} {...field} type={shown ? "text" : "password"} paddingEnd="20" />
        <Box position="absolute" insetEnd="1" top="0.5">
          <Button variant="link" aria-pressed={shown} aria-label="Show password" onClick={() => setShown(!shown)}>
            {shown ? "Hide" : "Show"}
          </Button>
        </Box>
      </Box>
    </FieldFrame>
  );
}

export function LongField({ label, help, error, optional, ...input }: Own<"textarea">) {
  const field = useField({ label, help, error });
  return (
    <FieldFrame id={field.id} label={label} help={help} error={error} optional={optional}>
      <LongControl rows={3} py="3" resize="vertical" {...input} {...field} />
    </FieldFrame>
  );
}

export function SelectField({ label, help, error, children, ...input }: Own<"select">) {
  const field = useField({ label, help, error });
  return (
    <FieldFrame id={field.id} label={label} help={help} error={error}>
      <ChoiceControl {...input} {...field}>
        {children}
      </ChoiceControl>
    </FieldFrame>
  );
}

/** An amount as people type it; tidied up to "5,000.50" when it is left. */
export function AmountField({ label, help, error, onBlur, ...input }: Own<"input">) {
  const field = useField({ label, help, error });
  return (
    <FieldFrame id={field.id} label={label} help={help} error={error}>
      <Box position="relative">
        <chakra.span
          aria-hidden="true"
          position="absolute"
          insetStart="4"
          top="50%"
          translate="0 -50%"
          fontSize="xl"
          fontWeight="600"
          color="fg.muted"
        >
          ₦
        </chakra.span>
        <Control
          {...input}
          {...field}
          inputMode="decimal"
          autoComplete="off"
          minHeight="14"
          ps="10"
          fontSize="xl"
          fontWeight="600"
          fontVariantNumeric="tabular-nums"
          onBlur={(event) => {
            const parsed = parseAmount(event.target.value);
            if ("kobo" in parsed) event.target.value = amountText(parsed.kobo);
            onBlur?.(event);
          }}
        />
      </Box>
    </FieldFrame>
  );
}

export function Switch({ label, help, ...input }: Omit<Own<"input">, "error" | "optional">) {
  const id = useId();
  return (
    <Box>
      <chakra.label display="flex" gap="3" alignItems="center" minHeight="11" cursor="pointer">
        <chakra.input
          {...input}
          type="checkbox"
          aria-describedby={help ? `${id}-help` : undefined}
          boxSize="6"
          accentColor="brand"
          flexShrink="0"
        />
        <chakra.span textStyle="label">{label}</chakra.span>
      </chakra.label>
      {help && (
        <chakra.p id={`${id}-help`} textStyle="small" color="fg.muted" ps="9">
          {help}
        </chakra.p>
      )}
    </Box>
  );
}
