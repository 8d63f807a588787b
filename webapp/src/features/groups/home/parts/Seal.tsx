import { Box, chakra, Flex, Stack } from "@chakra-ui/react";
import { useEffect, useState } from "react";
import { SeenBy } from "@/features/trust/witness";
import { shortDay } from "@/lib/dates";
import { present } from "@/lib/present";
import { ofGroup } from "@/store/sources";
import { useStore } from "@/store/store";
import { useRead } from "@/store/useRead";
import { Button } from "@/ui/Button";
import { Facts, Note } from "@/ui/bits";
import { CopyButton } from "@/ui/CopyButton";
import { CheckIcon, LockIcon, WarningIcon } from "@/ui/icons";
import { Modal } from "@/ui/overlays";
import { sealTexts as t } from "../texts";
import type { Sealed } from "./seal";

const TICK_MS = 5000;

type Check = { state: "checking" } | { state: "absent" } | { state: "done"; sealed: Sealed };

/** Where nothing can be read there is no seal; what was checked before still holds. */
function useSeal(groupId: string): { check: Check; look: () => Promise<void> } {
  const user = useStore((state) => state.session?.id ?? "");
  const { remote, load: look } = useRead({
    ...ofGroup(groupId),
    key: `seal:${groupId}`,
    read: async () => {
      const { checkSeal } = await import("./seal");
      return { value: await checkSeal(user), message: "", stale: false };
    },
    isMissing: () => false,
  });
  if (remote.state === "loading") return { check: { state: "checking" }, look };
  const sealed = remote.state === "ready" ? remote.value : undefined;
  return { check: sealed ? { state: "done", sealed } : { state: "absent" }, look };
}

function useSecondsSince(at: number): number {
  const [now, setNow] = useState(() => present().getTime());
  useEffect(() => {
    const clock = setInterval(() => setNow(present().getTime()), TICK_MS);
    return () => clearInterval(clock);
  }, []);
  return Math.max(0, (now - at) / 1000);
}

function Ago({ at }: { at: number }) {
  return <>{t.ago(useSecondsSince(at))}</>;
}

function Mono({ name, value }: { name: string; value: string }) {
  return (
    <Box>
      <Flex justify="space-between" align="center" gap="3" mb="1">
        <chakra.p textStyle="small" color="fg.muted">
          {name}
        </chakra.p>
        <CopyButton value={value} what={name.toLowerCase()} />
      </Flex>
      <chakra.p fontFamily="mono" fontSize="xs" bg="bg.muted" borderRadius="md" px="3" py="2.5" overflowWrap="anywhere">
        {value}
      </chakra.p>
    </Box>
  );
}

const holdsOf = ({ signer, broken }: Sealed) => signer !== undefined && broken === undefined;

function Proof({ sealed, groupId, onAgain }: { sealed: Sealed; groupId: string; onAgain: () => Promise<void> }) {
  const [busy, setBusy] = useState(false);
  const again = async () => {
    setBusy(true);
    await onAgain();
    setBusy(false);
  };
  return (
    <Stack gap="4">
      <chakra.p color="fg.muted">{t.lead}</chakra.p>
      <Note tone={holdsOf(sealed) ? "success" : "danger"} live>
        {!sealed.signer ? t.wrong : sealed.broken ? t.broken(sealed.broken) : t.passed}
      </Note>
      {sealed.epochs.map((epoch) => (
        <Note key={epoch.epoch} tone="warning">
          <p>{t.putBack(shortDay(epoch.at), epoch.from, epoch.givesUp)}</p>
          <chakra.p mt="1" textStyle="small">
            {epoch.reason}
          </chakra.p>
        </Note>
      ))}
      <Facts
        rows={[
          [t.size, sealed.size.toLocaleString("en-NG")],
          ...(sealed.signer ? [[t.signer, sealed.signer] as [string, string]] : []),
          [t.origin, sealed.origin],
        ]}
      />
      <SeenBy checkpoint={sealed.note} position={1} groupId={groupId} />
      <Mono name={t.root} value={sealed.root} />
      {sealed.key && <Mono name={t.key} value={sealed.key} />}
      <chakra.p textStyle="small" color="fg.muted">
        {t.keyHelp} {t.each}
      </chakra.p>
      <Button variant="outline" loading={busy} onClick={again}>
        {t.again}
      </Button>
    </Stack>
  );
}

/** How far the ledger is sealed, checked in this browser; opens the proof. */
export function Seal({ groupId }: { groupId: string }) {
  const { check, look } = useSeal(groupId);
  const [open, setOpen] = useState(false);
  if (check.state !== "done") {
    return (
      <Flex align="center" gap="2" textStyle="small" color="fg.muted" minHeight="11">
        <LockIcon /> {check.state === "checking" ? t.checking : t.absent}
      </Flex>
    );
  }
  const { sealed } = check;
  const holds = holdsOf(sealed);
  return (
    <>
      <chakra.button
        type="button"
        data-seal={holds ? sealed.size : "broken"}
        onClick={() => setOpen(true)}
        display="inline-flex"
        alignItems="center"
        gap="2"
        minHeight="11"
        textStyle="small"
        fontWeight="600"
        cursor="pointer"
        color={holds ? "fg.success" : "fg.danger"}
        textAlign="start"
        _hover={{ textDecoration: "underline" }}
      >
        {holds ? <CheckIcon /> : <WarningIcon />}
        <span>{holds ? t.verified(sealed.size) : t.failed}</span>
        <chakra.span fontWeight="400" color="fg.muted">
          <Ago at={sealed.at} />
        </chakra.span>
      </chakra.button>
      <Modal open={open} onClose={() => setOpen(false)} title={t.title}>
        <Proof sealed={sealed} groupId={groupId} onAgain={look} />
      </Modal>
    </>
  );
}
