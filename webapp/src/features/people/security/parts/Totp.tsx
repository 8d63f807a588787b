import { chakra, Flex, Stack } from "@chakra-ui/react";
import { useState } from "react";
import type { TotpEnrolment, TotpState } from "@/api/schema.gen";
import { beginTotp, getTotp, removeTotp, renewRecoveryCodes } from "@/api/security";
import { shortDay } from "@/lib/dates";
import { report, succeed } from "@/store/report";
import { useRead } from "@/store/useRead";
import { Button, type ButtonVariant } from "@/ui/Button";
import { Badge } from "@/ui/bits";
import { Card } from "@/ui/Card";
import { Loaded } from "@/ui/Loaded";
import { Modal } from "@/ui/overlays";
import { FigureSkeleton } from "@/ui/Skeletons";
import { securityTexts } from "../texts";
import { Enrol } from "./Enrol";
import { RecoveryCodes } from "./RecoveryCodes";

const t = securityTexts.totp;
const FEW = 3;

interface AskedProps {
  label: string;
  variant: ButtonVariant;
  title: string;
  text: string;
  act: () => Promise<void>;
}

/** A button whose deed is asked about first. */
function Asked({ label, variant, title, text, act }: AskedProps) {
  const [open, setOpen] = useState(false);
  const [busy, setBusy] = useState(false);
  const go = async () => {
    setBusy(true);
    try {
      await act();
      setOpen(false);
    } catch (error) {
      report(error);
    }
    setBusy(false);
  };
  return (
    <>
      <Button variant="outline" onClick={() => setOpen(true)}>
        {label}
      </Button>
      <Modal
        open={open}
        onClose={() => setOpen(false)}
        title={title}
        footer={
          <>
            <Button variant={variant} loading={busy} onClick={go}>
              {label}
            </Button>
            <Button variant="outline" onClick={() => setOpen(false)}>
              {t.keep}
            </Button>
          </>
        }
      >
        <p>{text}</p>
      </Modal>
    </>
  );
}

function Off({ onBegun }: { onBegun: (enrolment: TotpEnrolment) => void }) {
  const [busy, setBusy] = useState(false);
  const begin = async () => {
    setBusy(true);
    try {
      onBegun((await beginTotp()).value);
    } catch (error) {
      report(error);
    }
    setBusy(false);
  };
  return (
    <Flex>
      <Button loading={busy} onClick={begin}>
        {t.begin}
      </Button>
    </Flex>
  );
}

interface OnProps {
  state: TotpState;
  onCodes: (codes: string[]) => void;
  onRemoved: () => void;
}

function On({ state, onCodes, onRemoved }: OnProps) {
  const { recoveryCodesLeft: left, since } = state;
  const renew = async () => onCodes((await renewRecoveryCodes()).value.codes);
  const remove = async () => {
    succeed((await removeTotp()).message || t.removed);
    onRemoved();
  };
  return (
    <Stack gap="4">
      <p>
        {since && t.since(shortDay(since))} {t.left(left)} {left <= FEW && t.few}
      </p>
      <Flex gap="3" wrap="wrap">
        <Asked label={t.renew} variant="primary" title={t.renewTitle} text={t.renewText} act={renew} />
        <Asked label={t.remove} variant="danger" title={t.removeTitle} text={t.removeText} act={remove} />
      </Flex>
    </Stack>
  );
}

/** Two-step login: off, being set up, its codes shown once, or on. */
export function Totp() {
  const { remote, load } = useRead({ key: "totp", area: "account", read: getTotp });
  const [enrolment, setEnrolment] = useState<TotpEnrolment>();
  const [codes, setCodes] = useState<string[]>();
  const shown = (fresh: string[]) => {
    setEnrolment(undefined);
    setCodes(fresh);
    void load();
  };
  return (
    <Card title={t.title}>
      <Loaded remote={remote} skeleton={<FigureSkeleton />} onRetry={load}>
        {(state) => (
          <Stack gap="4">
            <Flex gap="3" align="center" wrap="wrap" data-totp={state.enabled}>
              <Badge tone={state.enabled ? "success" : "neutral"}>{state.enabled ? t.on : t.off}</Badge>
              <chakra.p color="fg.muted" flex="1 1 14rem">
                {t.lead}
              </chakra.p>
            </Flex>
            {codes && <RecoveryCodes codes={codes} onKept={() => setCodes(undefined)} />}
            {enrolment && <Enrol enrolment={enrolment} onCodes={shown} onCancel={() => setEnrolment(undefined)} />}
            {!codes && !enrolment && state.enabled && <On state={state} onCodes={shown} onRemoved={load} />}
            {!codes && !enrolment && !state.enabled && <Off onBegun={setEnrolment} />}
          </Stack>
        )}
      </Loaded>
    </Card>
  );
}
