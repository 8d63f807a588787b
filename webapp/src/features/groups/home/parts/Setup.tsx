import { Box, chakra, Flex } from "@chakra-ui/react";
import { type ReactNode, useState } from "react";
import type { Group, GroupDetails } from "@/api/schema.gen";
import { isOfficial, isOwner, mayApprove } from "@/features/groups/frame";
import { Appoint, officeTexts } from "@/features/groups/members";
import { paths } from "@/lib/paths";
import { fullName } from "@/lib/person";
import { valueIn } from "@/store/source";
import { profileSource } from "@/store/sources";
import { useStore } from "@/store/store";
import { Button, LinkButton } from "@/ui/Button";
import { Note, VisuallyHidden } from "@/ui/bits";
import { CardBox } from "@/ui/Card";
import { CheckIcon } from "@/ui/icons";
import { pageTexts } from "../texts";

const t = pageTexts.check;

/** The needs of a group, each with the word that its server sentence contains. */
const needs = [
  { name: "bvn", word: /\bBVN\b/ },
  { name: "approver", word: /\bapprover\b/i },
  { name: "validator", word: /\bvalidator\b/i },
] as const;

type NeedName = (typeof needs)[number]["name"];

const needOf = (words: string): NeedName | undefined => needs.find(({ word }) => word.test(words))?.name;

const mayFix = (need: NeedName, group: Group) => (need === "validator" ? mayApprove(group) : isOwner(group));

/** The button that brings it about, for those who may. */
function Fix({ need, group }: { need: NeedName; group: Group }) {
  if (!mayFix(need, group)) return null;
  if (need === "bvn") return <LinkButton to={paths.editProfile("bank")}>{t.verify}</LinkButton>;
  const members = (group.members ?? []).filter(({ status, role }) => status === "ACTIVE" && role === "MEMBER");
  if (members.length === 0) {
    return (
      <LinkButton to={paths.invite(group.id)} variant="outline">
        {t.invite}
      </LinkButton>
    );
  }
  return (
    <Appoint
      group={group}
      office={need}
      label={need === "approver" ? officeTexts.appointApprover : officeTexts.appointValidator}
      variant="primary"
    />
  );
}

function Item({
  done,
  title,
  children,
  action,
}: {
  done: boolean;
  title: string;
  children?: string;
  action?: ReactNode;
}) {
  return (
    <chakra.li display="flex" gap="3" alignItems="center" flexWrap="wrap" py="3">
      <Flex
        boxSize="7"
        flexShrink="0"
        borderRadius="full"
        align="center"
        justify="center"
        bg={done ? "bg.success" : "transparent"}
        color="fg.success"
        borderWidth={done ? "0" : "2px"}
        borderColor="border.control"
      >
        {done && <CheckIcon />}
      </Flex>
      <Box flex="1 1 12rem" minWidth="0">
        <chakra.p textStyle="body" fontWeight="600">
          <VisuallyHidden>{done ? t.done : t.open}: </VisuallyHidden>
          {title}
        </chakra.p>
        {children && (
          <chakra.p textStyle="small" color="fg.muted">
            {children}
          </chakra.p>
        )}
      </Box>
      {action}
    </chakra.li>
  );
}

/** Who holds an office and can't decide on money yet: it keeps the group from paying out, not from becoming active. */
function PayingOut({ details }: { details: GroupDetails }) {
  const own = useStore((state) => state.session?.id);
  const verified = useStore((state) => valueIn(state, profileSource)?.bvnVerified ?? true);
  const { officials, mayDecide } = details;
  if (!mayDecide) return null;
  const notYet = officials.filter(({ userId }) => !mayDecide.includes(userId));
  const mine = notYet.some(({ userId, role }) => userId === own && role !== "OWNER");
  return (
    <Box mt="4" pt="3" borderTopWidth="1px" borderColor="border" data-paying-out>
      <chakra.p textStyle="small" color="fg.muted">
        {t.payOutLead}
      </chakra.p>
      <chakra.ul listStyleType="none">
        <Item
          done={notYet.length === 0}
          title={t.payOut}
          action={mine && !verified && <LinkButton to={paths.editProfile("bank")}>{t.verify}</LinkButton>}
        >
          {notYet.length > 0 ? t.notYet(notYet.map(fullName)) : undefined}
        </Item>
      </chakra.ul>
    </Box>
  );
}

interface Need {
  title: string;
  /** What to do next, where the need is one that this page knows. */
  name?: NeedName;
  done: boolean;
  words?: string;
}

function needsOf(group: Group): Need[] {
  const open = new Map(group.missing.map((words) => [needOf(words), words]));
  const others = group.missing.filter((words) => needOf(words) === undefined);
  return [
    ...needs.map(({ name }) => ({ name, title: t[name], done: !open.has(name), words: open.get(name) })),
    ...others.map((title) => ({ title, done: false })),
  ];
}

/** All steps, with the buttons that fix what is open. */
function Steps({ group, list, details }: { group: Group; list: Need[]; details?: GroupDetails }) {
  return (
    <Box mt="3" pt="3" borderTopWidth="1px" borderColor="border">
      <chakra.p textStyle="body" color="fg.muted">
        {t.lead}
      </chakra.p>
      <chakra.ul listStyleType="none" mt="2" data-checklist>
        {list.map(({ name, title, done, words }) => (
          <Item key={title} done={done} title={title} action={!done && name && <Fix need={name} group={group} />}>
            {words}
          </Item>
        ))}
      </chakra.ul>
      {details && <PayingOut details={details} />}
    </Box>
  );
}

/** How far a group is that is not active yet, and its next step. A plain member reads only that it is not active. */
export function Setup({ group, details }: { group: Group; details?: GroupDetails }) {
  const [open, setOpen] = useState(false);
  if (group.status !== "PENDING_APPROVAL") return null;
  if (!isOfficial(group)) return <Note>{t.notActive}</Note>;
  const list = needsOf(group);
  const left = list.filter(({ done }) => !done);
  const next = left.find(({ name }) => name && mayFix(name, group)) ?? left[0];
  const done = list.length - left.length;
  return (
    <CardBox as="section" aria-label={t.title} minHeight="0" data-setup={done}>
      <Flex gap="3" align="center" wrap="wrap" justify="space-between">
        <chakra.p textStyle="body" fontWeight="600">
          {t.progress(done, list.length)}
          {next && ` · ${next.name ? t.todo[next.name] : next.title}`}
        </chakra.p>
        {!open && next?.name && <Fix need={next.name} group={group} />}
      </Flex>
      <Box mt="2" height="1.5" borderRadius="full" bg="bg.muted" aria-hidden="true">
        <Box height="full" borderRadius="full" bg="green" width={`${(done / list.length) * 100}%`} />
      </Box>
      <Button variant="link" aria-expanded={open} onClick={() => setOpen(!open)}>
        {open ? t.fewer : t.all}
      </Button>
      {open && <Steps group={group} list={list} details={details} />}
    </CardBox>
  );
}
