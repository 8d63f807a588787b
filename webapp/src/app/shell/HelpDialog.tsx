import { chakra, Stack } from "@chakra-ui/react";
import { paths } from "@/lib/paths";
import { helpTexts, screenTexts } from "@/lib/texts/common";
import { AwayButton, LinkButton } from "@/ui/Button";
import { CopyButton } from "@/ui/CopyButton";
import { Modal } from "@/ui/overlays";
import { shellTexts } from "./texts";

interface HelpProps {
  open: boolean;
  onClose: () => void;
  /** It leads to another screen. */
  onLeave: () => void;
}

/** Money first: a dispute has a number and a date, a letter has neither. */
export function HelpDialog({ open, onClose, onLeave }: HelpProps) {
  return (
    <Modal
      open={open}
      onClose={onClose}
      title={helpTexts.title}
      footer={
        <>
          <AwayButton href={`mailto:${helpTexts.mail}`}>{helpTexts.write}</AwayButton>
          <CopyButton value={helpTexts.mail} what="address" label="Copy address" size="md" />
        </>
      }
    >
      <Stack gap="3" textStyle="body">
        <LinkButton size="lg" fullWidth to={paths.newDispute()} onClick={onLeave}>
          {shellTexts.problem}
        </LinkButton>
        <LinkButton variant="outline" fullWidth to={paths.disputes} onClick={onLeave}>
          {screenTexts.disputes}
        </LinkButton>
        <p>{helpTexts.lead}</p>
        <chakra.p fontWeight="600" fontSize="lg">
          {helpTexts.mail}
        </chakra.p>
        <chakra.p color="fg.muted">{helpTexts.safety}</chakra.p>
      </Stack>
    </Modal>
  );
}
