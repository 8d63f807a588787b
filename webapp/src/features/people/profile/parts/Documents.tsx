import { Box, chakra, Flex, Stack } from "@chakra-ui/react";
import { useId, useState } from "react";
import type { DocumentKind } from "@/api/account";
import { asFailure, failureText } from "@/api/failure";
import { readFile } from "@/api/files";
import type { Account } from "@/api/schema.gen";
import { DOCUMENT_TYPES, fileFault, keepFile, sizeText } from "@/lib/files";
import { errorTexts } from "@/lib/texts/errors";
import { report, succeed } from "@/store/report";
import { useStore } from "@/store/store";
import { useUnsaved } from "@/store/unsaved";
import { Button } from "@/ui/Button";
import { Badge } from "@/ui/bits";
import { FilePicker } from "@/ui/form/FilePicker";
import { Meter } from "@/ui/form/Meter";
import { FileIcon } from "@/ui/icons";
import { editTexts } from "../texts";
import { Salary } from "./Salary";
import { Section } from "./Section";

const t = editTexts.documents;

const addresses: Record<DocumentKind, "utilitybillUrl" | "bankAccountStatementUrl" | "offerLetterUrl"> = {
  utilityBill: "utilitybillUrl",
  bankStatement: "bankAccountStatementUrl",
  offerLetter: "offerLetterUrl",
};
const kinds = Object.keys(addresses) as DocumentKind[];

/** A file chosen, looked at, and sent. */
function useUpload(kind: DocumentKind) {
  const saveDocument = useStore((state) => state.saveDocument);
  const [file, setFile] = useState<File>();
  const [part, setPart] = useState<number>();
  const [fault, setFault] = useState<string>();
  useUnsaved(file !== undefined);
  const choose = (chosen: File) => {
    const wrong = fileFault(chosen, DOCUMENT_TYPES);
    setFault(wrong && t[wrong]);
    setFile(wrong ? undefined : chosen);
  };
  const drop = () => {
    setFile(undefined);
    setFault(undefined);
  };
  const send = async () => {
    if (!file) return;
    setPart(0);
    setFault(undefined);
    try {
      succeed(await saveDocument(kind, file, setPart));
      setFile(undefined);
    } catch (error) {
      const failure = asFailure(error);
      if (failure.certain) setFault(failureText(failure));
      else report(failure, errorTexts.notAnswered.saveDocument);
    }
    setPart(undefined);
  };
  return { file, part, fault, choose, drop, send };
}

function Open({ address, what }: { address: string; what: string }) {
  const [opening, setOpening] = useState(false);
  const open = async () => {
    setOpening(true);
    await readFile(address)
      .then((blob) => keepFile(blob, what.toLowerCase().replaceAll(" ", "-")))
      .catch((error: unknown) => report(error));
    setOpening(false);
  };
  return (
    <Button variant="outline" aria-label={t.open(what)} loading={opening} onClick={open}>
      {t.openLabel}
    </Button>
  );
}

function Chosen({ what, upload }: { what: string; upload: ReturnType<typeof useUpload> }) {
  const { file, part, drop, send } = upload;
  if (!file) return null;
  return (
    <Stack gap="3" mt="3">
      <Flex align="center" gap="3" bg="bg.muted" borderRadius="md" px="3" py="2.5" data-chosen>
        <FileIcon />
        <Box minWidth="0">
          <chakra.p textStyle="body" fontWeight="600" overflowWrap="anywhere">
            {file.name}
          </chakra.p>
          <chakra.p textStyle="small" color="fg.muted">
            {sizeText(file.size)}
          </chakra.p>
        </Box>
      </Flex>
      {part !== undefined && <Meter part={part} label={`${t.uploading} ${what.toLowerCase()}`} />}
      <Flex gap="3" wrap="wrap">
        <Button loading={part !== undefined} aria-label={t.upload(what)} onClick={send}>
          {t.uploadLabel}
        </Button>
        <Button variant="ghost" disabled={part !== undefined} onClick={drop}>
          {t.cancel}
        </Button>
      </Flex>
    </Stack>
  );
}

function DocumentRow({ kind, address }: { kind: DocumentKind; address?: string }) {
  const upload = useUpload(kind);
  const faultId = useId();
  const what = t.kinds[kind];
  return (
    <Box py="4" data-document={kind}>
      <Flex align="center" gap="3" wrap="wrap">
        <Flex flex="1 1 12rem" align="center" gap="2" wrap="wrap">
          <chakra.p textStyle="label">{what}</chakra.p>
          {address ? <Badge tone="success">{t.stored}</Badge> : <Badge>{t.missing}</Badge>}
        </Flex>
        <Flex gap="2" wrap="wrap">
          {address && <Open address={address} what={what} />}
          <FilePicker
            name={address ? t.replace(what) : t.choose(what)}
            accept={DOCUMENT_TYPES}
            disabled={upload.part !== undefined}
            describedBy={upload.fault && faultId}
            onChoose={upload.choose}
          >
            {address ? t.replaceLabel : t.chooseLabel}
          </FilePicker>
        </Flex>
      </Flex>
      {upload.fault && (
        <chakra.p id={faultId} role="alert" textStyle="small" color="fg.danger" fontWeight="500" mt="2">
          {upload.fault}
        </chakra.p>
      )}
      <Chosen what={what} upload={upload} />
    </Box>
  );
}

export function Documents({ account }: { account: Account }) {
  return (
    <Section id="documents" title={t.title}>
      <Salary account={account} />
      <Box borderTopWidth="1px" borderColor="border" pt="4">
        <chakra.p textStyle="body" color="fg.muted">
          {t.limits}
        </chakra.p>
        <Stack gap="0" divideY="1px" divideColor="border">
          {kinds.map((kind) => (
            <DocumentRow key={kind} kind={kind} address={account[addresses[kind]]} />
          ))}
        </Stack>
      </Box>
    </Section>
  );
}
