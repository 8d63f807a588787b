import { chakra, Flex, SimpleGrid, Stack } from "@chakra-ui/react";
import type { ReactNode } from "react";
import { lagosDay } from "@/lib/dates";
import { channelWords } from "@/lib/texts/money";
import { Button } from "@/ui/Button";
import { CardBox } from "@/ui/Card";
import { AmountField, SelectField, TextField } from "@/ui/form/fields";
import { auditTexts as t } from "../texts";
import { Saved } from "./Saved";
import { type Filtering, upsideDown } from "./useFilters";

interface PickProps {
  name: string;
  label: string;
  any: string;
  options: [value: string, words: string][];
  of: Filtering;
}

/** One of some words, or any. */
export function Pick({ name, label, any, options, of }: PickProps) {
  return (
    <SelectField
      label={label}
      value={of.filters[name] ?? ""}
      onChange={(event) => of.set({ [name]: event.target.value })}
    >
      <option value="">{any}</option>
      {options.map(([value, words]) => (
        <option key={value} value={value}>
          {words}
        </option>
      ))}
    </SelectField>
  );
}

/** An amount narrows the list once it is left or entered, not with every digit. */
function Amount({ name, label, error, of }: { name: "min" | "max"; label: string; error?: string; of: Filtering }) {
  const value = of.filters[name] ?? "";
  return (
    <AmountField
      key={value}
      label={label}
      error={error}
      defaultValue={value}
      onBlur={(event) => event.target.value !== value && of.set({ [name]: event.target.value })}
      onKeyDown={(event) => event.key === "Enter" && event.currentTarget.blur()}
    />
  );
}

export type OddityName = keyof typeof t.oddities;

interface FilterBarProps {
  of: Filtering;
  /** What is shown above the filters: the list that they narrow. They stand beside the coverage then, in half the room. */
  lists?: ReactNode;
  /** What this desk alone is narrowed by. */
  children?: ReactNode;
  /** The oddities that its payments can have. */
  odd: OddityName[];
  /** The member whose payments are shown alone, where one is. */
  member?: string;
}

/** What a desk is narrowed by, and the filters that were saved. */
export function FilterBar({ of, lists, children, odd, member }: FilterBarProps) {
  const wrong = upsideDown(of.filters);
  const day = (name: "from" | "to", label: string, error?: string) => (
    <TextField
      label={label}
      type="date"
      max={lagosDay()}
      value={of.filters[name] ?? ""}
      error={error}
      onChange={(event) => of.set({ [name]: event.target.value })}
    />
  );
  return (
    <CardBox minHeight="auto">
      {lists}
      <chakra.details open={of.count > 0 || undefined}>
        <chakra.summary py="3" cursor="pointer" textStyle="label">
          {of.count > 0 ? t.filtersOn(of.count) : t.filters}
        </chakra.summary>
        <Stack gap="4" mt="3">
          <SimpleGrid as="search" columns={lists ? 2 : { base: 2, xl: 4 }} gap="4">
            {children}
            <Pick name="paymentKind" label={t.kind} any={t.any} of={of} options={Object.entries(t.kinds)} />
            <Pick name="channel" label={t.channel} any={t.any} of={of} options={Object.entries(channelWords)} />
            <Pick
              name="oddity"
              label={t.oddity}
              any={t.any}
              of={of}
              options={odd.map((name) => [name, t.oddities[name]])}
            />
            <Amount name="min" label={t.min} of={of} />
            <Amount name="max" label={t.max} of={of} error={wrong.amounts ? t.orderOfAmounts : undefined} />
            {day("from", t.from)}
            {day("to", t.to, wrong.days ? t.order : undefined)}
          </SimpleGrid>
          {of.count > 0 && (
            <Flex gap="3" wrap="wrap" align="center">
              {of.filters.member && (
                <>
                  <chakra.p textStyle="body">{member ? t.member(member) : t.oneMember}</chakra.p>
                  <Button size="sm" variant="outline" onClick={() => of.set({ member: "" })}>
                    {t.everybody}
                  </Button>
                </>
              )}
              <Button size="sm" variant="ghost" onClick={of.clear}>
                {t.clearFilters}
              </Button>
            </Flex>
          )}
        </Stack>
      </chakra.details>
      <Saved of={of} />
    </CardBox>
  );
}

interface StatesProps {
  of: Filtering;
  states: readonly (keyof typeof t.states)[];
}

/** The lists of a group's or an ajo's desk, by what their payments are marked. */
export function States({ of, states }: StatesProps) {
  return (
    <SelectField label={t.state} value={of.list} onChange={(event) => of.toList(event.target.value)}>
      {states.map((state) => (
        <option key={state} value={state}>
          {t.states[state]}
        </option>
      ))}
    </SelectField>
  );
}
