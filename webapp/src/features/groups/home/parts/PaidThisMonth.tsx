import { Box, chakra, Flex } from "@chakra-ui/react";
import type { Group, Member } from "@/api/schema.gen";
import { groupTexts as t } from "@/features/groups/frame";
import { paths } from "@/lib/paths";
import { fullName } from "@/lib/person";
import { savingsTexts } from "@/lib/texts/savings";
import { usePicture } from "@/store/usePicture";
import { LinkButton } from "@/ui/Button";
import { Ring } from "@/ui/bits";
import { Avatar } from "@/ui/Person";
import { pageTexts } from "../texts";

function One({ member }: { member: Member }) {
  const name = fullName(member);
  const picture = usePicture(member.avatar);
  return (
    <chakra.li
      display="flex"
      flexDirection="column"
      alignItems="center"
      gap="1.5"
      width="4.5rem"
      data-member={member.userId}
      data-paid={member.paidThisMonth}
      aria-label={`${name}, ${member.paidThisMonth ? t.paidTick : t.notPaid}`}
    >
      <Avatar id={member.userId} name={name} size="3rem" ticked={member.paidThisMonth} picture={picture} />
      <chakra.span textStyle="small" color="fg.muted" truncate maxWidth="full" aria-hidden="true">
        {member.firstName}
      </chakra.span>
    </chakra.li>
  );
}

/** Who has paid this month: quiet, a tick for each. */
export function PaidThisMonth({ group }: { group: Group }) {
  const { paidThisMonth: paid, dueThisMonth: of } = group;
  const active = (group.members ?? []).filter((member) => member.status === "ACTIVE");
  return (
    <Box>
      <Flex align="center" gap="4" mb="5">
        {of > 0 && <Ring done={paid} of={of} label={savingsTexts.paid(paid, of)} />}
        <chakra.p textStyle="body" color="fg.muted">
          {of > 0 ? savingsTexts.paid(paid, of) : group.totalHidden ? t.nobodysBusiness : t.nobody}
        </chakra.p>
      </Flex>
      <chakra.ul listStyleType="none" display="flex" flexWrap="wrap" columnGap="2" rowGap="4" mx="-2">
        {active.map((member) => (
          <One key={member.userId} member={member} />
        ))}
      </chakra.ul>
      {group.memberCount > active.length && (
        <LinkButton to={paths.members(group.id)} variant="link">
          {pageTexts.others(group.memberCount - active.length)}
        </LinkButton>
      )}
    </Box>
  );
}
