import { Box, chakra, Flex } from "@chakra-ui/react";
import { useState } from "react";
import { forgiveDebt } from "@/api/ajoActs";
import type { AjoDebt } from "@/api/schema.gen";
import { formatNaira } from "@/lib/money";
import { useAjoActs } from "@/store/useCommand";
import { Button } from "@/ui/Button";
import { Confirm } from "@/ui/Confirm";
import { debtTexts as t } from "../texts";
import { PayNow } from "./PayNow";

/** A debt as a sentence: "You owe seat 2 (Bisi Ade) ₦21,000.00 of cycle 3". */
export function debtWords({ iOwe, owedToMe, debtor, creditor, left, cycle }: AjoDebt): string {
  const amount = formatNaira(left);
  if (iOwe) return t.iOwe(creditor, amount, cycle);
  return owedToMe ? t.owedToMe(debtor, amount, cycle) : t.others(debtor, creditor, amount, cycle);
}

function Forgive({ debt }: { debt: AjoDebt }) {
  const [asking, setAsking] = useState(false);
  const { act } = useAjoActs();
  const { ajoId, id, debtor } = debt;
  const left = formatNaira(debt.left);
  const go = async () => (await act(`forgive:${id}`, (key) => forgiveDebt(key, ajoId, id))) !== undefined;
  return (
    <>
      <Button variant="outline" aria-label={t.forgiveIt(debtor, left)} onClick={() => setAsking(true)}>
        {t.forgive}
      </Button>
      <Confirm
        open={asking}
        title={t.forgiveTitle(debtor, left)}
        yes={t.forgiveYes}
        no={t.keep}
        danger
        onClose={() => setAsking(false)}
        onYes={go}
      >
        {t.forgiveText}
      </Confirm>
    </>
  );
}

interface DebtProps {
  debt: AjoDebt;
  /** Whether its debtor can pay it here. */
  payable?: boolean;
}

/** One debt, with what its debtor or creditor may do. */
export function Debt({ debt, payable = true }: DebtProps) {
  const { id, kind, penalty, iOwe, owedToMe, left, ajoId } = debt;
  const words = debtWords(debt);
  return (
    <Flex align="center" gap="3" py="3" wrap="wrap" data-debt={id}>
      <Box flex="1 1 14rem" minWidth="0" overflowWrap="anywhere">
        <chakra.p fontWeight="600" color={iOwe ? "fg.danger" : undefined}>
          {words}
        </chakra.p>
        <chakra.p textStyle="small" color="fg.muted">
          {t.kind[kind]} {penalty > 0 && t.penalty(formatNaira(penalty))}
        </chakra.p>
      </Box>
      {iOwe && left > 0 && payable && (
        <PayNow ajoId={ajoId} pay={{ what: "DEBT", amount: left, debtId: id }} what={words}>
          {t.payText}
        </PayNow>
      )}
      {owedToMe && <Forgive debt={debt} />}
    </Flex>
  );
}
