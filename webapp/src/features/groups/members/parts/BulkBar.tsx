import { chakra, Flex, Stack } from "@chakra-ui/react";
import { useState } from "react";
import { type BulkAction, changeMembers } from "@/api/groups";
import type { BulkMembers, Member } from "@/api/schema.gen";
import { useAct } from "@/features/groups/frame";
import { fullName } from "@/lib/person";
import { Button } from "@/ui/Button";
import { Note } from "@/ui/bits";
import { Reason } from "@/ui/form/Reason";
import { Modal } from "@/ui/overlays";
import { memberTexts as t } from "../texts";

/** Whom each deed is for. */
const fits: Record<BulkAction, Member["status"]> = {
  APPROVE: "PENDING",
  REJECT: "PENDING",
  DEACTIVATE: "ACTIVE",
  REACTIVATE: "INACTIVE",
};
const ACTIONS = Object.keys(fits) as BulkAction[];
const MOST = 500;

const asksWhy = (action: BulkAction) => action === "REJECT" || action === "DEACTIVATE";

interface Outcome {
  result: BulkMembers;
  names: Map<string, string>;
}

function Results({ outcome, onClose }: { outcome: Outcome; onClose: () => void }) {
  const { done, refused } = outcome.result;
  return (
    <Modal open onClose={onClose} title={t.resultsTitle} footer={<Button onClick={onClose}>{t.close}</Button>}>
      <Stack gap="4">
        <Note tone="success" live>
          {t.done(done)}
        </Note>
        {refused.length > 0 && (
          <chakra.div>
            <chakra.p textStyle="label" mb="2">
              {t.refused(refused.length)}
            </chakra.p>
            <chakra.ul listStyleType="none" data-refused>
              {refused.map(({ memberId, message }) => (
                <chakra.li key={memberId} py="2" borderTopWidth="1px" borderColor="border" textStyle="body">
                  <chakra.span fontWeight="600">{outcome.names.get(memberId) ?? memberId}</chakra.span>: {message}
                </chakra.li>
              ))}
            </chakra.ul>
          </chakra.div>
        )}
      </Stack>
    </Modal>
  );
}

interface BulkBarProps {
  groupId: string;
  chosen: Member[];
  onClear: () => void;
}

/** Actions on all selected members; each runs by itself, so one refusal stops nobody else. */
export function BulkBar({ groupId, chosen, onClear }: BulkBarProps) {
  const { busy, act } = useAct(groupId);
  const [asked, setAsked] = useState<BulkAction>();
  const [outcome, setOutcome] = useState<Outcome>();
  const of = (action: BulkAction) => chosen.filter(({ status }) => status === fits[action]);
  const run = async (action: BulkAction, reason?: string) => {
    const members = of(action).slice(0, MOST);
    const memberIds = members.map(({ userId }) => userId);
    const body = { groupId, action, memberIds, ...(reason ? { reason } : {}) };
    const done = await act(`bulk:${action}:${groupId}:${memberIds.join()}:${reason ?? ""}`, (key) =>
      changeMembers(key, body),
    );
    if (!done) return false;
    setOutcome({ result: done.value, names: new Map(members.map((member) => [member.userId, fullName(member)])) });
    onClear();
    return true;
  };
  return (
    <>
      {chosen.length > 0 && (
        <Flex
          role="region"
          aria-label={t.selected(chosen.length)}
          position="sticky"
          bottom="calc(var(--frame-bottom) + 0.75rem)"
          zIndex="docked"
          gap="3"
          wrap="wrap"
          align="center"
          bg="bg.panel"
          borderWidth="1px"
          borderColor="border.brand"
          borderRadius="md"
          boxShadow="float"
          px="4"
          py="3"
        >
          <chakra.p textStyle="label" role="status" flex="1 1 8rem">
            {t.selected(chosen.length)}
            {chosen.length > MOST && ` · ${t.most}`}
          </chakra.p>
          {ACTIONS.filter((action) => of(action).length > 0).map((action) => (
            <Button
              key={action}
              variant={asksWhy(action) ? "outline" : "primary"}
              loading={busy?.startsWith(`bulk:${action}`)}
              disabled={busy !== undefined}
              onClick={() => (asksWhy(action) ? setAsked(action) : void run(action))}
            >
              {t.actOn(t.acts[action], Math.min(MOST, of(action).length))}
            </Button>
          ))}
          <Button variant="ghost" disabled={busy !== undefined} onClick={onClear}>
            {t.clear}
          </Button>
        </Flex>
      )}
      {(asked === "REJECT" || asked === "DEACTIVATE") && (
        <Reason
          title={t.sure[asked].title}
          label={t.reason}
          fault={t.reasonFault}
          yes={t.actOn(t.acts[asked], Math.min(MOST, of(asked).length))}
          no={t.keep}
          variant="danger"
          onClose={() => setAsked(undefined)}
          onYes={(reason) => run(asked, reason)}
        >
          {t.sure[asked].text}
        </Reason>
      )}
      {outcome && <Results outcome={outcome} onClose={() => setOutcome(undefined)} />}
    </>
  );
}
