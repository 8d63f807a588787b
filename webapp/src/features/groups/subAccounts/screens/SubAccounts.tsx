import { Box, Stack } from "@chakra-ui/react";
import { useParams } from "react-router";
import type { Group } from "@/api/schema.gen";
import { GroupFrame, mayApprove, groupTexts as t, useSubAccounts } from "@/features/groups/frame";
import { Card } from "@/ui/Card";
import { Empty } from "@/ui/Empty";
import { OpenBook } from "@/ui/illustrations";
import { Loaded } from "@/ui/Loaded";
import { ListSkeleton } from "@/ui/Skeletons";
import { NewSubAccount } from "../parts/NewSubAccount";
import { SubAccountRow } from "../parts/SubAccountRow";

function List({ group }: { group: Group }) {
  const { list, load } = useSubAccounts(group.id);
  return (
    <Card>
      <Loaded remote={list} skeleton={<ListSkeleton rows={3} />} onRetry={load}>
        {({ SubAccounts: subs }) =>
          subs.length === 0 ? (
            <Empty picture={<OpenBook />} title={t.noSubAccounts}>
              {t.noSubAccountsText}
            </Empty>
          ) : (
            <Stack gap="0" divideY="1px" divideColor="border">
              {subs.map((sub) => (
                <SubAccountRow key={sub.id} sub={sub} />
              ))}
            </Stack>
          )
        }
      </Loaded>
    </Card>
  );
}

export function SubAccounts() {
  const { id = "" } = useParams();
  return (
    <Box maxWidth="column">
      <GroupFrame
        id={id}
        page={t.subAccounts}
        action={(group) => mayApprove(group) && <NewSubAccount groupId={group.id} />}
      >
        {(group) => <List group={group} />}
      </GroupFrame>
    </Box>
  );
}
