import { chakra, Flex, Stack } from "@chakra-ui/react";
import { useState } from "react";
import { getAjoAsk, grantAjoAccess, readAjoPaper, refuseAjoAccess } from "@/api/ajo";
import type { AjoAsk, AjoPaper } from "@/api/schema.gen";
import { moment } from "@/lib/dates";
import { keepFile } from "@/lib/files";
import { refuseAjoAccessLimits } from "@/lib/limits.gen";
import { formatNaira } from "@/lib/money";
import { report } from "@/store/report";
import { told } from "@/store/reportMoney";
import { useRead } from "@/store/useRead";
import { Button } from "@/ui/Button";
import { Facts } from "@/ui/bits";
import { Card } from "@/ui/Card";
import { Confirm } from "@/ui/Confirm";
import { LongField, SelectField } from "@/ui/form/fields";
import { Loaded } from "@/ui/Loaded";
import { ListSkeleton } from "@/ui/Skeletons";
import { financeTexts } from "../texts";

const t = financeTexts.ajo;
const { min: REASON_MIN, max: REASON_MAX } = refuseAjoAccessLimits.reason;
const papers = Object.keys(t.paper) as AjoPaper[];

function Paper({ ask, paper }: { ask: AjoAsk; paper: AjoPaper }) {
  const [opening, setOpening] = useState(false);
  const open = async () => {
    setOpening(true);
    await readAjoPaper(ask.userId, paper)
      .then((blob) => keepFile(blob, paper))
      .catch((error: unknown) => report(error));
    setOpening(false);
  };
  if (!ask.papers.some((one) => one.paper === paper)) {
    return (
      <chakra.p textStyle="body">
        {t.paper[paper]}: {t.paperGone}
      </chakra.p>
    );
  }
  return (
    <Button variant="outline" loading={opening} onClick={open}>
      {t.open(t.paper[paper])}
    </Button>
  );
}

interface DecisionProps {
  ask: AjoAsk;
  open: boolean;
  onClose: () => void;
  onDone: () => void;
}

function Refuse({ ask, open, onClose, onDone }: DecisionProps) {
  const [reason, setReason] = useState("");
  const [fault, setFault] = useState<string>();
  const refuse = async () => {
    if (reason.trim().length < REASON_MIN) {
      setFault(t.whyFault);
      return false;
    }
    try {
      const done = await told(refuseAjoAccess(ask.userId, ask.askId, reason.trim()));
      if (done) onDone();
      return Boolean(done);
    } finally {
      setFault(undefined);
    }
  };
  return (
    <Confirm
      open={open}
      title={t.refuseTitle(ask.name)}
      yes={t.refuseYes}
      no={t.no}
      danger
      onClose={onClose}
      onYes={refuse}
    >
      <Stack gap="4">
        <SelectField
          label={t.suggested}
          value={t.reasons.find((one) => one === reason) ?? ""}
          onChange={(event) => setReason(event.target.value)}
        >
          <option value="" />
          {t.reasons.map((one) => (
            <option key={one} value={one}>
              {one}
            </option>
          ))}
        </SelectField>
        <LongField
          label={t.why}
          help={t.whyHelp}
          maxLength={REASON_MAX}
          value={reason}
          error={fault}
          onChange={(event) => setReason(event.target.value)}
        />
      </Stack>
    </Confirm>
  );
}

function Grant({ ask, open, onClose, onDone }: DecisionProps) {
  const grant = async () => {
    const done = await told(grantAjoAccess(ask.userId, ask.askId));
    if (done) onDone();
    return Boolean(done);
  };
  return (
    <Confirm open={open} title={t.grantTitle(ask.name)} yes={t.grantYes} no={t.no} onClose={onClose} onYes={grant}>
      {t.grantText(formatNaira(ask.limit))}
    </Confirm>
  );
}

function Request({ ask, onDone }: { ask: AjoAsk; onDone: () => void }) {
  const [asked, setAsked] = useState<"grant" | "refuse">();
  const decision = { ask, onClose: () => setAsked(undefined), onDone };
  return (
    <Stack gap="5">
      <Facts
        rows={[
          [t.salary, formatNaira(ask.salary)],
          [t.limit, formatNaira(ask.limit)],
          ...(ask.limitNow === undefined ? [] : [[t.limitNow, formatNaira(ask.limitNow)] as [string, string]]),
          [t.bvn, ask.bvnVerified ? t.verified : t.notVerified],
          [t.when, moment(ask.askedAt)],
        ]}
      />
      <Stack gap="3">
        <chakra.h3 textStyle="label">{t.papers}</chakra.h3>
        <chakra.p textStyle="small" color="fg.muted">
          {t.check}
        </chakra.p>
        <Flex gap="3" wrap="wrap">
          {papers.map((paper) => (
            <Paper key={paper} ask={ask} paper={paper} />
          ))}
        </Flex>
      </Stack>
      <Flex gap="3" wrap="wrap">
        <Button onClick={() => setAsked("grant")}>{t.grant}</Button>
        <Button variant="outline" onClick={() => setAsked("refuse")}>
          {t.refuse}
        </Button>
      </Flex>
      <Grant {...decision} open={asked === "grant"} />
      <Refuse {...decision} open={asked === "refuse"} />
    </Stack>
  );
}

/** One request: what the member says, their papers, and the decision. */
export function AjoReview({ userId, onLeave }: { userId: string; onLeave: () => void }) {
  const { remote, load } = useRead({
    key: `ajoAsk:${userId}`,
    area: "finance",
    read: () => getAjoAsk(userId),
  });
  return (
    <Card
      title={remote.state === "ready" ? remote.value.name : t.review}
      action={
        <Button size="sm" variant="outline" onClick={onLeave}>
          {t.back}
        </Button>
      }
    >
      <Loaded remote={remote} skeleton={<ListSkeleton rows={4} />} onRetry={load}>
        {(ask) => <Request ask={ask} onDone={onLeave} />}
      </Loaded>
    </Card>
  );
}
