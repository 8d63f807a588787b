import { Box, chakra, Flex } from "@chakra-ui/react";
import type { Member } from "@/api/schema.gen";
import { groupTexts, MemberAvatar } from "@/features/groups/frame";
import { shortDay } from "@/lib/dates";
import { fullName } from "@/lib/person";
import { Badge, VisuallyHidden } from "@/ui/bits";
import { Naira } from "@/ui/money/Naira";
import { memberTexts as t } from "../texts";

const tones = { INVITED: "brand", PENDING: "warning", ACTIVE: "success", INACTIVE: "neutral" } as const;

export function StatusBadge({ status }: Pick<Member, "status">) {
  return <Badge tone={tones[status]}>{t.statuses[status]}</Badge>;
}

interface MemberRowProps {
  member: Member;
  /** Null where there is nothing to do to this one; absent where this viewer does nothing to many at once. */
  selected?: boolean | null;
  onSelect: (chosen: boolean) => void;
  onOpen: () => void;
}

/** One member in the list; opens who they are. */
export function MemberRow({ member, selected, onSelect, onOpen }: MemberRowProps) {
  const name = fullName(member);
  const detail = (
    <>
      {groupTexts.roles[member.role]}
      {member.dateJoined && (
        <chakra.span display={{ base: "none", md: "inline" }}>
          {" · "}
          {groupTexts.joined(shortDay(member.dateJoined))}
        </chakra.span>
      )}
    </>
  );
  return (
    <Flex align="center" gap="1" data-row={member.userId}>
      {selected === null && <Box width="11" ms="-2" flexShrink="0" />}
      {typeof selected === "boolean" && (
        <chakra.label boxSize="11" display="flex" alignItems="center" justifyContent="center" cursor="pointer" ms="-2">
          <chakra.input
            type="checkbox"
            boxSize="5"
            accentColor="brand"
            aria-label={t.select(name)}
            checked={selected}
            onChange={(event) => onSelect(event.target.checked)}
          />
        </chakra.label>
      )}
      <chakra.button
        type="button"
        onClick={onOpen}
        flex="1"
        minWidth="0"
        minHeight="16"
        display="flex"
        justifyContent="space-between"
        alignItems="center"
        gap="3"
        textAlign="start"
        px="2"
        py="2"
        borderRadius="md"
        cursor="pointer"
        _hover={{ bg: "bg.muted" }}
      >
        <VisuallyHidden>{t.view}</VisuallyHidden>
        <MemberAvatar member={member} detail={detail} ticked={member.paidThisMonth} />
        <Box textAlign="end" flexShrink="0">
          {member.totalSavings !== undefined && (
            <chakra.p fontWeight="600">
              <Naira amount={member.totalSavings} />
            </chakra.p>
          )}
          {member.status === "ACTIVE" ? (
            <Badge tone={member.paidThisMonth ? "success" : "neutral"}>
              {member.paidThisMonth ? groupTexts.paidTick : groupTexts.notPaid}
            </Badge>
          ) : (
            <StatusBadge status={member.status} />
          )}
        </Box>
      </chakra.button>
    </Flex>
  );
}
