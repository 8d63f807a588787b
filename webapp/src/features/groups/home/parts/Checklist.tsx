import { Box, chakra, Flex } from "@chakra-ui/react";
import type { ReactNode } from "react";
import type { Group, GroupDetails } from "@/api/schema.gen";
import { isOwner, mayApprove } from "@/features/groups/frame";
import { Appoint, officeTexts } from "@/features/groups/members";
import { paths } from "@/lib/paths";
import { fullName } from "@/lib/person";
import { valueIn } from "@/store/source";
import { profileSource } from "@/store/sources";
import { useStore } from "@/store/store";
import { LinkButton } from "@/ui/Button";
import { VisuallyHidden } from "@/ui/bits";
import { Card } from "@/ui/Card";
import { CheckIcon } from "@/ui/icons";
import { pageTexts } from "../texts";

const t = pageTexts.check;

/** The needs of a group, each with the word that its server sentence contains. */
const needs = [
  { name: "bvn", word: /\bBVN\b/ },
  { name: "approver", word: /\bapprover\b/i },
  { name: "validator", word: /\bvalidator\b/i },
] as const;

type Need = (typeof needs)[number]["name"];

const needOf = (words: string): Need | undefined => needs.find(({ word }) => word.test(words))?.name;

/** The button that brings it about, for those who may. */
function Fix({ need, group }: { need: Need; group: Group }) {
  if (need === "bvn") {
    return isOwner(group) ? <LinkButton to={paths.editProfile("bank")}>{t.verify}</LinkButton> : null;
  }
  const may = need === "approver" ? isOwner(group) : mayApprove(group);
  if (!may) return null;
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

/** The needs that keep the group from becoming active, each with the button that fixes it. */
export function Checklist({ group, details }: { group: Group; details?: GroupDetails }) {
  if (group.status !== "PENDING_APPROVAL") return null;
  const open = new Map(group.missing.map((words) => [needOf(words), words]));
  const others = group.missing.filter((words) => needOf(words) === undefined);
  return (
    <Card title={t.title}>
      <chakra.p textStyle="body" color="fg.muted">
        {t.lead}
      </chakra.p>
      <chakra.ul listStyleType="none" mt="2" data-checklist>
        {needs.map(({ name }) => (
          <Item
            key={name}
            done={!open.has(name)}
            title={t[name]}
            action={open.has(name) && <Fix need={name} group={group} />}
          >
            {open.get(name)}
          </Item>
        ))}
        {others.map((words) => (
          <Item key={words} done={false} title={words} />
        ))}
      </chakra.ul>
      {details && <PayingOut details={details} />}
    </Card>
  );
}
