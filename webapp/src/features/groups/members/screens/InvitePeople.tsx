import { Box, chakra, Flex, Grid, Stack } from "@chakra-ui/react";
import { useSearchParams } from "react-router";
import { sendInvitations } from "@/api/groups";
import type { Group } from "@/api/schema.gen";
import { mayApprove, useAct } from "@/features/groups/frame";
import { hasEnded } from "@/lib/groups";
import { paths } from "@/lib/paths";
import { savingsTexts } from "@/lib/texts/savings";
import { groupsSource } from "@/store/sources";
import { useStore } from "@/store/store";
import { useMailing } from "@/store/useMailing";
import { useRead } from "@/store/useRead";
import { LinkButton } from "@/ui/Button";
import { Card, PageHead } from "@/ui/Card";
import { CopyButton } from "@/ui/CopyButton";
import { Empty } from "@/ui/Empty";
import { SelectField } from "@/ui/form/fields";
import { BackLink } from "@/ui/frame";
import { OpenSeat } from "@/ui/illustrations";
import { ByEmail } from "@/ui/inviting/ByEmail";
import { InvitationLink, InvitationQr, WhatsAppButton } from "@/ui/inviting/Ways";
import { Loaded } from "@/ui/Loaded";
import { PageSkeleton } from "@/ui/Skeletons";
import { inviteTexts as t } from "../texts";

type Inviting = Group & { invitationLink: string };

const mayInvite = (group: Group): group is Inviting => group.invitationLink !== undefined && !hasEnded(group);

function WhatsApp({ group }: { group: Inviting }) {
  const message = t.message(group.name, group.invitationLink);
  return (
    <Card title={t.whatsapp}>
      <Stack gap="4">
        <chakra.p textStyle="small" color="fg.muted">
          {t.messageLabel}
        </chakra.p>
        <chakra.p bg="bg.muted" borderRadius="md" px="4" py="3" textStyle="body" overflowWrap="anywhere" data-message>
          {message}
        </chakra.p>
        <Flex gap="3" wrap="wrap">
          <WhatsAppButton message={message} />
          <CopyButton value={message} what="message" size="md" />
        </Flex>
      </Stack>
    </Card>
  );
}

function Mailing({ groupId }: { groupId: string }) {
  const userEmail = useStore((state) => state.session?.email ?? "");
  const { busy, act } = useAct(groupId);
  const mailing = useMailing(
    async (emails) =>
      (await act(`invite:${groupId}:${emails.join()}`, (key) => sendInvitations(key, { groupId, emails, userEmail })))
        ?.value.sent,
  );
  return <ByEmail busy={busy !== undefined} {...mailing} />;
}

function Ways({ group }: { group: Inviting }) {
  return (
    <Grid templateColumns={{ base: "minmax(0, 1fr)", xl: "repeat(2, minmax(0, 1fr))" }} gap="4" alignItems="start">
      <Stack gap="4">
        <InvitationLink name={group.name} link={group.invitationLink} />
        {mayApprove(group) && <Mailing groupId={group.id} />}
      </Stack>
      <Stack gap="4">
        <WhatsApp group={group} />
        <InvitationQr link={group.invitationLink} />
      </Stack>
    </Grid>
  );
}

function Choosing({ groups }: { groups: Group[] }) {
  const [query, setQuery] = useSearchParams();
  const mine = groups.filter(mayInvite);
  const wanted = query.get("group") ?? mine[0]?.id;
  const group = mine.find(({ id }) => id === wanted);
  if (mine.length === 0 || !group) {
    return (
      <Card>
        <Empty picture={<OpenSeat />} title={t.title} action={<LinkButton to={paths.savings}>{t.back}</LinkButton>}>
          {t.none}
        </Empty>
      </Card>
    );
  }
  return (
    <Stack gap="4">
      {mine.length > 1 && (
        <Box maxWidth="form">
          <SelectField
            label={t.choose}
            value={group.id}
            onChange={(event) => setQuery({ group: event.target.value }, { replace: true })}
          >
            {mine.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </SelectField>
        </Box>
      )}
      <Ways key={group.id} group={group} />
    </Stack>
  );
}

/** The ways to bring people into a group. */
export function InvitePeople() {
  const { remote: groups, load } = useRead(groupsSource);
  const [query] = useSearchParams();
  const wanted = query.get("group");
  const found = groups.state === "ready" ? groups.value.find(({ id }) => id === wanted) : undefined;
  return (
    <Box>
      <title>{`${t.title} · Adashi`}</title>
      <BackLink to={wanted ? paths.group(wanted) : paths.savings}>
        {found?.name ?? (wanted ? t.back : savingsTexts.title)}
      </BackLink>
      <PageHead title={t.title} detail={found && !mayApprove(found) ? t.leadOthers : t.lead} />
      <Loaded remote={groups} skeleton={<PageSkeleton />} onRetry={load}>
        {(value) => <Choosing groups={value} />}
      </Loaded>
    </Box>
  );
}
