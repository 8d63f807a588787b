import { chakra, Flex } from "@chakra-ui/react";
import { screenTexts } from "@/lib/texts/common";
import { Button } from "./Button";
import { TangledThread } from "./illustrations";

interface ErrorScreenProps {
  /** The sentence about the error. */
  text: string;
  backTo: string;
  action?: { label: string; run: () => void };
}

export function ErrorScreen({ text, backTo, action }: ErrorScreenProps) {
  return (
    <Flex role="alert" direction="column" align="center" justify="center" textAlign="center" gap="3" py="16" px="4">
      <TangledThread />
      <chakra.h1 textStyle="title">{screenTexts.oops}</chakra.h1>
      <chakra.p color="fg.muted" maxWidth="28rem">
        {text}
      </chakra.p>
      <Flex gap="3" mt="3" wrap="wrap" justify="center">
        {action && <Button onClick={action.run}>{action.label}</Button>}
        <Button variant={action ? "outline" : "primary"} onClick={() => window.location.replace(backTo)}>
          {screenTexts.backToDashboard}
        </Button>
      </Flex>
    </Flex>
  );
}
