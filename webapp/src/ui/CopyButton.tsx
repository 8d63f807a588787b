import { useEffect, useState } from "react";
import { Button, type ButtonSize, type ButtonVariant } from "./Button";
import { VisuallyHidden } from "./bits";
import { CheckIcon, CopyIcon } from "./icons";

interface CopyButtonProps {
  value: string;
  /** The name of the copied text, for the button's name: "Copy account number". */
  what: string;
  label?: string;
  variant?: ButtonVariant;
  size?: ButtonSize;
}

export function CopyButton({ value, what, label = "Copy", variant = "outline", size = "sm" }: CopyButtonProps) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const later = setTimeout(() => setCopied(false), 2500);
    return () => clearTimeout(later);
  }, [copied]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(value);
      setCopied(true);
    } catch {
      // Without leave to use the clipboard the text stays on screen to be copied by hand.
      setCopied(false);
    }
  };
  return (
    <>
      <Button
        variant={variant}
        size={size}
        icon={copied ? <CheckIcon /> : <CopyIcon />}
        aria-label={`${label} ${what}`}
        onClick={copy}
      >
        {copied ? "Copied" : label}
      </Button>
      <VisuallyHidden role="status">{copied ? `${what} copied` : ""}</VisuallyHidden>
    </>
  );
}
