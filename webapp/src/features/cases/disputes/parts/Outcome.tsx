import { chakra, Stack } from "@chakra-ui/react";
import type { Dispute } from "@/api/schema.gen";
import { AwayButton } from "@/ui/Button";
import { Note } from "@/ui/bits";
import { Card } from "@/ui/Card";
import { disputeTexts as t } from "../texts";

/** Where to complain next: once it was rejected, or looked at twice. */
function Complain({ number }: { number: string }) {
  const address = `mailto:${t.complainMail}?subject=${encodeURIComponent(`Adashi ${number}`)}`;
  return (
    <Stack gap="3" align="flex-start" textStyle="body" data-complain>
      <div>
        <chakra.h3 fontWeight="650">{t.complainTitle}</chakra.h3>
        <p>{t.complain}</p>
        <chakra.p fontWeight="600">{t.complainMail}</chakra.p>
      </div>
      <AwayButton variant="outline" href={address}>
        {t.complainAction}
      </AwayButton>
    </Stack>
  );
}

/** How it ended, in the words of who decided. */
export function Outcome({ dispute }: { dispute: Dispute }) {
  const { status, steps, number } = dispute;
  if (status === "WITHDRAWN") return <Note title={t.withdrawnTitle}>{t.withdrawn}</Note>;
  const decided = steps.findLast(({ kind }) => kind === "RESOLVED_UPHELD" || kind === "RESOLVED_REJECTED");
  if (!decided && steps.some(({ kind }) => kind === "BANK_TOOK_BACK"))
    return <Note title={t.bankTookBackTitle}>{t.bankTookBack}</Note>;
  if (!decided && steps.some(({ kind }) => kind === "BANK_KEPT"))
    return (
      <Note tone="success" title={t.bankKeptTitle}>
        {t.bankKept}
      </Note>
    );
  if (!decided || decided.kind !== status) return null;
  const upheld = status === "RESOLVED_UPHELD";
  const twice = steps.some(({ kind }) => kind === "REOPENED");
  return (
    <Card>
      <Stack gap="5" data-outcome={status}>
        <Note tone={upheld ? "success" : "brand"} title={upheld ? t.upheldTitle : t.rejectedTitle} live>
          <chakra.p whiteSpace="pre-wrap" overflowWrap="anywhere">
            {decided.words}
          </chakra.p>
        </Note>
        {decided.entries && decided.entries.length > 0 && (
          <chakra.div textStyle="small" color="fg.muted">
            <p>{t.entries}</p>
            <chakra.ul listStyleType="none" fontFamily="mono" overflowWrap="anywhere">
              {decided.entries.map((id) => (
                <li key={id}>{id}</li>
              ))}
            </chakra.ul>
          </chakra.div>
        )}
        {(!upheld || twice) && <Complain number={number} />}
      </Stack>
    </Card>
  );
}
