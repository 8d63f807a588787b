import { chakra, Flex, Stack } from "@chakra-ui/react";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { lookUpMember, setMemberTier } from "@/api/finance";
import type { FinanceMember } from "@/api/types";
import { attempt } from "@/store/attempt";
import { report } from "@/store/report";
import { Button } from "@/ui/Button";
import { Badge, Facts } from "@/ui/bits";
import { Card } from "@/ui/Card";
import { Changed, Confirm } from "@/ui/Confirm";
import { SelectField, TextField } from "@/ui/form/fields";
import { financeTexts } from "../texts";

const t = financeTexts.members;
const CASE_MIN = 3;
const CASE_MAX = 60;
const TIERS = [0, 1, 2, 3];

interface Looked {
  member: FinanceMember;
  email: string;
  reason: string;
}

function LookUp({ onFound }: { onFound: (looked: Looked) => void }) {
  const { register, handleSubmit, formState, setError } = useForm({ defaultValues: { email: "", reason: "" } });
  const submit = handleSubmit(async (typed) => {
    const [email, reason] = [typed.email.trim(), typed.reason.trim()];
    try {
      onFound({ member: (await lookUpMember(email, reason)).value, email, reason });
    } catch (error) {
      report(error, undefined, (field, text) => {
        const name = { email: "email", case: "reason" }[field] as "email" | "reason" | undefined;
        if (!name) return false;
        setError(name, { message: text }, { shouldFocus: true });
        return true;
      });
    }
  });
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="5" maxWidth="form">
        <chakra.p textStyle="body" color="fg.muted">
          {t.lead}
        </chakra.p>
        <TextField
          label={t.email}
          type="email"
          autoComplete="off"
          error={formState.errors.email?.message}
          {...register("email", { validate: (email) => email.includes("@") || t.emailFault })}
        />
        <TextField
          label={t.case}
          help={t.caseHelp}
          autoComplete="off"
          maxLength={CASE_MAX}
          error={formState.errors.reason?.message}
          {...register("reason", { validate: (reason) => reason.trim().length >= CASE_MIN || t.caseFault })}
        />
        <Flex>
          <Button type="submit" loading={formState.isSubmitting}>
            {t.look}
          </Button>
        </Flex>
      </Stack>
    </form>
  );
}

const saying = ({ name, tier }: FinanceMember) => `${name}, ${t.tierName(tier)}`;

function Found({ looked, onChanged }: { looked: Looked; onChanged: (member: FinanceMember) => void }) {
  const { member, email, reason } = looked;
  /** Who has this address by now, where the server says that it is not whom the desk saw. */
  const [now, setNow] = useState<FinanceMember>();
  const onRefused = async () => {
    const found = await attempt(lookUpMember(email, reason));
    if (found) setNow(found.value);
  };
  const [tier, setTier] = useState(member.tier);
  const [open, setOpen] = useState(false);
  const set = async () => {
    const done = await attempt(setMemberTier(email, member.version, tier, reason), false, onRefused);
    if (done) onChanged(done.value);
    return Boolean(done);
  };
  const changed = now && now.version !== member.version;
  return (
    <Card title={member.name} action={<Badge tone="brand">{t.tierName(member.tier)}</Badge>}>
      <Stack gap="5" maxWidth="form">
        <Facts
          rows={[
            [t.bvn, member.bvnVerified ? t.yes : t.no],
            [t.bill, member.utilityBill ? t.handed : t.notHanded],
            [t.case, reason],
          ]}
        />
        <SelectField label={t.newTier} value={tier} onChange={(event) => setTier(Number(event.target.value))}>
          {TIERS.map((one) => (
            <option key={one} value={one}>
              {t.tierName(one)}
            </option>
          ))}
        </SelectField>
        <Flex>
          <Button disabled={tier === member.tier} onClick={() => setOpen(true)}>
            {t.save}
          </Button>
        </Flex>
      </Stack>
      <Confirm
        open={open}
        title={t.confirmTitle}
        yes={t.save}
        no={t.cancel}
        onClose={() => (changed ? onChanged(now) : setOpen(false))}
        onYes={set}
      >
        {t.confirm(member.name, tier)}
        {changed && <Changed saw={saying(member)} now={saying(now)} />}
      </Confirm>
    </Card>
  );
}

/** Who an email belongs to, masked, for a case; and what their papers allow. */
export function Members() {
  const [looked, setLooked] = useState<Looked>();
  return (
    <Stack gap="4">
      <Card title={t.title}>
        <LookUp onFound={setLooked} />
      </Card>
      {looked && (
        <Found key={looked.member.version} looked={looked} onChanged={(member) => setLooked({ ...looked, member })} />
      )}
    </Stack>
  );
}
