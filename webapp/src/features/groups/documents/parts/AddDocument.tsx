import { Box, chakra, Flex, Stack } from "@chakra-ui/react";
import { type SubmitEvent, useId, useState } from "react";
import { asFailure, failureText } from "@/api/failure";
import { saveGroupDocument } from "@/api/files";
import type { Group } from "@/api/schema.gen";
import { DOCUMENT_TYPES, fileFault, sizeText } from "@/lib/files";
import { saveGroupDocumentLimits } from "@/lib/limits.gen";
import { errorTexts } from "@/lib/texts/errors";
import { sendCommand } from "@/store/command";
import { report, succeed } from "@/store/report";
import { useStore } from "@/store/store";
import { Button } from "@/ui/Button";
import { FilePicker } from "@/ui/form/FilePicker";
import { SelectField, TextField } from "@/ui/form/fields";
import { Meter } from "@/ui/form/Meter";
import { FileIcon } from "@/ui/icons";
import { documentTexts as t } from "../texts";

const { max: NAME_MAX } = saveGroupDocumentLimits.name;

const bareName = (file: File) => file.name.replace(/\.[^.]+$/, "").slice(0, NAME_MAX);

interface AddDocumentProps {
  groups: Group[];
  /** Which of them is meant, where the page says so already. */
  groupId?: string;
  onDone: () => void;
}

/** The form's values, and their upload. */
function useUpload({ groups, groupId, onDone }: AddDocumentProps) {
  const userId = useStore((state) => state.session?.id ?? "");
  const [file, setFile] = useState<File>();
  const [name, setName] = useState("");
  const [into, setInto] = useState(groups[0]?.id ?? "");
  const [part, setPart] = useState<number>();
  const [fault, setFault] = useState<{ file?: string; name?: string }>({});
  const group = groupId ?? into;
  const drop = () => {
    setFile(undefined);
    setName("");
    setFault({});
  };
  const choose = (chosen: File) => {
    const wrong = fileFault(chosen, DOCUMENT_TYPES);
    setFault(wrong ? { file: t.faults[wrong] } : {});
    setFile(wrong ? undefined : chosen);
    setName(wrong ? "" : bareName(chosen));
  };
  const send = async () => {
    const called = name.trim();
    if (!file) return;
    if (called.length < 3) {
      setFault({ name: t.nameFault });
      return;
    }
    setFault({});
    setPart(0);
    try {
      const of = `document:${group}:${called}:${file.name}:${file.size}:${file.lastModified}`;
      const { message } = await sendCommand({ name: of }, (key) =>
        saveGroupDocument(key, { groupId: group, userId, name: called, file, onProgress: setPart }),
      );
      succeed(message);
      drop();
      onDone();
    } catch (error) {
      const failure = asFailure(error);
      if (failure.certain && !failure.expired) setFault({ file: failureText(failure) });
      else report(failure, errorTexts.notAnswered.saveDocument);
    }
    setPart(undefined);
  };
  return { file, name, setName, group, setInto, part, fault, choose, drop, send };
}

export function AddDocument(props: AddDocumentProps) {
  const upload = useUpload(props);
  const faultId = useId();
  const { file, part, fault } = upload;
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    void upload.send();
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="4">
        <chakra.p textStyle="body" color="fg.muted">
          {t.addLead}
        </chakra.p>
        {!props.groupId && (
          <SelectField
            label={t.group}
            value={upload.group}
            disabled={part !== undefined}
            onChange={(event) => upload.setInto(event.target.value)}
          >
            {props.groups.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </SelectField>
        )}
        {file ? (
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
        ) : (
          <Flex>
            <FilePicker
              name={t.choose}
              accept={DOCUMENT_TYPES}
              describedBy={fault.file && faultId}
              onChoose={upload.choose}
            >
              {t.choose}
            </FilePicker>
          </Flex>
        )}
        {fault.file && (
          <chakra.p id={faultId} role="alert" textStyle="small" color="fg.danger" fontWeight="500">
            {fault.file}
          </chakra.p>
        )}
        {file && (
          <>
            <TextField
              label={t.name}
              maxLength={NAME_MAX}
              value={upload.name}
              error={fault.name}
              disabled={part !== undefined}
              onChange={(event) => upload.setName(event.target.value)}
            />
            {part !== undefined && <Meter part={part} label={t.uploading} />}
            <Flex gap="3" wrap="wrap">
              <Button type="submit" loading={part !== undefined}>
                {t.upload}
              </Button>
              <Button variant="ghost" disabled={part !== undefined} onClick={upload.drop}>
                {t.drop}
              </Button>
            </Flex>
          </>
        )}
      </Stack>
    </form>
  );
}
