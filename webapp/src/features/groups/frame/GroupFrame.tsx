import { Box, Flex, Stack } from "@chakra-ui/react";
import type { ReactNode } from "react";
import { useNavigate } from "react-router";
import type { Group } from "@/api/schema.gen";
import { paths } from "@/lib/paths";
import { LinkButton } from "@/ui/Button";
import { Note } from "@/ui/bits";
import { Card, PageHead } from "@/ui/Card";
import { Emblem } from "@/ui/Emblem";
import { Empty } from "@/ui/Empty";
import { BackLink } from "@/ui/frame";
import { OpenSeat } from "@/ui/illustrations";
import { Loaded } from "@/ui/Loaded";
import { PageSkeleton } from "@/ui/Skeletons";
import { AnswerInvitation } from "./InvitedCard";
import { type GroupTab, Tabs } from "./Tabs";
import { frameTexts, invitedTexts, groupTexts as t } from "./texts";
import { useGroup } from "./useGroup";

interface GroupFrameProps {
  id: string;
  /** The tab that this page is; a page without one has a name of its own. */
  tab?: GroupTab;
  /** The page's name, for the window's title and, without a tab, for its heading. */
  page?: string;
  action?: (group: Group) => ReactNode;
  children: (group: Group) => ReactNode;
}

/** The page for people who are not members yet: they wait, or they are invited. */
function AtTheDoor({ group }: { group: Group }) {
  const navigate = useNavigate();
  const invited = group.memberStatus === "INVITED";
  return (
    <Box maxWidth="narrow">
      <title>{`${group.name} · Adashi`}</title>
      <PageHead
        title={group.name}
        picture={<Emblem id={group.id} name={group.name} size="3.5rem" />}
        detail={group.description}
      />
      <Stack gap="5">
        <Note title={invited ? invitedTexts.title : t.waitTitle} live>
          {invited ? invitedTexts.text : t.waitText}
        </Note>
        {invited && (
          <AnswerInvitation
            groupId={group.id}
            name={group.name}
            onDeclined={() => navigate(paths.savings, { replace: true })}
          />
        )}
      </Stack>
    </Box>
  );
}

function Outside() {
  return (
    <Card>
      <Empty
        whole
        picture={<OpenSeat />}
        title={t.outsideTitle}
        action={<LinkButton to={paths.savings}>{t.outsideAction}</LinkButton>}
      >
        {t.outside}
      </Empty>
    </Card>
  );
}

/** Notes that every page of the group shows. */
function Standing({ group }: { group: Group }) {
  const over = group.status === "ACTIVE" || group.status === "PENDING_APPROVAL" ? undefined : group.status;
  const inactive = group.memberStatus === "INACTIVE";
  if (!over && !inactive) return null;
  return (
    <Stack gap="3" mb="5">
      {over && (
        <Note tone={over === "SUSPENDED" ? "danger" : "warning"} title={frameTexts.ended[over].title}>
          {frameTexts.ended[over].text}
        </Note>
      )}
      {inactive && (
        <Note tone="warning" title={frameTexts.inactiveTitle}>
          {frameTexts.inactive}
        </Note>
      )}
    </Stack>
  );
}

function Inside({ id, group, tab, page, action, children }: GroupFrameProps & { group: Group }) {
  const actions = action?.(group);
  return (
    <Box>
      <title>{`${page ? `${page} · ` : ""}${group.name} · Adashi`}</title>
      {!tab && <BackLink to={paths.group(id)}>{group.name}</BackLink>}
      <PageHead title={tab ? group.name : page} action={tab ? undefined : actions} />
      {tab && <Tabs group={group} current={tab} />}
      <Standing group={group} />
      {tab && actions && (
        <Flex gap="3" wrap="wrap" mb="4">
          {actions}
        </Flex>
      )}
      {children(group)}
    </Box>
  );
}

/** The frame of every page of a group: its name, and notes for who may not see more. */
export function GroupFrame(props: GroupFrameProps) {
  const { group, load } = useGroup(props.id);
  if (group.state === "failed" && group.missing) return <Outside />;
  return (
    <Loaded remote={group} skeleton={<PageSkeleton />} onRetry={load}>
      {(value) =>
        value.memberStatus === "PENDING" || value.memberStatus === "INVITED" ? (
          <AtTheDoor group={value} />
        ) : (
          <Inside {...props} group={value} />
        )
      }
    </Loaded>
  );
}
