import { Box, chakra, Flex, Stack } from "@chakra-ui/react";
import { useState } from "react";
import { decideWaiver, getWaivers } from "@/api/dues";
import type { Waiver } from "@/api/schema.gen";
import { useAct } from "@/features/groups/frame";
import { shortDay } from "@/lib/dates";
import { formatNaira } from "@/lib/money";
import { ofGroup } from "@/store/sources";
import { useRead } from "@/store/useRead";
import { Button } from "@/ui/Button";
import { Badge } from "@/ui/bits";
import { Card } from "@/ui/Card";
import { CollapsibleList } from "@/ui/CollapsibleList";
import { Changed, Confirm, useSeen } from "@/ui/Confirm";
import { FailedNote } from "@/ui/Empty";
import { Reason } from "@/ui/form/Reason";
import { Naira } from "@/ui/money/Naira";
import { Person } from "@/ui/Person";
import { waiverTexts as t } from "../texts";

const tones = { OPEN: "warning", APPROVED: "success", REJECTED: "neutral" } as const;
const LATEST = 3;

function About({ waiver }: { waiver: Waiver }) {
  const { memberId, name, subAccountName, due, amount, kind, reason, status } = waiver;
  return (
    <>
      <Flex justify="space-between" align="flex-start" gap="3">
        <Person id={memberId} name={name} detail={`${t.kinds[kind]} · ${subAccountName}, ${due}`} />
        <Stack gap="1" align="flex-end">
          <chakra.p fontWeight="600">
            <Naira amount={amount} />
          </chakra.p>
          <Badge tone={tones[status]}>{t.states[status]}</Badge>
        </Stack>
      </Flex>
      <chakra.p textStyle="body" mt="2" overflowWrap="anywhere">
        “{reason}”
      </chakra.p>
      <chakra.p textStyle="small" color="fg.muted">
        {[
          t.asked(waiver.requestedByName),
          shortDay(waiver.dateCreated),
          waiver.decidedByName && t.decided(waiver.decidedByName),
        ]
          .filter(Boolean)
          .join(" · ")}
      </chakra.p>
    </>
  );
}

function Open({ groupId, waiver }: { groupId: string; waiver: Waiver }) {
  const { id, name, mayDecide } = waiver;
  const { saw, changed, look, done } = useSeen(waiver, ({ version }) => version);
  const [asking, setAsking] = useState<"approve" | "reject">();
  const { act } = useAct(groupId);
  const ask = (to: "approve" | "reject") => {
    look();
    setAsking(to);
  };
  const close = () => {
    setAsking(undefined);
    done();
  };
  const decide = async (approve: boolean, reason?: string) =>
    Boolean(
      await act(`waiver:${id}:${saw.version}:${approve}:${reason ?? ""}`, (key) =>
        decideWaiver(key, id, { approve, seen: saw.version, ...(reason ? { reason } : {}) }),
      ),
    );
  return (
    <Box py="3" data-waiver={id}>
      <About waiver={waiver} />
      {mayDecide ? (
        <Flex gap="2" mt="3">
          <Button size="sm" aria-label={t.approveIt(name)} onClick={() => ask("approve")}>
            {t.approve}
          </Button>
          <Button size="sm" variant="outline" aria-label={t.rejectIt(name)} onClick={() => ask("reject")}>
            {t.reject}
          </Button>
        </Flex>
      ) : (
        <chakra.p textStyle="small" color="fg.muted" mt="1">
          {t.another}
        </chakra.p>
      )}
      <Confirm
        open={asking === "approve"}
        title={t.approveTitle}
        yes={t.approve}
        no={t.no}
        onClose={close}
        onYes={() => decide(true)}
      >
        {t.approveText(formatNaira(saw.amount), name)}
        {changed && <Changed saw={formatNaira(saw.amount)} now={formatNaira(waiver.amount)} />}
      </Confirm>
      <Reason
        open={asking === "reject"}
        title={t.rejectTitle}
        label={t.reason}
        fault={t.reasonFault}
        yes={t.reject}
        no={t.no}
        variant="danger"
        onClose={close}
        onYes={(reason) => decide(false, reason)}
      >
        {t.rejectText(name)}
      </Reason>
    </Box>
  );
}

/** Dues that somebody asked to waive, for the approvers; nothing where there are none. */
export function Waivers({ groupId }: { groupId: string }) {
  const { remote, load } = useRead({ ...ofGroup(groupId), key: `waivers:${groupId}`, read: () => getWaivers(groupId) });
  if (remote.state === "failed") return <FailedNote text={remote.text} onRetry={load} />;
  if (remote.state !== "ready" || remote.value.waivers.length === 0) return null;
  const open = remote.value.waivers.filter(({ status }) => status === "OPEN");
  const done = remote.value.waivers.filter(({ status }) => status !== "OPEN");
  return (
    <>
      {open.length > 0 && (
        <Card title={t.title}>
          <Stack gap="0" divideY="1px" divideColor="border">
            {open.map((waiver) => (
              <Open key={waiver.id} groupId={groupId} waiver={waiver} />
            ))}
          </Stack>
        </Card>
      )}
      {done.length > 0 && (
        <Card title={t.done}>
          <CollapsibleList items={done} first={LATEST}>
            {(waiver) => (
              <Box key={waiver.id} py="3">
                <About waiver={waiver} />
              </Box>
            )}
          </CollapsibleList>
        </Card>
      )}
    </>
  );
}
