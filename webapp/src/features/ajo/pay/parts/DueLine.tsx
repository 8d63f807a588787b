import { Box, chakra, Flex } from "@chakra-ui/react";
import type { AjoDueLine } from "@/api/schema.gen";
import { shortDay } from "@/lib/dates";
import { formatNaira } from "@/lib/money";
import { paths } from "@/lib/paths";
import { ajoWords } from "@/lib/texts/ajo";
import { LinkButton, TextLink } from "@/ui/Button";
import { Badge } from "@/ui/bits";
import { Naira } from "@/ui/money/Naira";
import { payTexts, myTexts as t } from "../texts";
import { PayNow } from "./PayNow";

const tones = { UPCOMING: "neutral", DUE: "brand", GRACE: "danger", PAID: "success" } as const;

/** A due or a deposit: what for, until when, and the ways to pay it. */
export function DueLine({ due, deposit = false }: { due: AjoDueLine; deposit?: boolean }) {
  const { ajoId, ajoName, cycle, seat, amount, status } = due;
  const place = deposit ? t.depositOf : t.place(cycle, seat);
  const what = `${ajoName}, ${place}`;
  const pay = deposit ? ({ what: "DEPOSIT", amount, seat } as const) : ({ what: "DUE", amount, cycle, seat } as const);
  return (
    <Flex align="center" gap="3" py="3" wrap="wrap">
      <Box flex="1 1 13rem" minWidth="0" overflowWrap="anywhere">
        <Flex gap="2" align="center" wrap="wrap">
          <TextLink to={paths.ajo(ajoId)}>{ajoName}</TextLink>
          <Badge tone={tones[status]}>{ajoWords.due[status]}</Badge>
        </Flex>
        <chakra.p textStyle="small" color="fg.muted">
          {place}
          {!deposit && due.collects && ` · ${t.collects(due.collects)}`} · {t.by(shortDay(due.due))}
          {due.deadline !== due.due && `, ${t.latest(shortDay(due.deadline))}`}
        </chakra.p>
      </Box>
      <chakra.p fontWeight="600" fontSize="lg">
        <Naira amount={amount} />
      </chakra.p>
      {status !== "PAID" && (
        <Flex gap="2" wrap="wrap">
          <PayNow ajoId={ajoId} pay={pay} what={what} />
          <LinkButton
            to={paths.ajoPayment({ ajoId, ...(deposit ? {} : { cycle }), seat })}
            variant="outline"
            aria-label={payTexts.otherFor(`${what}, ${formatNaira(amount)}`)}
          >
            {payTexts.other}
          </LinkButton>
        </Flex>
      )}
    </Flex>
  );
}
