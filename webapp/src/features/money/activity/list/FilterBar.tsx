import { Box, chakra, Flex, SimpleGrid } from "@chakra-ui/react";
import { useEffect, useId, useRef, useState } from "react";
import { lagosDay } from "@/lib/dates";
import { channelWords } from "@/lib/texts/money";
import { groupsSource } from "@/store/sources";
import { useRead } from "@/store/useRead";
import { Button } from "@/ui/Button";
import { SelectField, TextField } from "@/ui/form/fields";
import { filterTexts as t } from "../texts";
import { kinds, type UseFilters, useSent } from "./useFilters";

const TYPING_MS = 350;

/** Follows what is typed once the typing pauses or the field is left, and shows what came from elsewhere. */
function Search({ value, onSearch }: { value: string; onSearch: (text: string) => void }) {
  const [typed, setTyped] = useState(value);
  const last = useRef(value);
  const sent = useSent();
  const search = () => {
    const text = typed.trim();
    if (text === last.current) return;
    last.current = text;
    sent.add(text);
    onSearch(text);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: typing alone starts the clock
  useEffect(() => {
    const later = setTimeout(search, TYPING_MS);
    return () => clearTimeout(later);
  }, [typed]);
  useEffect(() => {
    if (sent.came(value) || value === last.current) return;
    last.current = value;
    setTyped(value);
  }, [value, sent]);
  return (
    <TextField
      label={t.search}
      type="search"
      maxLength={100}
      placeholder={t.searchPlaceholder}
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
      onBlur={search}
    />
  );
}

interface PickProps {
  label: string;
  value: string;
  options: [value: string, label: string][];
  onChange: (value: string) => void;
}

function Pick({ label, value, options, onChange }: PickProps) {
  return (
    <SelectField label={label} value={value} onChange={(event) => onChange(event.target.value)}>
      <option value="">{t.all}</option>
      {options.map(([one, name]) => (
        <option key={one} value={one}>
          {name}
        </option>
      ))}
    </SelectField>
  );
}

function Picks({ use: { value, set } }: { use: UseFilters }) {
  const { remote: groups } = useRead(groupsSource);
  const mine = groups.state === "ready" ? groups.value : [];
  const day = (name: "from" | "to", label: string, error?: string) => (
    <TextField
      label={label}
      type="date"
      max={lagosDay()}
      value={value(name)}
      error={error}
      onChange={(event) => set(name, event.target.value)}
    />
  );
  const upsideDown = value("from") > value("to") && value("to") !== "" ? t.order : undefined;
  return (
    <SimpleGrid columns={{ base: 1, sm: 2, lg: 3 }} gap="4" mt="4">
      <Pick
        label={t.kind}
        value={value("kind")}
        options={(Object.keys(kinds) as (keyof typeof kinds)[]).map((kind) => [kind, t.kinds[kind]])}
        onChange={(value) => set("kind", value)}
      />
      <Pick
        label={t.direction}
        value={value("direction")}
        options={Object.entries(t.directions)}
        onChange={(value) => set("direction", value)}
      />
      <Pick
        label={t.channel}
        value={value("channel")}
        options={Object.entries(channelWords)}
        onChange={(value) => set("channel", value)}
      />
      <Pick
        label={t.group}
        value={value("groupId")}
        options={mine.map(({ id, name }) => [id, name])}
        onChange={(value) => set("groupId", value)}
      />
      {day("from", t.from)}
      {day("to", t.to, upsideDown)}
    </SimpleGrid>
  );
}

/** Search always, and on wish what narrows it down. */
export function FilterBar({ use }: { use: UseFilters }) {
  const { filters, value, set, clear } = use;
  const count = Object.keys(filters).filter((name) => name !== "search").length;
  const [open, setOpen] = useState(count > 0);
  const id = useId();
  return (
    <Box as="search" mb="5">
      <Flex gap="3" align="flex-end" wrap="wrap">
        <Box flex="1 1 14rem">
          <Search value={value("search")} onSearch={(text) => set("search", text)} />
        </Box>
        <Button variant="outline" size="lg" aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
          {t.active(count)}
        </Button>
      </Flex>
      <div id={id} hidden={!open}>
        {open && (
          <>
            <Picks use={use} />
            {count > 0 && (
              <chakra.div mt="4">
                <Button variant="link" onClick={clear}>
                  {t.clear}
                </Button>
              </chakra.div>
            )}
          </>
        )}
      </div>
    </Box>
  );
}
