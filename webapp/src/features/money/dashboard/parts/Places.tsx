import { Box, chakra, Flex } from "@chakra-ui/react";
import type { ReactNode } from "react";
import { Link } from "react-router";
import type { AjoRow, Group } from "@/api/schema.gen";
import { hasEnded } from "@/lib/groups";
import { paths } from "@/lib/paths";
import { savingsTexts } from "@/lib/texts/savings";
import { myAjosSource } from "@/store/ajoSources";
import { groupsSource } from "@/store/sources";
import { useRead } from "@/store/useRead";
import { cardRecipe } from "@/theme/recipes";
import { LinkButton } from "@/ui/Button";
import { Ring } from "@/ui/bits";
import { Loaded } from "@/ui/Loaded";
import { Naira } from "@/ui/money/Naira";
import { CardsSkeleton } from "@/ui/Skeletons";
import { dashboardTexts as t } from "../texts";

const CardLink = chakra("a", cardRecipe);

interface PlaceProps {
  name: string;
  detail: string;
  to: string;
  ring?: ReactNode;
  said: string;
  amount: number;
}

function Place({ name, detail, to, ring, said, amount }: PlaceProps) {
  return (
    <CardLink
      asChild
      display="flex"
      flexDirection="column"
      justifyContent="space-between"
      gap="3"
      flex={{ base: "0 0 78%", md: "1 1 16rem" }}
      maxWidth={{ md: "22rem" }}
      scrollSnapAlign="start"
      _hover={{ borderColor: "border.brand" }}
    >
      <Link to={to}>
        <Flex justify="space-between" align="flex-start" gap="3">
          <chakra.div minWidth="0">
            <chakra.h3 textStyle="section" overflowWrap="anywhere">
              {name}
            </chakra.h3>
            <chakra.p textStyle="small" color="fg.muted">
              {detail}
            </chakra.p>
          </chakra.div>
          {ring}
        </Flex>
        <chakra.p textStyle="small" color="fg.muted">
          {said}: <Naira amount={amount} />
        </chakra.p>
      </Link>
    </CardLink>
  );
}

function GroupPlace({ group }: { group: Group }) {
  const { paidThisMonth: paid, dueThisMonth: of, memberStatus } = group;
  return (
    <Place
      name={group.name}
      detail={memberStatus === "ACTIVE" ? savingsTexts.members(group.memberCount) : savingsTexts.standing[memberStatus]}
      to={paths.group(group.id)}
      ring={of > 0 && <Ring done={paid} of={of} label={savingsTexts.paid(paid, of)} size={52} />}
      said={t.yours}
      amount={group.userTotalSavings}
    />
  );
}

function AjoPlace({ ajo }: { ajo: AjoRow }) {
  const { paidPlaces: paid = 0, places: of = 0, myTurn } = ajo;
  return (
    <Place
      name={ajo.name}
      detail={myTurn ? t.turn(myTurn) : t.ajoMembers(ajo.members, ajo.memberCapacity)}
      to={paths.ajo(ajo.id)}
      ring={of > 0 && <Ring done={paid} of={of} label={t.paid(paid, of)} size={52} />}
      said={t.toPay}
      amount={ajo.myNextAmount ?? 0}
    />
  );
}

const OVER = ["CANCELLED", "COMPLETED", "TERMINATED"];

/** The groups and ajo of the person signed in: side by side, and on a phone one swipes through them. */
export function Places() {
  const { remote: groups, load } = useRead(groupsSource);
  const { remote: ajos } = useRead(myAjosSource);
  const mine =
    ajos.state === "ready" ? ajos.value.filter(({ isMember, status }) => isMember && !OVER.includes(status)) : [];
  return (
    <chakra.section aria-labelledby="places">
      <Flex justify="space-between" align="center" mb="2">
        <chakra.h2 id="places" textStyle="section">
          {t.places}
        </chakra.h2>
        <LinkButton to={paths.savings} variant="link" aria-label={`${t.all}: ${t.places}`}>
          {t.all}
        </LinkButton>
      </Flex>
      <Loaded
        remote={groups}
        skeleton={
          <Box minHeight="9.5rem">
            <CardsSkeleton cards={1} />
          </Box>
        }
        onRetry={load}
      >
        {(value) => (
          <Flex
            gap="3"
            overflowX="auto"
            data-scrolls
            scrollSnapType="x mandatory"
            tabIndex={0}
            role="group"
            aria-labelledby="places"
            pb="2"
            wrap={{ md: "wrap" }}
          >
            {value
              .filter((group) => !hasEnded(group))
              .map((group) => (
                <GroupPlace key={group.id} group={group} />
              ))}
            {mine.map((ajo) => (
              <AjoPlace key={ajo.id} ajo={ajo} />
            ))}
          </Flex>
        )}
      </Loaded>
    </chakra.section>
  );
}
