import { Box, chakra, Flex } from "@chakra-ui/react";
import { Link } from "react-router";
import type { Look } from "@/lib/emblems";
import { savingsTexts as t } from "@/lib/texts/savings";
import { cardRecipe } from "@/theme/recipes";
import { Badge, Ring } from "@/ui/bits";
import { Emblem } from "@/ui/Emblem";
import { EyeOffIcon } from "@/ui/icons";
import { RollingNaira } from "./Naira";

interface GroupCardProps {
  group: {
    id: string;
    name: string;
    memberCount: number;
    status: keyof typeof t.status;
    memberStatus: "INVITED" | "PENDING" | "ACTIVE" | "INACTIVE";
    activeBalance?: number;
    totalHidden: boolean;
    userTotalSavings: number;
    paidThisMonth: number;
    dueThisMonth: number;
  };
  to: string;
  /** Its name's place among the page's headings. */
  heading?: "h2" | "h3";
  /** The look of its emblem in a list. */
  look?: Look;
}

const CardLink = chakra("a", cardRecipe);

export function Total({ amount, hidden }: { amount?: number; hidden: boolean }) {
  if (!hidden && amount !== undefined) return <RollingNaira amount={amount} />;
  return (
    <chakra.span
      display="inline-flex"
      gap="2"
      alignItems="center"
      fontSize="md"
      fontWeight="500"
      letterSpacing="0"
      color="fg.muted"
    >
      <EyeOffIcon /> {t.hidden}
    </chakra.span>
  );
}

export const groupTones = {
  PENDING_APPROVAL: "neutral",
  ACTIVE: "success",
  SUSPENDED: "danger",
  CLOSING: "warning",
  CLOSED: "neutral",
  REJECTED: "danger",
  CANCELLED: "neutral",
} as const;

function State({ group }: Pick<GroupCardProps, "group">) {
  const { memberStatus, status } = group;
  if (memberStatus !== "ACTIVE") return <Badge tone="warning">{t.standing[memberStatus]}</Badge>;
  return status === "ACTIVE" ? null : <Badge tone={groupTones[status]}>{t.status[status]}</Badge>;
}

/** A group at a glance: its total and who has paid this month. */
export function GroupCard({ group, to, heading = "h3", look }: GroupCardProps) {
  const { paidThisMonth: paid, dueThisMonth: of } = group;
  const outside = group.memberStatus === "PENDING" || group.memberStatus === "INVITED";
  return (
    <CardLink
      asChild
      _hover={{ borderColor: "border.brand" }}
      display="flex"
      flexDirection="column"
      justifyContent="space-between"
      gap="5"
    >
      <Link to={to}>
        <Flex align="flex-start" gap="3">
          <Emblem id={group.id} name={group.name} look={look} />
          <Box flex="1" minWidth="0">
            <chakra.h3 as={heading} textStyle="section" overflowWrap="anywhere">
              {group.name}
            </chakra.h3>
            <chakra.p textStyle="small" color="fg.muted">
              {t.members(group.memberCount)}
            </chakra.p>
          </Box>
          {of > 0 ? <Ring done={paid} of={of} label={t.paid(paid, of)} /> : <State group={group} />}
        </Flex>
        <Box>
          {of > 0 && <State group={group} />}
          <chakra.p textStyle="figure">
            <Total amount={group.activeBalance} hidden={group.totalHidden || outside} />
          </chakra.p>
          <chakra.p textStyle="small" color="fg.muted">
            {t.yours}: <RollingNaira amount={group.userTotalSavings} />
          </chakra.p>
        </Box>
      </Link>
    </CardLink>
  );
}
