import { chakra, Flex } from "@chakra-ui/react";
import { type ReactNode, useState } from "react";
import { Button } from "./Button";

interface EmptyProps {
  picture?: ReactNode;
  title: ReactNode;
  children?: ReactNode;
  action?: ReactNode;
  /** The screen has nothing else to say: the title is its heading. */
  whole?: boolean;
}

/** Says what to do first, and offers it. */
export function Empty({ picture, title, children, action, whole = false }: EmptyProps) {
  return (
    <Flex direction="column" align="center" textAlign="center" gap="2" py="6" px="2">
      {picture}
      <chakra.p as={whole ? "h1" : "p"} textStyle="section">
        {title}
      </chakra.p>
      {children && (
        <chakra.div color="fg.muted" maxWidth="26rem" textStyle="body">
          {children}
        </chakra.div>
      )}
      {action && <Flex mt="3">{action}</Flex>}
    </Flex>
  );
}

/** A part of a screen that could not be read. */
export function FailedNote({ text, onRetry }: { text: string; onRetry: () => unknown }) {
  const [busy, setBusy] = useState(false);
  const again = async () => {
    setBusy(true);
    await onRetry();
    setBusy(false);
  };
  return (
    <Flex role="status" direction="column" align="flex-start" gap="3" py="2">
      <chakra.p textStyle="body" color="fg.muted">
        {text}
      </chakra.p>
      <Button variant="outline" size="sm" loading={busy} onClick={again}>
        Try again
      </Button>
    </Flex>
  );
}
