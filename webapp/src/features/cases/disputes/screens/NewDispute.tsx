import { chakra, Flex, Stack } from "@chakra-ui/react";
import { type SubmitEvent, useState } from "react";
import { paths } from "@/lib/paths";
import { Button } from "@/ui/Button";
import { Note } from "@/ui/bits";
import { Card, PageHead } from "@/ui/Card";
import { Choice } from "@/ui/form/Choice";
import { BackLink } from "@/ui/frame";
import { Steps } from "@/ui/Steps";
import { Opened } from "../parts/Opened";
import { Search } from "../parts/Search";
import { Told } from "../parts/Told";
import { type About, searchesFirst, useAbout } from "../parts/useAbout";
import { type Opening, useOpening } from "../parts/useOpening";
import { kindTexts, newTexts as t } from "../texts";

type Place = "what" | "money" | "words" | "sent";

interface WhatProps {
  about: About;
  opening: Opening;
  onNext: (to: Place) => void;
}

/** What is wrong, in plain words. */
function What({ about, opening: { draft, set }, onNext }: WhatProps) {
  const [missing, setMissing] = useState(false);
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    setMissing(!draft.kind);
    if (draft.kind) onNext(searchesFirst(about, draft.kind) ? "money" : "words");
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="5">
        {about.label && (
          <chakra.p textStyle="body" bg="bg.muted" borderRadius="md" px="4" py="3" overflowWrap="anywhere" data-about>
            {t.about}: <strong>{about.label}</strong>
          </chakra.p>
        )}
        <Choice
          legend={t.what}
          name="kind"
          value={draft.kind}
          options={about.kinds.map((value) => ({ value, ...kindTexts[value] }))}
          onChange={(kind) => set({ kind, amount: undefined, day: undefined, claimed: undefined })}
        />
        {missing && !draft.kind && (
          <Note tone="danger" live>
            {t.whatFault}
          </Note>
        )}
        {about.subject === "nothing" && (
          <chakra.p textStyle="small" color="fg.muted">
            {t.hint}
          </chakra.p>
        )}
        <Button type="submit" size="lg" fullWidth>
          {t.next}
        </Button>
      </Stack>
    </form>
  );
}

function Parts({ about, opening, at, onGo }: { about: About; opening: Opening; at: Place; onGo: (to: Place) => void }) {
  const { draft, set, opened } = opening;
  if (opened) return <Opened dispute={opened} frozen={draft.kind === "NOT_ME" && draft.freeze} />;
  if (at === "money") {
    return (
      <Search
        amount={draft.amount ?? about.amount}
        day={draft.day ?? about.day}
        onBack={() => onGo("what")}
        onGo={(wish, claimed) => {
          set({ ...wish, claimed });
          onGo("words");
        }}
      />
    );
  }
  if (at === "what" || !draft.kind) return <What about={about} opening={opening} onNext={onGo} />;
  const before = searchesFirst(about, draft.kind) ? "money" : "what";
  return <Told about={about} opening={opening} onBack={() => onGo(before)} />;
}

/** Something is wrong: what, whether the money is there after all, and what happened. */
export function NewDispute() {
  const about = useAbout();
  const opening = useOpening(about);
  const [at, setAt] = useState<Place>("what");
  const place = opening.opened ? "sent" : at;
  return (
    <chakra.div maxWidth="narrow">
      <title>{`${t.title} · Adashi`}</title>
      <Flex>
        <BackLink to={paths.disputes}>{t.toDisputes}</BackLink>
      </Flex>
      <chakra.div mt="3">
        <PageHead title={t.title} detail={place === "what" ? t.lead : undefined} />
      </chakra.div>
      <Steps at={place}>
        <Card title={place === "money" ? t.money : undefined}>
          <Parts about={about} opening={opening} at={at} onGo={setAt} />
        </Card>
      </Steps>
    </chakra.div>
  );
}
