import { useEffect, useState } from "react";
import { SelectField, TextField } from "@/ui/form/fields";
import { pickTexts as t } from "./texts";
import { useSubAccounts } from "./useGroup";

const TYPING_MS = 350;

interface SubAccountPickProps {
  groupId: string;
  value: string;
  /** Whether all of them together may be chosen. */
  all?: boolean;
  onChange: (id: string) => void;
}

export function SubAccountPick({ groupId, value, all = false, onChange }: SubAccountPickProps) {
  const { list } = useSubAccounts(groupId);
  const subs = list.state === "ready" ? list.value.SubAccounts : [];
  return (
    <SelectField label={t.subAccount} value={value} onChange={(event) => onChange(event.target.value)}>
      {all && <option value="">{t.all}</option>}
      {subs.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </SelectField>
  );
}

/** Follows what is typed once the typing pauses. */
export function MemberSearch({ onSearch }: { onSearch: (name: string) => void }) {
  const [typed, setTyped] = useState("");
  // biome-ignore lint/correctness/useExhaustiveDependencies: typing alone starts the clock
  useEffect(() => {
    const later = setTimeout(() => onSearch(typed.trim()), TYPING_MS);
    return () => clearTimeout(later);
  }, [typed]);
  return (
    <TextField
      label={t.search}
      type="search"
      autoComplete="off"
      maxLength={100}
      placeholder={t.searchPlaceholder}
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
    />
  );
}
