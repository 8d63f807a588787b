import { chakra, Stack } from "@chakra-ui/react";
import { useNavigate } from "react-router";
import { paths } from "@/lib/paths";
import { balancesSource } from "@/store/sources";
import { useRead } from "@/store/useRead";
import { Card, PageHead } from "@/ui/Card";
import { BackLink } from "@/ui/frame";
import { Owed } from "@/ui/money/Owed";
import { Frozen } from "../parts/Frozen";
import { useWithdrawing } from "../parts/useWithdrawing";
import { Withdrawals } from "../parts/Withdrawals";
import { WithdrawForm } from "../parts/WithdrawForm";
import { WithdrawReview } from "../parts/WithdrawReview";
import { withdrawTexts as t } from "../texts";

/** From the wallet to the member's own bank account: how much, what it costs, and only then the money. */
export function Withdraw() {
  const navigate = useNavigate();
  const { remote: balances } = useRead(balancesSource);
  const withdrawing = useWithdrawing(({ id }) => navigate(paths.withdrawal(id)));
  return (
    <chakra.div maxWidth="narrow">
      <title>Withdraw · Adashi</title>
      <BackLink to={paths.wallet}>{t.back}</BackLink>
      <chakra.div mt="3">
        <PageHead title={t.title} detail={t.lead} />
      </chakra.div>
      <Stack gap="4">
        <Frozen />
        <Owed amount={balances.state === "ready" ? balances.value.owed : undefined} />
        <Card title={withdrawing.quote ? t.reviewTitle : undefined}>
          {withdrawing.quote ? (
            <WithdrawReview quote={withdrawing.quote} withdrawing={withdrawing} />
          ) : (
            <WithdrawForm withdrawing={withdrawing} />
          )}
        </Card>
        <Withdrawals />
      </Stack>
    </chakra.div>
  );
}
