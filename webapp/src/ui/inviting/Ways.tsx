import { chakra, Flex, Stack } from "@chakra-ui/react";
import type { ReactNode } from "react";
import { AwayButton, Button } from "@/ui/Button";
import { Card } from "@/ui/Card";
import { CopyButton } from "@/ui/CopyButton";
import { ShareIcon } from "@/ui/icons";
import { Qr } from "@/ui/Qr";
import { invitingTexts as t } from "./texts";

const canShare = () => typeof navigator.share === "function";

export function WhatsAppButton({ message }: { message: string }) {
  return (
    <AwayButton
      href={`https://wa.me/?text=${encodeURIComponent(message)}`}
      target="_blank"
      rel="noopener noreferrer"
      variant="success"
    >
      {t.whatsapp}
    </AwayButton>
  );
}

interface InvitationLinkProps {
  name: string;
  link: string;
  /** More ways, beside those to copy and share it. */
  children?: ReactNode;
}

export function InvitationLink({ name, link, children }: InvitationLinkProps) {
  return (
    <Card title={t.link}>
      <Stack gap="4">
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
          <CopyButton value={link} what="invitation link" label={t.copy} variant="primary" size="md" />
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
          {children}
        </Flex>
      </Stack>
    </Card>
  );
}

export function InvitationQr({ link }: { link: string }) {
  return (
    <Card title={t.qr}>
      <Stack gap="3" align="center">
        <Qr text={link} label={t.qrLabel} />
        <chakra.p textStyle="small" color="fg.muted">
          {t.qrText}
        </chakra.p>
      </Stack>
    </Card>
  );
}
