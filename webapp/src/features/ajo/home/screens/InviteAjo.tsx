import { Box, Flex, Grid, Stack } from "@chakra-ui/react";
import { useSearchParams } from "react-router";
import { sendAjoInvitations } from "@/api/ajos";
import type { AjoRow } from "@/api/schema.gen";
import { paths } from "@/lib/paths";
import { ajoSource, myAjosSource } from "@/store/ajoSources";
import { useStore } from "@/store/store";
import { useAjoActs } from "@/store/useCommand";
import { useMailing } from "@/store/useMailing";
import { useRead } from "@/store/useRead";
import { LinkButton } from "@/ui/Button";
import { Card, PageHead } from "@/ui/Card";
import { Empty } from "@/ui/Empty";
import { SelectField } from "@/ui/form/fields";
import { OpenSeat } from "@/ui/illustrations";
import { ByEmail } from "@/ui/inviting/ByEmail";
import { InvitationLink, InvitationQr, WhatsAppButton } from "@/ui/inviting/Ways";
import { Loaded } from "@/ui/Loaded";
import { PageSkeleton } from "@/ui/Skeletons";
import { inviteTexts as t } from "../texts";

function Mailing({ ajoId }: { ajoId: string }) {
  const userEmail = useStore((state) => state.session?.email ?? "");
  const { busy, act } = useAjoActs();
  const mailing = useMailing(
    async (emails) =>
      (await act(`inviteAjo:${ajoId}:${emails.join()}`, (key) => sendAjoInvitations(key, { ajoId, emails, userEmail })))
        ?.value.sent,
  );
  return <ByEmail busy={busy !== undefined} {...mailing} />;
}

function Ways({ id }: { id: string }) {
  const { remote, load } = useRead(ajoSource(id));
  return (
    <Loaded remote={remote} skeleton={<PageSkeleton />} onRetry={load}>
      {({ name, invitationLink: link }) =>
        link ? (
          <Stack gap="4">
            <Grid
              templateColumns={{ base: "minmax(0, 1fr)", xl: "repeat(2, minmax(0, 1fr))" }}
              gap="4"
              alignItems="start"
            >
              <Stack gap="4">
                <InvitationLink name={name} link={link}>
                  <WhatsAppButton message={t.message(name, link)} />
                </InvitationLink>
                <Mailing ajoId={id} />
              </Stack>
              <InvitationQr link={link} />
            </Grid>
            <Flex>
              <LinkButton to={paths.ajo(id)} variant="outline">
                {t.toAjo}
              </LinkButton>
            </Flex>
          </Stack>
        ) : (
          <None />
        )
      }
    </Loaded>
  );
}

function None() {
  return (
    <Card>
      <Empty picture={<OpenSeat />} title={t.title} action={<LinkButton to={paths.ajoGroups}>{t.back}</LinkButton>}>
        {t.none}
      </Empty>
    </Card>
  );
}

function Choosing({ ajos }: { ajos: AjoRow[] }) {
  const [query, setQuery] = useSearchParams();
  const open = ajos.filter(({ status }) => status === "OPEN");
  const id = query.get("ajoId") ?? open[0]?.id;
  if (!id) return <None />;
  return (
    <Stack gap="4">
      {open.length > 1 && (
        <Box maxWidth="form">
          <SelectField
            label={t.choose}
            value={id}
            onChange={(event) => setQuery({ ajoId: event.target.value }, { replace: true })}
          >
            {open.map((ajo) => (
              <option key={ajo.id} value={ajo.id}>
                {ajo.name}
              </option>
            ))}
          </SelectField>
        </Box>
      )}
      <Ways key={id} id={id} />
    </Stack>
  );
}

/** The link to one's ajo, as text, picture and letter. */
export function InviteAjo() {
  const { remote, load } = useRead(myAjosSource);
  return (
    <Box>
      <title>{`${t.title} · Adashi`}</title>
      <PageHead title={t.title} detail={t.lead} />
      <Loaded remote={remote} skeleton={<PageSkeleton />} onRetry={load}>
        {(ajos) => <Choosing ajos={ajos} />}
      </Loaded>
    </Box>
  );
}
