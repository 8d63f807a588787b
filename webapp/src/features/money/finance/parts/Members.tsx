import { Flex, Stack } from "@chakra-ui/react";
import { useState } from "react";
import { lookUpMember, setMemberTier } from "@/api/finance";
import type { FinanceMember } from "@/api/schema.gen";
import { told } from "@/store/reportMoney";
import { useLookUp } from "@/store/useLookUp";
import { Button } from "@/ui/Button";
import { Badge, Facts } from "@/ui/bits";
import { Card } from "@/ui/Card";
import { Changed, Confirm } from "@/ui/Confirm";
import { SelectField } from "@/ui/form/fields";
import { LookUp } from "@/ui/form/LookUp";
import { financeTexts } from "../texts";

const t = financeTexts.members;
const TIERS = [0, 1, 2, 3];

interface Looked {
  member: FinanceMember;
  email: string;
  reason: string;
}

const saying = ({ name, tier }: FinanceMember) => `${name}, ${t.tierName(tier)}`;

function Found({ looked, onChanged }: { looked: Looked; onChanged: (member: FinanceMember) => void }) {
  const { member, email, reason } = looked;
  /** Who has this address by now, where the server says that it is not whom the desk saw. */
  const [now, setNow] = useState<FinanceMember>();
  const onRefused = async () => {
    const found = await told(lookUpMember(email, reason));
    if (found) setNow(found.value);
  };
  const [tier, setTier] = useState(member.tier);
  const [open, setOpen] = useState(false);
  const set = async () => {
    const done = await told(setMemberTier(email, member.version, tier, reason), false, onRefused);
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
  const looking = useLookUp(
    async (email, reason): Promise<Looked> => ({ member: (await lookUpMember(email, reason)).value, email, reason }),
    setLooked,
  );
  return (
    <Stack gap="4">
      <Card title={t.title}>
        <LookUp t={t} {...looking} />
      </Card>
      {looked && (
        <Found key={looked.member.version} looked={looked} onChanged={(member) => setLooked({ ...looked, member })} />
      )}
    </Stack>
  );
}
