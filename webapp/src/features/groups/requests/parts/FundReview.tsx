import { chakra, Stack } from "@chakra-ui/react";
import type { LiquidationQuote } from "@/api/schema.gen";
import { paths } from "@/lib/paths";
import { PayoutReview } from "@/ui/money/PayoutReview";
import { liquidationTexts, fundTexts as t } from "../texts";
import type { Funding } from "./useFunding";

/** A request for money, before it is agreed to. */
export function FundReview({ quote, funding }: { quote: LiquidationQuote; funding: Funding }) {
  const { wish, confirm } = funding;
  const own = wish?.kind === "MEMBER_WITHDRAWAL";
  return (
    <Stack gap="5">
      <chakra.h3 textStyle="section">{t.reviewTitle}</chakra.h3>
      <PayoutReview
        quote={quote}
        payout={funding}
        words={t}
        account={liquidationTexts.account(quote.bankName, quote.accountNumber)}
        nameHelp={own ? t.nameOwn : t.nameOther}
        bank={own ? paths.editProfile("bank") : undefined}
        note={
          <chakra.p textStyle="body" color="fg.muted">
            {t.held}
          </chakra.p>
        }
        onConfirm={() => wish && confirm({ ...wish, net: quote.net })}
      />
    </Stack>
  );
}
