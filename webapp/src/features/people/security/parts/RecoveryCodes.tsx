import { chakra, Flex, Stack } from "@chakra-ui/react";
import { useState } from "react";
import { keepFile } from "@/lib/files";
import { Button } from "@/ui/Button";
import { CopyButton } from "@/ui/CopyButton";
import { Switch } from "@/ui/form/fields";
import { securityTexts } from "../texts";

const t = securityTexts.totp;

const focusOnce = (heading: HTMLElement | null) => heading?.focus();

/** Shown once: they go when the person says that they kept them. */
export function RecoveryCodes({ codes, onKept }: { codes: string[]; onKept: () => void }) {
  const [kept, setKept] = useState(false);
  const text = codes.join("\n");
  return (
    <Stack gap="4">
      <div>
        <chakra.h3 textStyle="section" ref={focusOnce} tabIndex={-1} outline="0">
          {t.codesTitle}
        </chakra.h3>
        <chakra.p color="fg.muted">{t.codesLead}</chakra.p>
      </div>
      <chakra.ul
        listStyleType="none"
        display="grid"
        gridTemplateColumns="repeat(auto-fill, minmax(9rem, 1fr))"
        gap="2"
        bg="bg.muted"
        borderRadius="md"
        p="4"
        fontFamily="mono"
        data-codes
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </chakra.ul>
      <Flex gap="3" wrap="wrap">
        <CopyButton value={text} what={t.codes} label={t.copy} size="md" />
        <Button
          variant="outline"
          aria-label={`${t.download} ${t.codes}`}
          onClick={() => keepFile(new Blob([`${text}\n`], { type: "text/plain" }), "adashi-recovery-codes.txt")}
        >
          {t.download}
        </Button>
      </Flex>
      <Switch label={t.kept} checked={kept} onChange={() => setKept(!kept)} />
      <Flex>
        <Button disabled={!kept} onClick={onKept}>
          {t.done}
        </Button>
      </Flex>
    </Stack>
  );
}
