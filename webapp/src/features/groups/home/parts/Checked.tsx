import { Box, chakra, Flex, Stack } from "@chakra-ui/react";
import { useEffect, useState } from "react";
import type { Group } from "@/api/schema.gen";
import { SeenBy } from "@/features/trust/witness";
import { shortDay } from "@/lib/dates";
import { paths } from "@/lib/paths";
import { present } from "@/lib/present";
import { ofGroup } from "@/store/sources";
import { useStore } from "@/store/store";
import { useRead } from "@/store/useRead";
import { Button, LinkButton } from "@/ui/Button";
import { Facts, Note } from "@/ui/bits";
import { CopyButton } from "@/ui/CopyButton";
import { CheckIcon, ChevronIcon, LockIcon, WarningIcon } from "@/ui/icons";
import { Modal } from "@/ui/overlays";
import { pageTexts, sealTexts as t } from "../texts";
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

/** How far the validator is; the desk is theirs, and the owner's for the validator's own payments. */
function Audit({ group: { id, audit, role, memberStatus } }: { group: Group }) {
  const desk = memberStatus === "ACTIVE" && (role === "VALIDATOR" || role === "OWNER");
  if (!audit && !desk) return null;
  return (
    <Flex align="center" justify="space-between" gap="3" wrap="wrap">
      <chakra.p textStyle="body">{audit && auditWords(audit)}</chakra.p>
      {desk && (
        <LinkButton to={paths.audit(id)} variant="link">
          {pageTexts.toDesk}
        </LinkButton>
      )}
    </Flex>
  );
}

const auditWords = ({ reviewed, total }: NonNullable<Group["audit"]>) =>
  total > 0 ? pageTexts.audited(reviewed, total) : pageTexts.nothingToAudit;

function Months({ id }: { id: string }) {
  const { title, detail } = pageTexts.months;
  return (
    <Flex align="center" justify="space-between" gap="3" wrap="wrap">
      <chakra.p textStyle="body">{detail}</chakra.p>
      <LinkButton to={paths.months(id)} variant="link">
        {title}
      </LinkButton>
    </Flex>
  );
}

const lookOf = (check: Check) => {
  if (check.state !== "done") return { icon: <LockIcon />, color: "fg.muted", words: t[check.state] };
  return holdsOf(check.sealed)
    ? { icon: <CheckIcon />, color: "fg.success", words: t.verified(check.sealed.size) }
    : { icon: <WarningIcon />, color: "fg.danger", words: t.failed };
};

/** One row for the audit, the closed months, and the seal that this browser checks; it opens their details. */
export function Checked({ group }: { group: Group }) {
  const { check, look } = useSeal(group.id);
  const [open, setOpen] = useState(false);
  const { icon, color, words } = lookOf(check);
  const sealed = check.state === "done" ? check.sealed : undefined;
  return (
    <>
      <chakra.button
        type="button"
        data-seal={sealed && (holdsOf(sealed) ? sealed.size : "broken")}
        onClick={() => setOpen(true)}
        display="flex"
        width="full"
        alignItems="center"
        gap="3"
        minHeight="row"
        px={{ base: "4", md: "6" }}
        py="3"
        bg="bg.panel"
        borderRadius="card"
        borderWidth="1px"
        borderColor="border"
        boxShadow="card"
        cursor="pointer"
        textAlign="start"
        _hover={{ borderColor: "border.brand" }}
      >
        <Box color={color} fontSize="lg">
          {icon}
        </Box>
        <Box flex="1" minWidth="0">
          <chakra.span display="block" textStyle="body" fontWeight="600">
            {t.checked}
          </chakra.span>
          <chakra.span display="block" textStyle="small" color="fg.muted" data-audit>
            {group.audit && `${auditWords(group.audit)} · `}
            <chakra.span color={color}>{words}</chakra.span>
            {sealed && (
              <>
                , <Ago at={sealed.at} />
              </>
            )}
          </chakra.span>
        </Box>
        <Box color="fg.muted">
          <ChevronIcon />
        </Box>
      </chakra.button>
      <Modal open={open} onClose={() => setOpen(false)} title={t.checked}>
        <Stack gap="4">
          <Audit group={group} />
          {group.memberStatus === "ACTIVE" && <Months id={group.id} />}
          {sealed ? (
            <>
              <chakra.h3 textStyle="section">{t.title}</chakra.h3>
              <Proof sealed={sealed} groupId={group.id} onAgain={look} />
            </>
          ) : (
            <chakra.p color="fg.muted">{words}</chakra.p>
          )}
        </Stack>
      </Modal>
    </>
  );
}
