import { Box, chakra, Flex, Stack } from "@chakra-ui/react";
import { useState } from "react";
import { getMyUnsettled, remind } from "@/api/dues";
import type { Due, UnsettledPage, WaiverKind } from "@/api/schema.gen";
import { useAct } from "@/features/groups/frame";
import { lagosDay } from "@/lib/dates";
import { ofGroup } from "@/store/sources";
import { useRead } from "@/store/useRead";
import { Button } from "@/ui/Button";
import { BellIcon } from "@/ui/icons";
import { Loaded } from "@/ui/Loaded";
import { DueRow } from "@/ui/money/DueRow";
import { Naira } from "@/ui/money/Naira";
import { Sheet } from "@/ui/overlays";
import { ListSkeleton } from "@/ui/Skeletons";
import { Steps } from "@/ui/Steps";
import { unsettledTexts as t, waiverTexts } from "../texts";
import { DueExtras } from "./OwnDues";
import { WaiverForm } from "./WaiverForm";

export type DebtorRow = UnsettledPage["members"][number];

interface Wish {
  due: Due;
  kind: WaiverKind;
}

function Settle({ due, onWish }: { due: Due; onWish: (wish: Wish) => void }) {
  const label = `${due.subAccountName}, ${due.label}`;
  return (
    <Flex gap="2" pb="3">
      <Button
        size="sm"
        variant="outline"
        aria-label={waiverTexts.of(waiverTexts.waive, label)}
        onClick={() => onWish({ due, kind: "WAIVED" })}
      >
        {waiverTexts.waive}
      </Button>
      <Button
        size="sm"
        variant="ghost"
        aria-label={waiverTexts.of(waiverTexts.writeOff, label)}
        onClick={() => onWish({ due, kind: "WRITTEN_OFF" })}
      >
        {waiverTexts.writeOff}
      </Button>
    </Flex>
  );
}

function Dues({ dues, mayWaive, onWish }: { dues: Due[]; mayWaive: boolean; onWish: (wish: Wish) => void }) {
  return (
    <Stack gap="0" divideY="1px" divideColor="border">
      {dues.map((due) => (
        <Box key={`${due.subAccountId}${due.period}`}>
          <DueRow due={due} titled="subAccount" payLabel="" />
          <DueExtras due={due} />
          {mayWaive && due.outstanding > 0 && <Settle due={due} onWish={onWish} />}
        </Box>
      ))}
    </Stack>
  );
}

interface InsideProps {
  groupId: string;
  row: DebtorRow;
  mayWaive: boolean;
}

function Owed({ groupId, row, mayWaive, onWish }: InsideProps & { onWish: (wish: Wish) => void }) {
  const { userId, name } = row;
  const { remote, load } = useRead({
    ...ofGroup(groupId),
    key: `unsettled:${groupId}:${userId}`,
    read: () => getMyUnsettled(groupId, userId),
  });
  const { busy, act } = useAct(groupId);
  return (
    <Loaded remote={remote} skeleton={<ListSkeleton rows={3} />} onRetry={load}>
      {({ dues, total }) => (
        <Stack gap="4">
          <Flex justify="space-between" align="center" gap="3" wrap="wrap">
            <chakra.p textStyle="figure">
              <Naira amount={total} />
            </chakra.p>
            <Button
              variant="outline"
              icon={<BellIcon />}
              disabled={row.remindedToday || dues.length === 0}
              loading={busy !== undefined}
              aria-label={row.remindedToday ? undefined : t.remindOne(name)}
              onClick={() => void act(remindDeed(groupId, [userId]), (key) => remind(key, groupId, [userId]))}
            >
              {row.remindedToday ? t.reminded : t.remind}
            </Button>
          </Flex>
          <chakra.h3 textStyle="label" color="fg.muted">
            {t.dues}
          </chakra.h3>
          <Dues dues={dues} mayWaive={mayWaive} onWish={onWish} />
        </Stack>
      )}
    </Loaded>
  );
}

function Inside(props: InsideProps) {
  const [wish, setWish] = useState<Wish>();
  return (
    <Steps at={wish ? "wish" : "owed"}>
      {wish ? (
        <Stack gap="4">
          <chakra.h3 textStyle="section">{waiverTexts.ask[wish.kind]}</chakra.h3>
          <WaiverForm due={wish.due} kind={wish.kind} memberId={props.row.userId} onClose={() => setWish(undefined)} />
        </Stack>
      ) : (
        <Owed {...props} onWish={setWish} />
      )}
    </Steps>
  );
}

/** Each may be reminded once a Lagos day: tomorrow it is another deed. */
export const remindDeed = (groupId: string, memberIds: string[]) =>
  `remind:${groupId}:${lagosDay()}:${memberIds.join(",")}`;

interface DebtorProps {
  groupId: string;
  row: DebtorRow | undefined;
  mayWaive: boolean;
  onClose: () => void;
}

/** One member's dues, for the group's officials. */
export function Debtor({ groupId, row, mayWaive, onClose }: DebtorProps) {
  return (
    <Sheet open={row !== undefined} onClose={onClose} title={t.person(row?.name ?? "")} placement="end">
      {row && <Inside groupId={groupId} row={row} mayWaive={mayWaive} />}
    </Sheet>
  );
}
