import { chakra, Flex, Stack } from "@chakra-ui/react";
import { useEffect, useState } from "react";
import { getAttestKeys, revokeAttestKey } from "@/api/months";
import type { AttestKey } from "@/api/schema.gen";
import { moment } from "@/lib/dates";
import { told } from "@/store/reportMoney";
import { useStore } from "@/store/store";
import { useRead } from "@/store/useRead";
import { Button } from "@/ui/Button";
import { Card } from "@/ui/Card";
import { Confirm } from "@/ui/Confirm";
import { kept } from "../device/key";
import { fingerprint } from "../proof/statement";
import { monthsTexts } from "../texts";

const t = monthsTexts.keys;

/** The key that this device has for somebody, if any. */
function useHere(user: string) {
  const [here, setHere] = useState<string>();
  useEffect(() => {
    kept.get(user).then(
      (signing) => setHere(signing?.publicKey),
      () => setHere(undefined),
    );
  }, [user]);
  return here;
}

function Device({ of, here, onEnd }: { of: AttestKey; here: boolean; onEnd: () => Promise<boolean> }) {
  const [asking, setAsking] = useState(false);
  const { publicKey, device, since } = of;
  return (
    <Flex data-signs={publicKey} align="center" justify="space-between" gap="3" wrap="wrap">
      <div>
        <chakra.p textStyle="body">
          {t.device(device)} {here && `(${t.here})`}
        </chakra.p>
        <chakra.p textStyle="small" color="fg.muted">
          <chakra.span fontFamily="mono">{fingerprint(publicKey)}</chakra.span> · {t.since(moment(since))}
        </chakra.p>
      </div>
      <Button variant="outline" aria-label={t.endOne(device, fingerprint(publicKey))} onClick={() => setAsking(true)}>
        {t.end}
      </Button>
      <Confirm
        open={asking}
        title={t.endTitle(device)}
        yes={t.endYes}
        no={t.no}
        onClose={() => setAsking(false)}
        onYes={onEnd}
      >
        {t.endText}
      </Confirm>
    </Flex>
  );
}

/** The devices that sign what somebody attests; nothing for who has none. */
export function SigningDevices() {
  const user = useStore((state) => state.session?.id ?? "");
  const here = useHere(user);
  const { remote, put } = useRead({ key: "attestKeys", area: "account", read: getAttestKeys });
  if (remote.state !== "ready") return null;
  const standing = remote.value.keys.filter(({ revoked }) => !revoked);
  if (standing.length === 0) return null;
  const end = async (publicKey: string) => {
    const done = await told(revokeAttestKey(publicKey));
    if (done) put(done.value);
    return done !== undefined;
  };
  return (
    <Card title={t.title}>
      <Stack gap="4">
        <chakra.p color="fg.muted">{t.lead}</chakra.p>
        {standing.map((key) => (
          <Device key={key.publicKey} of={key} here={key.publicKey === here} onEnd={() => end(key.publicKey)} />
        ))}
      </Stack>
    </Card>
  );
}
