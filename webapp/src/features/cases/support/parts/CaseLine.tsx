import { Box, chakra, Flex } from "@chakra-ui/react";
import { Link } from "react-router";
import type { CaseRow } from "@/api/schema.gen";
import { standing, statusTones } from "@/features/cases/disputes";
import { apart } from "@/lib/clocks";
import { moment } from "@/lib/dates";
import { paths } from "@/lib/paths";
import { present } from "@/lib/present";
import { Badge } from "@/ui/bits";
import { Naira } from "@/ui/money/Naira";
import { caseStatusTexts, deskTexts as t } from "../texts";

type Dated = Pick<CaseRow, "resolvedAt" | "answerBy" | "decideBy" | "status" | "bankAnswer" | "bankAnswerBy">;

const DAY_MS = 86_400_000;

/** Until when the bank of a card waits for an answer that nobody gave; its clock does not stand still. */
function bankWaits({ bankAnswer = "FAILED", bankAnswerBy }: Dated, now: Date) {
  const open = bankAnswer === "FAILED" || bankAnswer === "DROPPED" || bankAnswer === "PROPOSED";
  return open && bankAnswerBy && new Date(bankAnswerBy) > now ? bankAnswerBy : undefined;
}

/** When a case is due, in words; and whether that is over. */
export function dueWords(row: Dated, now = present()) {
  const { resolvedAt, answerBy, decideBy, status } = row;
  const bank = resolvedAt ? undefined : bankWaits(row, now);
  if (bank) {
    return { words: t.bankDue(apart(bank, now)), late: new Date(bank).getTime() - now.getTime() < DAY_MS };
  }
  if (resolvedAt) return { words: t.over(moment(resolvedAt)), late: false };
  if (status === "INFO_REQUESTED" && answerBy) return { words: t.waits(moment(answerBy)), late: false };
  const late = new Date(decideBy) < now;
  const span = apart(decideBy, now);
  return { words: late ? t.late(span) : t.due(span), late };
}

/** Who has a case, in words. */
export const whoHas = ({ isMine, staffName }: Pick<CaseRow, "isMine" | "staffName">) =>
  isMine ? t.mine : staffName ? t.has(staffName) : t.nobody;

/** One case of the desk. */
export function CaseLine({ row }: { row: CaseRow }) {
  const { id, number, title, member, amount, status, late } = row;
  const due = dueWords(row);
  const isLate = due.late || (late && !row.resolvedAt);
  return (
    <chakra.li borderTopWidth="1px" borderColor="border" _first={{ borderTopWidth: "0" }}>
      <chakra.a
        asChild
        display="flex"
        flexWrap="wrap"
        alignItems="center"
        justifyContent="space-between"
        columnGap="4"
        rowGap="2"
        px="2"
        mx="-2"
        py="3.5"
        minHeight="16"
        borderRadius="md"
        _hover={{ bg: "bg.muted" }}
      >
        <Link to={paths.supportCase(id)} data-case={status}>
          <Box flex="1 1 16rem" minWidth="0">
            <chakra.p fontWeight="600">{title}</chakra.p>
            <chakra.p textStyle="small" color="fg.muted">
              {number} · {member} · {whoHas(row)}
            </chakra.p>
            <chakra.p textStyle="small" fontWeight="600" color={isLate ? "fg.danger" : "fg"}>
              {due.words}
            </chakra.p>
          </Box>
          <Flex gap="2" align="center" wrap="wrap">
            <Badge tone={statusTones[status]}>{standing(row, caseStatusTexts)}</Badge>
            {amount !== undefined && (
              <chakra.span fontWeight="600">
                <Naira amount={amount} />
              </chakra.span>
            )}
          </Flex>
        </Link>
      </chakra.a>
    </chakra.li>
  );
}
