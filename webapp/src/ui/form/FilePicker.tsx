import { chakra } from "@chakra-ui/react";
import { useRef } from "react";
import { Button, type ButtonSize, type ButtonVariant } from "@/ui/Button";

interface FilePickerProps {
  /** The button's words, and what it is called by those who can't see beside what it stands. */
  children: string;
  name: string;
  accept: readonly string[];
  variant?: ButtonVariant;
  size?: ButtonSize;
  disabled?: boolean;
  describedBy?: string;
  onChoose: (file: File) => void;
}

/** A button that asks for one file. */
export function FilePicker({
  children,
  name,
  accept,
  variant = "outline",
  size = "md",
  disabled,
  describedBy,
  onChoose,
}: FilePickerProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button
        variant={variant}
        size={size}
        disabled={disabled}
        aria-label={name}
        aria-describedby={describedBy}
        onClick={() => input.current?.click()}
      >
        {children}
      </Button>
      <chakra.input
        ref={input}
        type="file"
        hidden
        data-picker={name}
        accept={accept.join(",")}
        onChange={(event) => {
          const file = event.target.files?.[0];
          // The same file may be chosen again.
          event.target.value = "";
          if (file) onChoose(file);
        }}
      />
    </>
  );
}
