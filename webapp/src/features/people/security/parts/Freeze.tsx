import { chakra, Flex, Stack } from "@chakra-ui/react";
import { useEffect, useRef, useState } from "react";
import { freezeMoney, thawMoney } from "@/api/disputes";
import type { Freeze as Frozen } from "@/api/schema.gen";
import { moment } from "@/lib/dates";
import { freezeSource } from "@/store/disputeSources";
import { useActs } from "@/store/useCommand";
import { useRead } from "@/store/useRead";
import { Button } from "@/ui/Button";
import { Badge, Facts, Note } from "@/ui/bits";
import { Card } from "@/ui/Card";
import { Confirm } from "@/ui/Confirm";
import { Loaded } from "@/ui/Loaded";
import { Naira } from "@/ui/money/Naira";
import { ListSkeleton } from "@/ui/Skeletons";
import { securityTexts } from "../texts";

const t = securityTexts.freeze;

interface StateProps {
  freeze: Frozen;
  busy?: string;
  onFreeze: () => Promise<boolean>;
  onThaw: () => void;
}

function NotFrozen({ onFreeze }: Pick<StateProps, "onFreeze">) {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <chakra.p color="fg.muted">{t.lead}</chakra.p>
      <Flex>
        <Button variant="warning" onClick={() => setAsking(true)}>
          {t.freeze}
        </Button>
      </Flex>
      <Confirm
        open={asking}
        title={t.freezeTitle}
        yes={t.freezeYes}
        no={t.no}
        onClose={() => setAsking(false)}
        onYes={onFreeze}
      >
        {t.freezeText}
      </Confirm>
    </>
  );
}

function IsFrozen({ freeze: { held, thawAt }, busy, onFreeze, onThaw }: StateProps) {
  return (
    <>
      <chakra.p>{t.frozen}</chakra.p>
      {held !== undefined && <Facts rows={[[t.held, <Naira key="held" amount={held} />]]} />}
      {thawAt && <Note live>{t.thawing(moment(thawAt))}</Note>}
      <Flex gap="3" wrap="wrap">
        {thawAt ? (
          <Button variant="warning" loading={busy !== undefined} onClick={onFreeze}>
            {t.keep}
          </Button>
        ) : (
          <Button variant="outline" loading={busy !== undefined} onClick={onThaw}>
            {t.thaw}
          </Button>
        )}
      </Flex>
      <chakra.p textStyle="small" color="fg.muted">
        {thawAt ? t.password : t.thawHelp}
      </chakra.p>
    </>
  );
}

const badge = ({ frozen, thawAt }: Frozen) => {
  if (!frozen) return <Badge>{t.off}</Badge>;
  return <Badge tone="warning">{thawAt ? t.coming : t.on}</Badge>;
};

/** Whether one's own money is frozen: at once with one tap, and thawed with a password and a day. */
export function Freeze({ wanted }: { wanted: boolean }) {
  const { remote, load, put } = useRead(freezeSource);
  const { busy, act } = useActs(["disputes", "wallet", "activity"]);
  const place = useRef<HTMLDivElement>(null);
  const ready = remote.state === "ready";
  // The address leads here: once there is something to see.
  useEffect(() => {
    if (wanted && ready) place.current?.scrollIntoView?.();
  }, [wanted, ready]);
  const change = async (send: typeof freezeMoney, wanted: object) => {
    const done = await act("freeze", send, wanted);
    if (done) put(done.value);
    return done !== undefined;
  };
  // Keeping it frozen answers one thaw: after another thaw it is another command.
  const freezing = { frozen: true, against: ready ? remote.value.thawAt : undefined };
  const onFreeze = () => change(freezeMoney, freezing);
  const acts = { busy, onFreeze, onThaw: () => void change(thawMoney, { frozen: false }) };
  return (
    <chakra.div id="freeze" ref={place} scrollMarginTop="5rem">
      <Card title={t.title} action={ready && badge(remote.value)}>
        <Loaded remote={remote} skeleton={<ListSkeleton rows={1} />} onRetry={load}>
          {(freeze) => (
            <Stack gap="4" data-freeze={freeze.frozen ? "frozen" : "free"}>
              {freeze.frozen ? <IsFrozen freeze={freeze} {...acts} /> : <NotFrozen onFreeze={onFreeze} />}
            </Stack>
          )}
        </Loaded>
      </Card>
    </chakra.div>
  );
}
