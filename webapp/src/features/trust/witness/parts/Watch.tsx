import { chakra, Flex, Stack } from "@chakra-ui/react";
import { useCallback, useEffect, useState } from "react";
import type { WitnessKey, WitnessKeys } from "@/api/schema.gen";
import { getWitnessKeys } from "@/api/witness";
import { moment } from "@/lib/dates";
import { told } from "@/store/reportMoney";
import { useStore } from "@/store/store";
import { useRead } from "@/store/useRead";
import { Button } from "@/ui/Button";
import { Note } from "@/ui/bits";
import { Card } from "@/ui/Card";
import { Confirm } from "@/ui/Confirm";
import type { Watching } from "../device/store";
import { begin, end, forget, look } from "../device/watch";
import { witnessTexts as t } from "../texts";
import { Alarm } from "./Alarm";

const LOOK_MS = 30_000;

type State = { state: "looking" } | { state: "known"; watching?: Watching } | { state: "failed"; watching?: Watching };

/** Looks at the ledger now and every half minute, for as long as it is shown. */
function useWatching(user: string) {
  const [now, setNow] = useState<State>({ state: "looking" });
  const again = useCallback(async () => {
    try {
      const watching = await look(user);
      setNow({ state: "known", watching });
    } catch {
      setNow((was) => ({ state: "failed", watching: "watching" in was ? was.watching : undefined }));
    }
  }, [user]);
  useEffect(() => {
    void again();
    const clock = setInterval(() => void again(), LOOK_MS);
    return () => clearInterval(clock);
  }, [again]);
  return { now, again };
}

function Off({ busy, onBegin }: { busy: boolean; onBegin: () => void }) {
  return (
    <>
      <chakra.p color="fg.muted">{t.lead}</chakra.p>
      <Flex>
        <Button loading={busy} onClick={onBegin}>
          {t.begin}
        </Button>
      </Flex>
      <chakra.p textStyle="small" color="fg.muted">
        {t.beginHelp}
      </chakra.p>
    </>
  );
}

function On({ watching, failed, onEnd }: { watching?: Watching; failed: boolean; onEnd: () => Promise<boolean> }) {
  const [asking, setAsking] = useState(false);
  const signed = watching?.signed;
  return (
    <>
      <chakra.p fontWeight="600">{t.watching}</chakra.p>
      <chakra.p color="fg.muted" data-seen={signed?.size}>
        {signed ? t.seen(signed.size, moment(new Date(signed.at).toISOString())) : t.first}
      </chakra.p>
      {failed && <Note tone="warning">{t.failed}</Note>}
      <Flex>
        <Button variant="outline" onClick={() => setAsking(true)}>
          {t.end}
        </Button>
      </Flex>
      <Confirm open={asking} title={t.endTitle} yes={t.endYes} no={t.no} onClose={() => setAsking(false)} onYes={onEnd}>
        {t.endText}
      </Confirm>
    </>
  );
}

function Others({ keys, busy, onEnd }: { keys: WitnessKey[]; busy?: string; onEnd: (key: string) => void }) {
  if (keys.length === 0) return null;
  return (
    <Stack gap="2" pt="3" borderTopWidth="1px" borderColor="border">
      <chakra.h3 textStyle="label">{t.others}</chakra.h3>
      {keys.map(({ publicKey, since, size, seenAt }) => (
        <Flex key={publicKey} data-device={publicKey} align="center" justify="space-between" gap="3" wrap="wrap">
          <div>
            <chakra.p textStyle="body">{t.device(publicKey)}</chakra.p>
            <chakra.p textStyle="small" color="fg.muted">
              {t.since(moment(since))} · {size && seenAt ? t.seen(size, moment(seenAt)) : t.never}
            </chakra.p>
          </div>
          <Button
            variant="outline"
            loading={busy === publicKey}
            aria-label={t.endOne(publicKey)}
            onClick={() => onEnd(publicKey)}
          >
            {t.endOther}
          </Button>
        </Flex>
      ))}
    </Stack>
  );
}

interface ShownProps {
  of: WitnessKeys;
  put: (next: WitnessKeys) => void;
}

function Shown({ of, put }: ShownProps) {
  const user = useStore((state) => state.session?.id ?? "");
  const { now, again } = useWatching(user);
  const [busy, setBusy] = useState<string>();
  const [unable, setUnable] = useState(false);
  const watching = now.state === "looking" ? undefined : now.watching;
  const standing = of.keys.filter(({ revoked }) => !revoked);
  const here = standing.some(({ publicKey }) => publicKey === watching?.publicKey);
  // Turned off on another device: this one lets go of its key, but never of an alarm.
  const gone = watching && !watching.alarm && of.keys.find((key) => key.publicKey === watching.publicKey)?.revoked;
  useEffect(() => {
    if (gone && watching) void forget(user, watching.publicKey).then(again);
  }, [gone, watching, user, again]);
  const turnOn = async () => {
    setBusy("begin");
    const begun = begin(user).catch((error: unknown) => {
      if (error instanceof DOMException) setUnable(true);
      throw error;
    });
    const done = await told(begun);
    setBusy(undefined);
    if (done) put(done.value);
    await again();
  };
  const turnOff = async (publicKey: string) => {
    setBusy(publicKey);
    const done = await told(end(user, publicKey));
    setBusy(undefined);
    if (done) put(done.value);
    await again();
    return done !== undefined;
  };
  if (watching?.alarm) {
    const { alarm, publicKey } = watching;
    const stop = async () => {
      await turnOff(publicKey);
      await forget(user, publicKey);
      await again();
    };
    return <Alarm evidence={alarm} onStop={() => void stop()} />;
  }
  return (
    <Stack gap="4" data-watch={here ? "on" : "off"}>
      {here ? (
        <On watching={watching} failed={now.state === "failed"} onEnd={() => turnOff(watching?.publicKey ?? "")} />
      ) : (
        <Off busy={busy === "begin" || now.state === "looking"} onBegin={() => void turnOn()} />
      )}
      {unable && <Note tone="warning">{t.unable}</Note>}
      <Others
        keys={standing.filter(({ publicKey }) => publicKey !== watching?.publicKey)}
        busy={busy}
        onEnd={(publicKey) => void turnOff(publicKey)}
      />
    </Stack>
  );
}

/**
 * Whether this device watches the ledger, which it does while this is shown; nothing for who may not have it watch. An
 * alarm comes before all else on its page.
 */
export function Watch() {
  const { remote, put } = useRead({ key: "witness", area: "account", read: getWitnessKeys });
  if (remote.state !== "ready") return null;
  const { mayWatch, keys } = remote.value;
  if (!mayWatch && keys.every(({ revoked }) => revoked)) return null;
  return (
    <chakra.div css={{ "&:has([data-alarm])": { order: -1 } }}>
      <Card title={t.title}>
        <Shown of={remote.value} put={put} />
      </Card>
    </chakra.div>
  );
}
