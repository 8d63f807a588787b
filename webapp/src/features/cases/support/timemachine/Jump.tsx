import { chakra, Flex, Stack } from "@chakra-ui/react";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { useSubmit } from "@/store/useSubmit";
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

/** What somebody types is Lagos time. */
const instant = (local: string) => new Date(`${local}+01:00`);

/** To a day and a time of one of the two clocks, as it was in Lagos. */
export function Jump({ clock, onJump }: JumpProps) {
  const [said, setSaid] = useState<string>();
  const form = useForm({ defaultValues: { when: "", clock } });
  const { register, formState } = form;
  const submit = useSubmit(form, {
    send: async ({ when, clock }) => {
      setSaid(undefined);
      return onJump(clock, instant(when).toISOString());
    },
    onDone: setSaid,
    onFailed: (_failure, text) => {
      setSaid(text);
      return true;
    },
    onInvalid: () => setSaid(undefined),
  });
  return (
    <chakra.details>
      <chakra.summary minHeight="11" py="2.5" cursor="pointer" textStyle="label">
        {t.goTo}
      </chakra.summary>
      <form onSubmit={submit} noValidate>
        <Stack gap="4" maxWidth="form" pb="2">
          <TextField
            label={t.goToTime}
            type="datetime-local"
            step="1"
            error={formState.errors.when?.message}
            {...register("when", { validate: (when) => !Number.isNaN(instant(when).getTime()) || t.goFault })}
          />
          <SelectField label={t.goToClock} {...register("clock")}>
            <option value="recorded">{t.recorded}</option>
            <option value="effective">{t.effective}</option>
          </SelectField>
          {said && (
            <Note tone="warning" live>
              {said}
            </Note>
          )}
          <Flex>
            <Button type="submit" variant="outline" loading={formState.isSubmitting}>
              {t.go}
            </Button>
          </Flex>
        </Stack>
      </form>
    </chakra.details>
  );
}
