import { Stack } from "@chakra-ui/react";
import { useForm } from "react-hook-form";
import type { Account, GuardianRequest } from "@/api/schema.gen";
import { rules } from "@/features/people/account";
import { errorTexts } from "@/lib/texts/errors";
import { useStore } from "@/store/store";
import { Note } from "@/ui/bits";
import { SelectField, TextField } from "@/ui/form/fields";
import { editTexts } from "../texts";
import { SaveRow, Section, useSaving } from "./Section";

const t = editTexts.guardian;
const tones = { ASKED: "brand", CONSENTED: "success", REFUSED: "warning" } as const;

function Ask({ account }: { account: Account }) {
  const askGuardian = useStore((state) => state.askGuardian);
  const { guardian } = account;
  const form = useForm<GuardianRequest>({
    values: {
      name: guardian?.name ?? "",
      email: guardian?.email ?? "",
      relationship: guardian?.relationship ?? "PARENT",
    },
    resetOptions: { keepDirtyValues: true },
  });
  const saving = useSaving(form, {
    save: ({ name, email, relationship }) => askGuardian({ name: name.trim(), email: email.trim(), relationship }),
    notAnswered: errorTexts.notAnswered.updateInfo,
  });
  const { errors } = form.formState;
  return (
    <form onSubmit={saving.submit} noValidate>
      <Stack gap="5">
        <TextField
          label={t.name}
          error={errors.name?.message}
          {...form.register("name", { validate: (name) => name.trim() !== "" || t.nameFault })}
        />
        <TextField
          label={t.email}
          type="email"
          error={errors.email?.message}
          {...form.register("email", rules.email)}
        />
        <SelectField label={t.relationship} error={errors.relationship?.message} {...form.register("relationship")}>
          <option value="PARENT">{t.relationships.PARENT}</option>
          <option value="GUARDIAN">{t.relationships.GUARDIAN}</option>
        </SelectField>
        <SaveRow {...saving} label={guardian?.status === "ASKED" && !saving.dirty ? t.again : t.submit} />
      </Stack>
    </form>
  );
}

/** For members of 15 to 17 alone. */
export function Guardian({ account }: { account: Account }) {
  const { guardian } = account;
  return (
    <Section id="guardian" title={t.title} lead={t.lead}>
      {guardian && (
        <Note tone={tones[guardian.status]} live>
          {t.states[guardian.status](guardian.name)}
        </Note>
      )}
      {guardian?.status !== "CONSENTED" && <Ask account={account} />}
    </Section>
  );
}
