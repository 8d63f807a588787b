import { chakra, Flex, Stack } from "@chakra-ui/react";
import { type SubmitEvent, useState } from "react";
import { failureText } from "@/api/failure";
import { Button } from "@/ui/Button";
import { Note } from "@/ui/bits";
import { SelectField, TextField } from "@/ui/form/fields";
import { machineTexts as t } from "../texts";
import type { Clock } from "./usePlace";

interface JumpProps {
  clock: Clock;
  /** Goes there; says so where nothing was there yet. */
  onJump: (clock: Clock, when: string) => Promise<string | undefined>;
}

/** To a day and a time of one of the two clocks, as it was in Lagos. */
export function Jump({ clock, onJump }: JumpProps) {
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<string>();
  const [said, setSaid] = useState<string>();
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = new FormData(event.currentTarget);
    const when = new Date(`${String(typed.get("when") ?? "")}+01:00`);
    const wrong = Number.isNaN(when.getTime());
    setFault(wrong ? t.goFault : undefined);
    setSaid(undefined);
    if (wrong) return;
    setBusy(true);
    try {
      setSaid(await onJump(typed.get("clock") === "effective" ? "effective" : "recorded", when.toISOString()));
    } catch (error) {
      setSaid(failureText(error));
    }
    setBusy(false);
  };
  return (
    <chakra.details>
      <chakra.summary minHeight="11" py="2.5" cursor="pointer" textStyle="label">
        {t.goTo}
      </chakra.summary>
      <form onSubmit={submit} noValidate>
        <Stack gap="4" maxWidth="form" pb="2">
          <TextField label={t.goToTime} name="when" type="datetime-local" step="1" error={fault} />
          <SelectField label={t.goToClock} name="clock" defaultValue={clock}>
            <option value="recorded">{t.recorded}</option>
            <option value="effective">{t.effective}</option>
          </SelectField>
          {said && (
            <Note tone="warning" live>
              {said}
            </Note>
          )}
          <Flex>
            <Button type="submit" variant="outline" loading={busy}>
              {t.go}
            </Button>
          </Flex>
        </Stack>
      </form>
    </chakra.details>
  );
}
