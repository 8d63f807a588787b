import { chakra, Stack } from "@chakra-ui/react";
import { useForm } from "react-hook-form";
import { setCollector } from "@/api/ajoCards";
import type { AjoCard } from "@/api/schema.gen";
import { isEmail } from "@/lib/emails";
import { ajoCollectorLimits } from "@/lib/limits.gen";
import { formatNaira } from "@/lib/money";
import { useAjoActs } from "@/store/useCommand";
import { useSubmit } from "@/store/useSubmit";
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
  const set = (to: { email?: string; commission?: boolean }) => {
    look();
    const body = { ...to, seen };
    return act(`collector:${id}`, (key) => setCollector(key, id, body), body);
  };
  const form = useForm({ defaultValues: { email: "", commission: false } });
  const submit = useSubmit(form, {
    send: ({ email, commission }) => set({ email: email.trim(), commission }),
    onDone: done,
  });
  if (card.status !== "OPEN") return null;
  const end = async () => {
    if (await set({})) done();
  };
  const both = changed && <Changed saw={saying(saw)} now={saying(card)} />;
  if (collectorId) {
    return (
      <Card title={t.collector}>
        <Stack gap="3" align="flex-start">
          {both}
          <p>{t.collectorIs(collector ?? "")}</p>
          <chakra.p color="fg.muted">
            {commission ? t.commissionSet(formatNaira(commissionNow)) : t.commissionNone}
          </chakra.p>
          <Button variant="outline" loading={busy !== undefined} onClick={() => void end()}>
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
          <TextField
            label={t.collectorEmail}
            type="email"
            maxLength={ajoCollectorLimits.email.max}
            error={form.formState.errors.email?.message}
            {...form.register("email", { validate: (email) => isEmail(email.trim()) || t.emailFault })}
          />
          <Switch label={t.commission} {...form.register("commission")} />
          <Button type="submit" variant="outline" loading={busy !== undefined}>
            {t.collectorSet}
          </Button>
        </Stack>
      </form>
    </Card>
  );
}
