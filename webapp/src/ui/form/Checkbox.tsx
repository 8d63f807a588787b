import { chakra } from "@chakra-ui/react";
import type { ChangeEvent } from "react";

interface CheckboxProps {
  label: string;
  checked: boolean;
  onChange: (event: ChangeEvent<HTMLInputElement>) => void;
}

/** A box to tick, one thumb large. */
export function Checkbox({ label, checked, onChange }: CheckboxProps) {
  return (
    <chakra.label display="inline-flex" boxSize="11" flexShrink="0" alignItems="center" justifyContent="center">
      <chakra.input
        type="checkbox"
        aria-label={label}
        checked={checked}
        onChange={onChange}
        boxSize="5"
        accentColor="brand"
        cursor="pointer"
      />
    </chakra.label>
  );
}
