import { Box, chakra, Flex, Stack } from "@chakra-ui/react";
import { useId, useState } from "react";
import { failureText } from "@/api/failure";
import { uploadFile } from "@/api/files";
import { DOCUMENT_TYPES, fileFault, sizeText } from "@/lib/files";
import { errorTexts } from "@/lib/texts/errors";
import { Button } from "@/ui/Button";
import { FilePicker } from "@/ui/form/FilePicker";
import { Meter } from "@/ui/form/Meter";
import { FileIcon } from "@/ui/icons";
import { fileTexts as t } from "../texts";

const FILES_MAX = 5;

/** A file that was sent, as the dispute names it. */
export interface Sent {
  id: string;
  name: string;
  /** Not known of one that was kept before. */
  bytes?: number;
}

interface SendFileProps {
  onSent: (sent: Sent) => unknown;
  /** Told when a file begins to be sent, and when it was or could not be. */
  onSending?: (sending: boolean) => void;
  disabled?: boolean;
}

/** Sends a file as soon as it is chosen. */
function useSending({ onSent, onSending }: SendFileProps) {
  const [sending, setSending] = useState<{ name: string; part: number }>();
  const [fault, setFault] = useState<string>();
  const choose = async (file: File) => {
    const wrong = fileFault(file, DOCUMENT_TYPES);
    setFault(wrong && t.faults[wrong]);
    if (wrong) return;
    setSending({ name: file.name, part: 0 });
    onSending?.(true);
    try {
      const { value } = await uploadFile(file, "document", (part) => setSending({ name: file.name, part }));
      await onSent({ id: value.id, name: file.name, bytes: value.bytes });
    } catch (error) {
      setFault(failureText(error, errorTexts.notAnswered.saveDocument));
    }
    setSending(undefined);
    onSending?.(false);
  };
  return { sending, fault, choose };
}

/** The button that asks for a file, how far it is sent, and what is wrong with it. */
export function SendFile(props: SendFileProps) {
  const { sending, fault, choose } = useSending(props);
  const faultId = useId();
  return (
    <Stack gap="2">
      {sending && (
        <Box>
          <chakra.p textStyle="small" color="fg.muted" overflowWrap="anywhere" mb="1">
            {t.adding(sending.name)}
          </chakra.p>
          <Meter part={sending.part} label={t.adding(sending.name)} />
        </Box>
      )}
      <Flex>
        <FilePicker
          name={t.add}
          accept={DOCUMENT_TYPES}
          disabled={props.disabled || sending !== undefined}
          describedBy={fault && faultId}
          onChoose={choose}
        >
          {t.add}
        </FilePicker>
      </Flex>
      {fault && (
        <chakra.p id={faultId} role="alert" textStyle="small" color="fg.danger" fontWeight="500">
          {fault}
        </chakra.p>
      )}
    </Stack>
  );
}

/** What becomes of the files there are by then: one may be removed while another is still being sent. */
export type FilesChange = (files: Sent[]) => Sent[];

interface FilesProps extends Pick<SendFileProps, "onSending"> {
  files: Sent[];
  onChange: (change: FilesChange) => void;
}

/** Up to five files that go with a dispute. */
export function Files({ files, onChange, onSending }: FilesProps) {
  return (
    <Stack gap="3" role="group" aria-label={t.title}>
      <Box>
        <chakra.p textStyle="label">{t.title}</chakra.p>
        <chakra.p textStyle="small" color="fg.muted">
          {t.lead}
        </chakra.p>
      </Box>
      {files.map((file) => (
        <Flex key={file.id} align="center" gap="3" bg="bg.muted" borderRadius="md" px="3" py="1" data-file={file.name}>
          <FileIcon />
          <Box minWidth="0" flex="1">
            <chakra.p textStyle="body" fontWeight="600" overflowWrap="anywhere">
              {file.name}
            </chakra.p>
            {file.bytes !== undefined && (
              <chakra.p textStyle="small" color="fg.muted">
                {sizeText(file.bytes)}
              </chakra.p>
            )}
          </Box>
          <Button
            variant="ghost"
            aria-label={t.removeIt(file.name)}
            onClick={() => onChange((now) => now.filter(({ id }) => id !== file.id))}
          >
            {t.remove}
          </Button>
        </Flex>
      ))}
      {files.length < FILES_MAX && (
        <SendFile onSent={(sent) => onChange((now) => [...now, sent])} onSending={onSending} />
      )}
    </Stack>
  );
}
