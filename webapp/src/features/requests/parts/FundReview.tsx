import { Box, chakra, Flex, Stack } from "@chakra-ui/react";
import type { LiquidationQuote } from "@/api/types";
import { paths } from "@/app/paths";
import { formatNaira } from "@/lib/money";
import { Button, LinkButton } from "@/ui/Button";
import { Facts, Note } from "@/ui/bits";
import { Naira } from "@/ui/money/Naira";
import { OutcomeNote } from "@/ui/money/OutcomeNote";
import { liquidationTexts, fundTexts as t } from "../texts";
import type { Funding, Refusal } from "./useFunding";

type Figures = Pick<LiquidationQuote, "amount" | "fee" | "vat" | "stampDuty" | "net">;

/** What leaves, every charge, and what arrives. */
export function Charges({ figures: { amount, fee, vat, stampDuty, net } }: { figures: Figures }) {
  return (
    <chakra.div bg="bg.muted" borderRadius="md" px="4" py="4">
      <Facts
        rows={[
          [t.leaves, <Naira key="amount" amount={amount} />],
          [t.fee, <Naira key="fee" amount={fee} />],
          [t.vat, <Naira key="vat" amount={vat} />],
          [t.duty, <Naira key="duty" amount={stampDuty} />],
          [
            t.arrives,
            <chakra.span key="net" fontSize="xl" data-arrives>
              <Naira amount={net} />
            </chakra.span>,
          ],
        ]}
      />
    </chakra.div>
  );
}

/** The server's sentence mostly says it itself. */
const SAID = /nothing was|nothing is/i;

/** Why it is not possible, in the server's words, with the way to what would help. */
export function Refused({ refusal, own }: { refusal: Refusal; own: boolean }) {
  return (
    <Note tone="danger" live>
      <p>{refusal.text}</p>
      {!SAID.test(refusal.text) && <p>{t.untouched}</p>}
      {own && refusal.status !== 422 && refusal.status !== 429 && (
        <Flex mt="3">
          <LinkButton to={paths.editProfile("bank")} size="sm" variant="outline">
            {t.toBank}
          </LinkButton>
        </Flex>
      )}
    </Note>
  );
}

function Whose({ quote, own }: { quote: LiquidationQuote; own: boolean }) {
  return (
    <Box borderWidth="1px" borderColor="border" borderRadius="md" px="4" py="3">
      <chakra.p textStyle="small" color="fg.muted">
        {t.name}
      </chakra.p>
      <chakra.p textStyle="section" data-account-name overflowWrap="anywhere">
        {quote.accountName}
      </chakra.p>
      <chakra.p textStyle="body">{liquidationTexts.account(quote.bankName, quote.accountNumber)}</chakra.p>
      <chakra.p textStyle="small" color="fg.muted" mt="1">
        {own ? t.nameOwn : t.nameOther}
      </chakra.p>
    </Box>
  );
}

/** The charges and the account's owner, before anything is agreed to. */
export function FundReview({ quote, funding }: { quote: LiquidationQuote; funding: Funding }) {
  const { state, before, refusal, wish, confirm, again, change } = funding;
  const own = wish?.kind === "MEMBER_WITHDRAWAL";
  const sending = state === "sending";
  return (
    <Stack gap="5">
      <chakra.h3 textStyle="section">{t.reviewTitle}</chakra.h3>
      {before !== undefined && (
        <Note tone="warning" title={t.changedTitle} live>
          {t.changed(formatNaira(before), formatNaira(quote.net))}
        </Note>
      )}
      <Charges figures={quote} />
      <Whose quote={quote} own={own} />
      <chakra.p textStyle="body" color="fg.muted">
        {t.held}
      </chakra.p>
      {refusal?.certain ? (
        <Refused refusal={refusal} own={own} />
      ) : (
        <OutcomeNote fault={refusal} checking={sending} onAgain={again} />
      )}
      {state !== "unknown" && (
        <Stack gap="3">
          <chakra.p textStyle="small" color="fg.muted">
            {t.stepUp}
          </chakra.p>
          <Button size="lg" fullWidth loading={sending} onClick={confirm}>
            {t.confirm(formatNaira(quote.net))}
          </Button>
          <Button variant="ghost" fullWidth disabled={sending} onClick={change}>
            {t.change}
          </Button>
        </Stack>
      )}
    </Stack>
  );
}
