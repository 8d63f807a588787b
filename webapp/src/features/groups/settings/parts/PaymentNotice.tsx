import { chakra, Stack } from "@chakra-ui/react";
import { useState } from "react";
import { setNotice } from "@/api/groups";
import type { Group, GroupDetails } from "@/api/schema.gen";
import { isOwner, useAct } from "@/features/groups/frame";
import { moment } from "@/lib/dates";
import { Button } from "@/ui/Button";
import { SelectField } from "@/ui/form/fields";
import { settingsTexts } from "../texts";
import { SettingsSection } from "./SettingsSection";

const t = settingsTexts.notice;

const CHOICES = [0, 12, 24, 48, 72, 168];

/** How long payments of the group wait so that members can object: the owner chooses. */
export function PaymentNotice({ group, details }: { group: Group; details: GroupDetails }) {
  const { noticeHours = 24, noticeNext, noticeNextFrom } = details;
  const set = noticeNext ?? noticeHours;
  const [chosen, setChosen] = useState(set);
  const { busy, act } = useAct(group.id);
  return (
    <SettingsSection id="notice" title={t.title} lead={t.lead}>
      <Stack gap="4">
        <chakra.p textStyle="body">{t.now(t.hours(noticeHours))}</chakra.p>
        {noticeNext !== undefined && noticeNextFrom && (
          <chakra.p textStyle="body" role="status">
            {t.next(t.hours(noticeNext), moment(noticeNextFrom))}
          </chakra.p>
        )}
        {isOwner(group) && (
          <>
            <SelectField
              label={t.choose}
              help={t.help}
              value={chosen}
              onChange={(e) => setChosen(Number(e.target.value))}
            >
              {[...new Set([...CHOICES, set])]
                .sort((a, b) => a - b)
                .map((hours) => (
                  <option key={hours} value={hours}>
                    {t.hours(hours)}
                  </option>
                ))}
            </SelectField>
            <Button
              variant="outline"
              disabled={chosen === set}
              loading={busy !== undefined}
              onClick={() => act(`notice:${group.id}`, (key) => setNotice(key, group.id, chosen), chosen)}
            >
              {t.save}
            </Button>
          </>
        )}
      </Stack>
    </SettingsSection>
  );
}
