import { chakra } from "@chakra-ui/react";
import type { ReactNode } from "react";
import type { AjoPayout } from "@/api/schema.gen";
import { Facts } from "@/ui/bits";
import { Naira } from "@/ui/money/Naira";
import { payoutTexts as t } from "../texts";

/** What is in a pot, all that goes off it, and what its holders get. */
export function Figures({ payout }: { payout: AjoPayout }) {
  const { gross, fee, vat, netted, discount, missing, setOffs, holders, mine } = payout;
  const some = (name: string, amount: number): [string, ReactNode][] =>
    amount > 0 ? [[name, <Naira key={name} amount={amount} />]] : [];
  return (
    <chakra.div bg="bg.muted" borderRadius="md" px="4" py="4" data-payout-figures>
      <Facts
        rows={[
          [t.gross, <Naira key="gross" amount={gross} />],
          [t.fee, <Naira key="fee" amount={fee} />],
          [t.vat, <Naira key="vat" amount={vat} />],
          ...some(t.netted, netted),
          ...some(t.discount, discount),
          ...some(t.missing, missing),
          ...setOffs.map(
            ({ debtId, to, amount }) => [t.setOff(to), <Naira key={debtId} amount={amount} />] as [string, ReactNode],
          ),
          ...(mine === undefined
            ? holders.map(
                ({ userId, name, amount }) => [name, <Naira key={userId} amount={amount} />] as [string, ReactNode],
              )
            : [
                [
                  t.mine,
                  <chakra.span key="mine" fontSize="xl" data-you-get>
                    <Naira amount={mine} />
                  </chakra.span>,
                ] as [string, ReactNode],
              ]),
        ]}
      />
    </chakra.div>
  );
}
