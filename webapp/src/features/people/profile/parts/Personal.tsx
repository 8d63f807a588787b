import { SimpleGrid, Stack } from "@chakra-ui/react";
import { useForm } from "react-hook-form";
import type { Account, LookupValue } from "@/api/schema.gen";
import { accountTexts, normalizePhone, rules } from "@/features/people/account";
import { errorTexts } from "@/lib/texts/errors";
import type { Remote } from "@/store/source";
import { gendersSource, statesSource } from "@/store/sources";
import { useStore } from "@/store/store";
import { useRead } from "@/store/useRead";
import { SelectField, TextField } from "@/ui/form/fields";
import { editTexts } from "../texts";
import { changed, SaveRow, Section, useSaving } from "./Section";

const t = editTexts.personal;
const { fields } = accountTexts;

const namesOf = {
  firstName: "",
  lastName: "",
  phone: "",
  gender: "",
  stateId: "",
  address: "",
  residentialAddress: "",
  officeAddress: "",
};
type PersonalForm = typeof namesOf;
const names = Object.keys(namesOf) as (keyof PersonalForm)[];

const read = (account: Account): PersonalForm =>
  Object.fromEntries(names.map((name) => [name, account[name] ?? ""])) as PersonalForm;

function Options({ remote }: { remote: Remote<LookupValue[]> }) {
  return (
    <>
      <option value="">{editTexts.choose}</option>
      {remote.state === "ready" &&
        remote.value.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
    </>
  );
}

function usePersonal(account: Account) {
  const saveProfile = useStore((state) => state.saveProfile);
  const form = useForm<PersonalForm>({ values: read(account), resetOptions: { keepDirtyValues: true } });
  const { dirtyFields } = form.formState;
  const saving = useSaving(form, {
    save: ({ phone, ...rest }) => {
      const { gender, stateId, ...change } = changed({ ...rest, phone: normalizePhone(phone) }, dirtyFields);
      return saveProfile({ ...change, ...(gender ? { gender } : {}), ...(stateId ? { stateId } : {}) });
    },
    notAnswered: errorTexts.notAnswered.updateInfo,
  });
  return { form, saving };
}

export function Personal({ account }: { account: Account }) {
  const { form, saving } = usePersonal(account);
  const { register } = form;
  const { errors } = form.formState;
  const genders = useRead(gendersSource).remote;
  const states = useRead(statesSource).remote;
  const two = { columns: { base: 1, md: 2 }, gap: "5" } as const;
  // Until the choices are there, what is chosen among them can't be shown.
  const listKey = `${genders.state}${states.state}`;
  return (
    <Section id="personal" title={t.title}>
      <form onSubmit={saving.submit} noValidate>
        <Stack gap="5">
          <SimpleGrid {...two}>
            <TextField
              label={fields.firstName}
              autoComplete="given-name"
              error={errors.firstName?.message}
              {...register("firstName", rules.firstName)}
            />
            <TextField
              label={fields.lastName}
              autoComplete="family-name"
              error={errors.lastName?.message}
              {...register("lastName", rules.lastName)}
            />
          </SimpleGrid>
          <TextField
            label={fields.phone}
            type="tel"
            autoComplete="tel"
            help={fields.phoneHelp}
            error={errors.phone?.message}
            {...register("phone", rules.phone)}
          />
          <SimpleGrid {...two} key={listKey}>
            <SelectField label={t.gender} error={errors.gender?.message} {...register("gender")}>
              <Options remote={genders} />
            </SelectField>
            <SelectField label={t.state} error={errors.stateId?.message} {...register("stateId")}>
              <Options remote={states} />
            </SelectField>
          </SimpleGrid>
          <TextField
            label={t.residentialAddress}
            autoComplete="street-address"
            optional
            error={errors.residentialAddress?.message}
            {...register("residentialAddress")}
          />
          <TextField
            label={t.officeAddress}
            optional
            error={errors.officeAddress?.message}
            {...register("officeAddress")}
          />
          <TextField label={t.address} optional error={errors.address?.message} {...register("address")} />
          <SaveRow {...saving} />
        </Stack>
      </form>
    </Section>
  );
}
