import { Box, chakra, Flex, Stack } from "@chakra-ui/react";
import { Link } from "react-router";
import type { AjoRow } from "@/api/schema.gen";
import { shortDay } from "@/lib/dates";
import type { Look } from "@/lib/emblems";
import { formatNaira } from "@/lib/money";
import { paths } from "@/lib/paths";
import { ajoWords } from "@/lib/texts/ajo";
import { cardRecipe } from "@/theme/recipes";
import { Badge } from "@/ui/bits";
import { Emblem } from "@/ui/Emblem";
import { Naira } from "@/ui/money/Naira";
import { listTexts as t } from "../texts";
import { tones } from "./tones";

const CardLink = chakra("a", cardRecipe);

/** What a member has to know of it first. */
function Mine({ ajo }: { ajo: AjoRow }) {
  const lines = [
    ajo.owed ? t.owed(formatNaira(ajo.owed)) : undefined,
    ajo.myNextAmount && ajo.due ? t.next(formatNaira(ajo.myNextAmount), shortDay(ajo.due)) : undefined,
    ajo.myTurn ? t.turn(ajo.myTurn) : undefined,
  ].filter((line) => line !== undefined);
  return (
    <Stack gap="1" textStyle="small">
      {lines.map((line) => (
        <chakra.p key={line} color={line === lines[0] && ajo.owed ? "fg.danger" : "fg.muted"} fontWeight="500">
          {line}
        </chakra.p>
      ))}
    </Stack>
  );
}

/** An ajo at a glance. Members come to it, others to its terms. */
export function AjoTile({ ajo, look }: { ajo: AjoRow; look?: Look }) {
  const { name, amount, frequency, status, isMember, members, memberCapacity, duration, freeHalves } = ajo;
  return (
    <CardLink
      asChild
      display="flex"
      flexDirection="column"
      justifyContent="space-between"
      gap="4"
      _hover={{ borderColor: "border.brand" }}
    >
      <Link to={isMember ? paths.ajo(ajo.id) : paths.joinAjo(ajo.id)} data-ajo={ajo.id}>
        <Box>
          <Flex align="flex-start" gap="3">
            <Emblem id={ajo.id} name={name} look={look} />
            <chakra.h2 textStyle="section" overflowWrap="anywhere" flex="1" minWidth="0">
              {name}
            </chakra.h2>
            <Badge tone={tones[status]}>{ajoWords.status[status]}</Badge>
          </Flex>
          <chakra.p textStyle="small" color="fg.muted" mt="1" overflowWrap="anywhere">
            {ajo.description}
          </chakra.p>
        </Box>
        <Box>
          <chakra.p textStyle="figure">
            <Naira amount={amount} />{" "}
            <chakra.span textStyle="small" color="fg.muted" fontWeight="400" letterSpacing="normal">
              {ajoWords.every[frequency]}
            </chakra.span>
          </chakra.p>
          <chakra.p textStyle="small" color="fg.muted">
            {t.pot} {formatNaira(amount * duration)} · {ajoWords.seats(members, memberCapacity)} ·{" "}
            {status === "OPEN" ? t.free(freeHalves) : ajoWords.order[ajo.order]} ·{" "}
            {ajoWords.starts(ajo.startMonth, ajo.year)}
          </chakra.p>
          {isMember && <Mine ajo={ajo} />}
        </Box>
      </Link>
    </CardLink>
  );
}
