import { chakra, Stack } from "@chakra-ui/react";
import { type SubmitEvent, useState } from "react";
import { setCollector } from "@/api/ajoCards";
import type { AjoCard } from "@/api/schema.gen";
import { isEmail } from "@/lib/emails";
import { formatNaira } from "@/lib/money";
import { useAjoActs } from "@/store/useCommand";
import { Button } from "@/ui/Button";
import { Card } from "@/ui/Card";
import { Changed, useSeen } from "@/ui/Confirm";
import { Switch, TextField } from "@/ui/form/fields";
import { cardTexts as t } from "../texts";

const saying = ({ collector }: AjoCard) => (collector ? t.collectorIs(collector) : t.collectorNone);

/** Who else fills the card, and what they get for it. */
export function Collector({ card }: { card: AjoCard }) {
  const { id, collector, collectorId, collectorVersion: seen, commission, commissionNow } = card;
  const { saw, changed, look, done } = useSeen(card, ({ collectorVersion }) => collectorVersion);
  const { busy, act } = useAjoActs();
  const [commissioned, setCommissioned] = useState(false);
  const [fault, setFault] = useState<string>();
  if (card.status !== "OPEN") return null;
  const set = async (to: { email?: string; commission?: boolean }) => {
    look();
    const body = { ...to, seen };
    if (await act(`collector:${id}`, (key) => setCollector(key, id, body), body)) done();
  };
  const both = changed && <Changed saw={saying(saw)} now={saying(card)} />;
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const email = String(new FormData(event.currentTarget).get("email") ?? "").trim();
    setFault(isEmail(email) ? undefined : t.emailFault);
    if (!isEmail(email)) return;
    await set({ email, commission: commissioned });
  };
  if (collectorId) {
    return (
      <Card title={t.collector}>
        <Stack gap="3" align="flex-start">
          {both}
          <p>{t.collectorIs(collector ?? "")}</p>
          <chakra.p color="fg.muted">
            {commission ? t.commissionSet(formatNaira(commissionNow)) : t.commissionNone}
          </chakra.p>
          <Button variant="outline" loading={busy !== undefined} onClick={() => void set({})}>
            {t.collectorEnd}
          </Button>
        </Stack>
      </Card>
    );
  }
  return (
    <Card title={t.collector}>
      <form onSubmit={submit} noValidate>
        <Stack gap="4">
          {both}
          <chakra.p color="fg.muted">
            {t.collectorNone} {t.collectorLead}
          </chakra.p>
          <TextField label={t.collectorEmail} name="email" type="email" maxLength={320} error={fault} />
          <Switch
            label={t.commission}
            checked={commissioned}
            onChange={(event) => setCommissioned(event.target.checked)}
          />
          <Button type="submit" variant="outline" loading={busy !== undefined}>
            {t.collectorSet}
          </Button>
        </Stack>
      </form>
    </Card>
  );
}
