import { chakra, Stack } from "@chakra-ui/react";
import { helpTexts } from "@/lib/texts/common";
import { AwayButton } from "@/ui/Button";
import { CopyButton } from "@/ui/CopyButton";
import { Modal } from "@/ui/overlays";

export function HelpDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
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
        <p>{helpTexts.lead}</p>
        <chakra.p fontWeight="600" fontSize="lg">
          {helpTexts.mail}
        </chakra.p>
        <chakra.p color="fg.muted">{helpTexts.safety}</chakra.p>
      </Stack>
    </Modal>
  );
}
