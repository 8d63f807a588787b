import { chakra } from "@chakra-ui/react";
import { createContext, useContext, useId } from "react";
import { Button, type ButtonProps } from "@/ui/Button";
import { offlineTexts as t } from "./texts";

/** Whether the server cannot be reached. */
export const Offline = createContext(false);

/** A button that sends money. Offline it is disabled, and a sentence beside it says why. */
export function PayButton({ disabled, ...rest }: ButtonProps) {
  const offline = useContext(Offline);
  const why = useId();
  return (
    <>
      {offline && (
        <chakra.p id={why} textStyle="small" color="fg.warning" mb="2">
          {t.noPay}
        </chakra.p>
      )}
      <Button {...rest} disabled={disabled || offline} aria-describedby={offline ? why : rest["aria-describedby"]} />
    </>
  );
}
