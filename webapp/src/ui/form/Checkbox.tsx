import { chakra } from "@chakra-ui/react";

/** A box to tick, one thumb large. */
export function Checkbox({ label, checked, onChange }: { label: string; checked: boolean; onChange: () => void }) {
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
