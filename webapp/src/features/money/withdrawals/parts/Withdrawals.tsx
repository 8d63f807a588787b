import { Box, chakra, Stack } from "@chakra-ui/react";
import { Link } from "react-router";
import type { Withdrawal } from "@/api/schema.gen";
import { getWithdrawals } from "@/api/withdrawals";
import { moment } from "@/lib/dates";
import { paths } from "@/lib/paths";
import { ofWallet } from "@/store/sources";
import { usePages } from "@/store/useRead";
import { Badge } from "@/ui/bits";
import { Card } from "@/ui/Card";
import { Empty } from "@/ui/Empty";
import { Purse } from "@/ui/illustrations";
import { Loaded } from "@/ui/Loaded";
import { More } from "@/ui/More";
import { Naira } from "@/ui/money/Naira";
import { ListSkeleton } from "@/ui/Skeletons";
import { withdrawTexts as t } from "../texts";

export const tones = {
  REQUESTED: "warning",
  SENT: "brand",
  PAID: "success",
  FAILED: "danger",
  REVERSED: "danger",
} as const;

function Row({ withdrawal }: { withdrawal: Withdrawal }) {
  const { id, status, net, bankName, accountNumber, dateCreated } = withdrawal;
  return (
    <chakra.a
      asChild
      display="flex"
      alignItems="center"
      gap="3"
      minHeight="16"
      py="2.5"
      px="2"
      mx="-2"
      borderRadius="md"
      _hover={{ bg: "bg.muted" }}
    >
      <Link to={paths.withdrawal(id)}>
        <Box flex="1" minWidth="0">
          <chakra.p textStyle="body" fontWeight="600">
            {t.account(bankName, accountNumber)}
          </chakra.p>
          <chakra.p textStyle="small" color="fg.muted">
            {moment(dateCreated)}
          </chakra.p>
        </Box>
        <Stack gap="1" align="flex-end">
          <chakra.p fontWeight="600">
            <Naira amount={net} />
          </chakra.p>
          <Badge tone={tones[status]}>{t.states[status]}</Badge>
        </Stack>
      </Link>
    </chakra.a>
  );
}

/** Withdrawals, newest first, each with its status. */
export function Withdrawals() {
  const { remote, rows, load, askMore, paging } = usePages({
    ...ofWallet,
    key: "withdrawals",
    rows: "withdrawals",
    read: ({ before }) => getWithdrawals(before),
  });
  return (
    <Card title={t.history}>
      <Loaded remote={remote} skeleton={<ListSkeleton rows={3} />} onRetry={load}>
        {() =>
          rows.length === 0 ? (
            <Empty picture={<Purse />} title={t.noneTitle}>
              {t.none}
            </Empty>
          ) : (
            <Stack gap="0">
              {rows.map((withdrawal) => (
                <Row key={withdrawal.id} withdrawal={withdrawal} />
              ))}
              <More onMore={askMore} busy={paging} />
            </Stack>
          )
        }
      </Loaded>
    </Card>
  );
}
