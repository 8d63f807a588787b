import { useState } from "react";
import type { Group, LiquidationKind } from "@/api/schema.gen";
import { seesTotals, useSubAccounts } from "@/features/groups/frame";
import { Button } from "@/ui/Button";
import { Note } from "@/ui/bits";
import { ArrowOutIcon } from "@/ui/icons";
import { Loaded } from "@/ui/Loaded";
import { Modal } from "@/ui/overlays";
import { ListSkeleton } from "@/ui/Skeletons";
import { Steps } from "@/ui/Steps";
import { fundTexts, liquidationTexts as t } from "../texts";
import { FundForm } from "./FundForm";
import { FundReview } from "./FundReview";
import { useFunding } from "./useFunding";

interface RequestFundProps {
  group: Group;
  /** The sub-account the form begins with. */
  subAccountId?: string;
  onSent: (id: string) => void;
}

function Inside({ group, subAccountId, onSent }: RequestFundProps) {
  const { list, load } = useSubAccounts(group.id);
  const funding = useFunding(group.id, ({ id }) => onSent(id));
  const kinds: LiquidationKind[] = seesTotals(group)
    ? ["MEMBER_WITHDRAWAL", "GROUP_DISBURSEMENT"]
    : ["MEMBER_WITHDRAWAL"];
  if (group.status === "SUSPENDED") return <Note tone="warning">{fundTexts.closed}</Note>;
  return (
    <Loaded remote={list} skeleton={<ListSkeleton rows={3} />} onRetry={load}>
      {({ SubAccounts: subs }) => {
        if (subs.length === 0) return <Note>{fundTexts.noSub}</Note>;
        return (
          <Steps at={funding.quote ? "review" : "form"}>
            {funding.quote ? (
              <FundReview quote={funding.quote} funding={funding} />
            ) : (
              <FundForm groupId={group.id} subs={subs} kinds={kinds} first={subAccountId} funding={funding} />
            )}
          </Steps>
        );
      }}
    </Loaded>
  );
}

/** Asks for money of the group: one's own savings, or a payment to somebody named. */
export function RequestFund({ onSent, ...props }: RequestFundProps) {
  const [open, setOpen] = useState(false);
  const sent = (id: string) => {
    setOpen(false);
    onSent(id);
  };
  return (
    <>
      <Button icon={<ArrowOutIcon />} onClick={() => setOpen(true)}>
        {t.request}
      </Button>
      <Modal open={open} onClose={() => setOpen(false)} title={fundTexts.title}>
        <Inside {...props} onSent={sent} />
      </Modal>
    </>
  );
}
