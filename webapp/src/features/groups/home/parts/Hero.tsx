import { Box, chakra, Flex } from "@chakra-ui/react";
import { Link } from "react-router";
import type { Group, Member } from "@/api/schema.gen";
import { isOfficial, groupTexts as t } from "@/features/groups/frame";
import { lagosDay } from "@/lib/dates";
import { formatNaira } from "@/lib/money";
import { monthName } from "@/lib/months";
import { paths } from "@/lib/paths";
import { fullName } from "@/lib/person";
import { savingsTexts } from "@/lib/texts/savings";
import { usePicture } from "@/store/usePicture";
import { LinkButton } from "@/ui/Button";
import { Badge } from "@/ui/bits";
import { CardBox } from "@/ui/Card";
import { Emblem } from "@/ui/Emblem";
import { groupTones, Total } from "@/ui/money/GroupCard";
import { RollingNaira } from "@/ui/money/Naira";
import { Avatar } from "@/ui/Person";
import { pageTexts } from "../texts";

/** So many faces fit beside each other on a phone. */
const FACES = 6;

function Face({ member }: { member: Member }) {
  const name = fullName(member);
  const picture = usePicture(member.avatar);
  return (
    <li
      data-member={member.userId}
      data-paid={member.paidThisMonth}
      aria-label={`${name}, ${member.paidThisMonth ? t.paidTick : t.notPaid}`}
    >
      <Avatar id={member.userId} name={name} ticked={member.paidThisMonth} picture={picture} />
    </li>
  );
}

/** Who has paid this month: the first faces, each with a tick; the others are counted. */
function Paid({ group }: { group: Group }) {
  const { paidThisMonth: paid, dueThisMonth: of } = group;
  const faces = (group.members ?? []).filter(({ status }) => status === "ACTIVE").slice(0, FACES);
  const others = group.memberCount - faces.length;
  const month = monthName(Number(lagosDay().slice(5, 7)));
  return (
    <Box mt="3" pt="3" borderTopWidth="1px" borderColor="border">
      <chakra.p textStyle="body" fontWeight="600" mb="2">
        {of > 0 ? pageTexts.paidIn(paid, of, month) : group.totalHidden ? t.nobodysBusiness : t.nobody}
      </chakra.p>
      <Flex as="ul" listStyleType="none" gap="2" align="center">
        {faces.map((member) => (
          <Face key={member.userId} member={member} />
        ))}
        {others > 0 && (
          <li>
            <LinkButton to={paths.members(group.id)} variant="link" aria-label={pageTexts.others(others)}>
              {`+${others.toLocaleString("en-NG")}`}
            </LinkButton>
          </li>
        )}
      </Flex>
    </Box>
  );
}

/** Officials see how many members are late, and get to them. */
function Overdue({ group }: { group: Group }) {
  if (!isOfficial(group) || !group.unsettled) return null;
  return (
    <chakra.a asChild display="inline-flex" alignItems="center" minHeight="target" mb="-2">
      <Link to={paths.unsettled(group.id)}>
        <Badge tone="danger">{pageTexts.overdue(group.unsettled)}</Badge>
      </Link>
    </chakra.a>
  );
}

/** Money that the group has and can't spend, since it is set aside. */
function SetAside({ group: { activeBalance, bookBalance } }: { group: Group }) {
  if (activeBalance === undefined || bookBalance === undefined || bookBalance === activeBalance) return null;
  return (
    <chakra.p textStyle="body" color="fg.muted" data-set-aside>
      {pageTexts.setAside(formatNaira(Math.round((bookBalance - activeBalance) * 100) / 100))}
    </chakra.p>
  );
}

/** What the group has saved, the reader's own part of it, and who has paid this month. */
export function Hero({ group }: { group: Group }) {
  return (
    <CardBox data-hero>
      <Flex gap="3" align="center" mb="3">
        <Emblem id={group.id} name={group.name} size="3rem" />
        <Box minWidth="0">
          <chakra.p textStyle="section" hideFrom="lg" lineClamp="2" aria-hidden="true">
            {group.name}
          </chakra.p>
          <chakra.p textStyle="small" color="fg.muted" lineClamp="2" overflowWrap="anywhere">
            {group.description}
          </chakra.p>
        </Box>
        {group.status !== "ACTIVE" && (
          <Box ms="auto" flexShrink="0">
            <Badge tone={groupTones[group.status]}>{savingsTexts.status[group.status]}</Badge>
          </Box>
        )}
      </Flex>
      <chakra.h2 textStyle="small" fontWeight="400" color="fg.muted">
        {t.total}
      </chakra.h2>
      <chakra.p textStyle="hero" data-group-total>
        <Total amount={group.activeBalance} hidden={group.totalHidden} />
      </chakra.p>
      <SetAside group={group} />
      <Flex gap="3" wrap="wrap" align="center" textStyle="body" color="fg.muted">
        <span>
          {savingsTexts.yours}:{" "}
          <chakra.span fontWeight="600" color="fg">
            <RollingNaira amount={group.userTotalSavings} />
          </chakra.span>
        </span>
        {group.growthPercent !== undefined && (
          <Badge tone={group.growthPercent >= 0 ? "success" : "neutral"}>
            {savingsTexts.growth(group.growthPercent)}
          </Badge>
        )}
      </Flex>
      {group.memberStatus === "ACTIVE" && <Paid group={group} />}
      <Overdue group={group} />
    </CardBox>
  );
}
