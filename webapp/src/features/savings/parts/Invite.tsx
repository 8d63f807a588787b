import { chakra, Flex, Stack } from "@chakra-ui/react";
import { useState } from "react";
import { groupTexts as t } from "@/lib/texts/savings";
import { Button } from "@/ui/Button";
import { CopyButton } from "@/ui/CopyButton";
import { ShareIcon } from "@/ui/icons";
import { Modal } from "@/ui/overlays";

const canShare = () => typeof navigator.share === "function";

/** The invitation link, for those who may hand it out. */
export function Invite({ name, link }: { name: string; link: string }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button variant="outline" icon={<ShareIcon />} onClick={() => setOpen(true)}>
        {t.invite}
      </Button>
      <Modal open={open} onClose={() => setOpen(false)} title={t.invite}>
        <Stack gap="4">
          <chakra.p color="fg.muted">{t.inviteLead}</chakra.p>
          <chakra.p
            data-invitation
            bg="bg.muted"
            borderRadius="md"
            px="4"
            py="3"
            textStyle="body"
            overflowWrap="anywhere"
            userSelect="all"
          >
            {link}
          </chakra.p>
          <Flex gap="3" wrap="wrap">
            <CopyButton value={link} what="invitation link" label={t.copyLink} variant="primary" size="md" />
            {canShare() && (
              // A share that is called off is no fault.
              <Button
                variant="outline"
                icon={<ShareIcon />}
                onClick={() => void navigator.share({ title: name, url: link }).catch(() => {})}
              >
                {t.share}
              </Button>
            )}
          </Flex>
        </Stack>
      </Modal>
    </>
  );
}
