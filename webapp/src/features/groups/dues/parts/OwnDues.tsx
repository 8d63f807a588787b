import { chakra } from "@chakra-ui/react";
import { getMyUnsettled } from "@/api/dues";
import type { Due, Group } from "@/api/schema.gen";
import { groupTexts, mayPay } from "@/features/groups/frame";
import { shortDay } from "@/lib/dates";
import { formatNaira } from "@/lib/money";
import { paths } from "@/lib/paths";
import { screenTexts } from "@/lib/texts/common";
import { useTransfers } from "@/store/payment/useTransfers";
import { ofGroup } from "@/store/sources";
import { useStore } from "@/store/store";
import { useRead } from "@/store/useRead";
import { LinkButton } from "@/ui/Button";
import { Card } from "@/ui/Card";
import { CollapsibleList } from "@/ui/CollapsibleList";
import { Loaded } from "@/ui/Loaded";
import { DueRow } from "@/ui/money/DueRow";
import { ListSkeleton } from "@/ui/Skeletons";
import { unsettledTexts as t } from "../texts";

const FIRST = 12;

/** A due's penalty, its waived part, and the day from which being late costs more. */
export function DueExtras({ due: { penalty, waived, penaltyFrom, outstanding } }: { due: Due }) {
  const words = [
    penalty ? t.penalty(formatNaira(penalty)) : "",
    waived ? t.waived(formatNaira(waived)) : "",
    penaltyFrom && !penalty && outstanding > 0 ? t.penaltyFrom(shortDay(penaltyFrom)) : "",
  ].filter(Boolean);
  if (words.length === 0) return null;
  return (
    <chakra.p textStyle="small" color="fg.muted" pb="3" mt="-1">
      {words.join(" · ")}
    </chakra.p>
  );
}

/** A penalty that somebody does not think is right. */
function Fined({ groupId, due: { subAccountId, subAccountName, period } }: { groupId: string; due: Due }) {
  const about = { group: groupId, sub: subAccountId, period };
  return (
    <LinkButton
      variant="link"
      size="sm"
      to={paths.newDispute(about)}
      aria-label={`${screenTexts.wrong} ${subAccountName}, ${shortDay(period)}`}
    >
      {screenTexts.wrong}
    </LinkButton>
  );
}

function OpenDues({ group, dues }: { group: Group; dues: Due[] }) {
  const transferOf = useTransfers(dues);
  return (
    <CollapsibleList items={dues} first={FIRST}>
      {(due) => (
        <div key={`${due.subAccountId}${due.period}`}>
          <DueRow
            due={due}
            titled="subAccount"
            payLabel={groupTexts.pay}
            payTo={mayPay(group) ? paths.subAccountPayment(due) : undefined}
            transfer={transferOf(due)}
          />
          <DueExtras due={due} />
          {(due.penalty ?? 0) > 0 && <Fined groupId={group.id} due={due} />}
        </div>
      )}
    </CollapsibleList>
  );
}

/** The caller's open dues of a group, oldest first, each with its Pay button where the group takes money. */
export function OwnDues({ group }: { group: Group }) {
  const own = useStore((state) => state.session?.id ?? "");
  const { remote, load } = useRead({
    ...ofGroup(group.id),
    key: `unsettled:${group.id}:${own}`,
    read: () => getMyUnsettled(group.id, own),
  });
  return (
    <Card
      title={t.yours}
      action={
        <LinkButton variant="link" to={paths.newDispute({ group: group.id })}>
          {screenTexts.wrong}
        </LinkButton>
      }
    >
      <Loaded remote={remote} skeleton={<ListSkeleton rows={2} />} onRetry={load}>
        {({ dues, total }) =>
          dues.length === 0 ? (
            <chakra.p textStyle="body" color="fg.muted">
              {t.yoursNone}
            </chakra.p>
          ) : (
            <>
              <chakra.p textStyle="body" color="fg.muted" mb="2">
                <chakra.span fontWeight="600" color="fg" data-owed>
                  {t.yoursTotal(formatNaira(total))}
                </chakra.span>
                {dues.length > 1 && ` · ${t.oldest}`}
              </chakra.p>
              <OpenDues group={group} dues={dues} />
            </>
          )
        }
      </Loaded>
    </Card>
  );
}
