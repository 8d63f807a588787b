import { Box, chakra } from "@chakra-ui/react";
import { type KeyboardEvent, useId, useRef, useState } from "react";
import { folded } from "@/lib/letters";
import { controlRecipe } from "@/theme/recipes";
import { VisuallyHidden } from "@/ui/bits";
import { FieldFrame, useField } from "./fields";

export interface ComboOption {
  value: string;
  label: string;
}

interface ComboboxProps {
  label: string;
  options: ComboOption[];
  value: string;
  onChange: (value: string) => void;
  placeholder: string;
  words: { none: string; found: (count: number) => string };
  error?: string;
  help?: string;
  disabled?: boolean;
}

const Control = chakra("input", controlRecipe);

const matches = (options: ComboOption[], typed: string) => {
  const wanted = folded(typed.trim());
  return options.filter(({ label }) => folded(label).includes(wanted));
};

/** The field's text and the highlighted option, while somebody searches. */
function useSearching({ options, value, onChange }: Pick<ComboboxProps, "options" | "value" | "onChange">) {
  const [typed, setTyped] = useState<string>();
  const [at, setAt] = useState(0);
  const chosen = options.find((option) => option.value === value);
  const found = typed === undefined || typed === chosen?.label ? options : matches(options, typed);
  const open = typed !== undefined;
  const start = () => {
    setTyped(chosen?.label ?? "");
    setAt(Math.max(0, chosen ? options.indexOf(chosen) : 0));
  };
  const search = (text: string) => {
    setTyped(text);
    setAt(0);
  };
  const close = () => setTyped(undefined);
  const choose = (option: ComboOption | undefined) => {
    if (option) onChange(option.value);
    close();
  };
  const move = (by: number) => (open ? setAt((at + by + found.length) % Math.max(1, found.length)) : start());
  return { shown: typed ?? chosen?.label ?? "", found, open, at, start, search, close, choose, move };
}

type Searching = ReturnType<typeof useSearching>;

/** Whether the key was one of the list's. */
function press(key: string, { open, found, at, move, choose, close }: Searching): boolean {
  if (key === "ArrowDown") move(1);
  else if (key === "ArrowUp") move(-1);
  else if (open && key === "Enter") choose(found[at]);
  else if (open && key === "Escape") close();
  else return false;
  return true;
}

function onKey(event: KeyboardEvent, searching: Searching) {
  if (press(event.key, searching)) event.preventDefault();
}

function Options({ id, label, value, searching }: { id: string; label: string; value: string; searching: Searching }) {
  const { found, at, choose } = searching;
  return (
    <chakra.ul
      id={id}
      role="listbox"
      aria-label={label}
      listStyleType="none"
      position="absolute"
      zIndex="popover"
      top="full"
      mt="1"
      insetInline="0"
      maxHeight="16rem"
      overflowY="auto"
      bg="bg.panel"
      borderWidth="1px"
      borderColor="border.control"
      borderRadius="md"
      boxShadow="float"
      p="1"
    >
      {found.map((option, place) => (
        <chakra.li
          key={option.value}
          id={`${id}-${place}`}
          role="option"
          tabIndex={-1}
          aria-selected={option.value === value}
          ref={(item: HTMLLIElement | null) => {
            if (item && place === at) item.scrollIntoView?.({ block: "nearest" });
          }}
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => choose(option)}
          px="3"
          minHeight="11"
          display="flex"
          alignItems="center"
          borderRadius="sm"
          cursor="pointer"
          fontWeight={option.value === value ? "600" : undefined}
          bg={place === at ? "bg.brand" : undefined}
          color={place === at ? "fg.brand" : undefined}
        >
          {option.label}
        </chakra.li>
      ))}
    </chakra.ul>
  );
}

/**
 * A long list to search by typing: arrows, Enter and Escape work, and only an option of the list can be chosen.
 * Chakra's own Combobox takes EditProfile from 30 to 68 KB, SubAccountPage from 38 to 76 KB and LiquidationRequests from
 * 47 to 84 KB, over the 60 KB that `npm run size` allows.
 */
export function Combobox(props: ComboboxProps) {
  const { label, value, placeholder, words, error, help, disabled } = props;
  const field = useField({ label, error, help });
  const list = useId();
  const input = useRef<HTMLInputElement>(null);
  const searching = useSearching(props);
  const { open, found, at } = searching;
  return (
    <FieldFrame id={field.id} label={label} error={error} help={help}>
      <Box position="relative">
        <Control
          {...field}
          ref={input}
          role="combobox"
          aria-expanded={open && found.length > 0}
          aria-controls={list}
          aria-autocomplete="list"
          aria-activedescendant={open && found.length > 0 ? `${list}-${at}` : undefined}
          autoComplete="off"
          spellCheck={false}
          placeholder={placeholder}
          disabled={disabled}
          value={searching.shown}
          onChange={(event) => searching.search(event.target.value)}
          onClick={() => !open && searching.start()}
          onFocus={() => input.current?.select()}
          onBlur={searching.close}
          onKeyDown={(event) => onKey(event, searching)}
        />
        {open && found.length > 0 && <Options id={list} label={label} value={value} searching={searching} />}
      </Box>
      {open && found.length === 0 && (
        <chakra.p textStyle="small" color="fg.muted" mt="1.5">
          {words.none}
        </chakra.p>
      )}
      <VisuallyHidden role="status">{open ? words.found(found.length) : ""}</VisuallyHidden>
    </FieldFrame>
  );
}
