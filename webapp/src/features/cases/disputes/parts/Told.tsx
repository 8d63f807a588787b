import { chakra, Flex, Stack } from "@chakra-ui/react";
import { type ReactNode, type SubmitEvent, useState } from "react";
import { moment } from "@/lib/dates";
import { freezeSource } from "@/store/disputeSources";
import { useRead } from "@/store/useRead";
import { Button } from "@/ui/Button";
import { Facts, Note } from "@/ui/bits";
import { Switch } from "@/ui/form/fields";
import { Naira } from "@/ui/money/Naira";
import { kindTexts, newTexts as t } from "../texts";
import { Files } from "./Files";
import { HoldIt } from "./HoldIt";
import type { About } from "./useAbout";
import type { Opening } from "./useOpening";
import { Words } from "./Words";

function FreezeNow({ opening: { draft, set } }: { opening: Opening }) {
  const { remote } = useRead(freezeSource);
  if (remote.state === "ready" && remote.value.frozen) return <Note tone="success">{t.frozenAlready}</Note>;
  return (
    <chakra.div bg="bg.warning" borderRadius="md" px="4" py="3">
      <Switch
        label={t.freeze}
        help={t.freezeHelp}
        checked={draft.freeze}
        onChange={(event) => set({ freeze: event.target.checked })}
      />
    </chakra.div>
  );
}

function Summary({ about, opening: { draft } }: { about: About; opening: Opening }) {
  const { kind, amount, claimed } = draft;
  return (
    <chakra.div bg="bg.muted" borderRadius="md" px="4" py="3">
      <Facts
        rows={[
          ...(kind ? [[t.what, kindTexts[kind].title] as [string, string]] : []),
          ...(about.label ? [[t.about, about.label] as [string, string]] : []),
          ...(amount === undefined ? [] : [[t.amount, <Naira key="amount" amount={amount} />] as [string, ReactNode]]),
          ...(claimed ? [[t.claimed, t.claimedOf(moment(claimed.at))] as [string, string]] : []),
        ]}
      />
    </chakra.div>
  );
}

interface ToldProps {
  about: About;
  opening: Opening;
  onBack: () => void;
}

/** What happened in the member's own words, with files; and whether their money is frozen with it. */
export function Told({ about, opening, onBack }: ToldProps) {
  const { draft, set, setFiles, send, sending, fault } = opening;
  const [sendingFile, setSendingFile] = useState(false);
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    void send();
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="5">
        <Summary about={about} opening={opening} />
        {draft.kind === "NOT_ME" && <FreezeNow opening={opening} />}
        {about.holdable !== undefined && <HoldIt holdable={about.holdable} opening={opening} />}
        <Words
          label={t.words}
          help={t.wordsHelp}
          value={draft.words}
          error={fault.words ? t.wordsFault : undefined}
          disabled={sending}
          onChange={(words) => set({ words })}
        />
        <Files files={draft.files} onChange={setFiles} onSending={setSendingFile} />
        {fault.refused && (
          <Note tone="danger" title={fault.refused} live>
            {t.kept}
          </Note>
        )}
        <Flex gap="3" wrap="wrap">
          <Button variant="outline" size="lg" disabled={sending} onClick={onBack}>
            {t.back}
          </Button>
          <chakra.div flex="1">
            <Button type="submit" size="lg" fullWidth loading={sending} disabled={sendingFile}>
              {t.send}
            </Button>
          </chakra.div>
        </Flex>
      </Stack>
    </form>
  );
}
