import { chakra, Flex } from "@chakra-ui/react";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { useStore } from "@/store/store";
import { useSubmit } from "@/store/useSubmit";
import { Button, IconButton } from "@/ui/Button";
import { TextField } from "@/ui/form/fields";
import { CloseIcon } from "@/ui/icons";
import { Modal } from "@/ui/overlays";
import { auditTexts as t } from "../texts";
import type { Filtering, Filters } from "./useFilters";

const MOST = 10;
const NAME_MAX = 40;

const nameFits = (name: string) => (name.trim() !== "" && name.trim().length <= NAME_MAX) || t.saveFault;

interface SavedFilter {
  name: string;
  /** The group or ajo whose desk they are of; empty for the desk across groups. */
  desk?: string;
  /** The list that they narrow. */
  queue: string;
  filters: Filters;
}

/** A desk's filters that the one signed in has saved in this browser: they hold no power, so no server keeps them. */
function useSaved(desk: string) {
  const id = useStore((state) => state.session?.id ?? "");
  const all = useStore((state) => state.savedFilters);
  const every = (all[id] ?? []) as SavedFilter[];
  const isHere = (one: SavedFilter) => (one.desk ?? "") === desk;
  const keep = (next: SavedFilter[]) => useStore.setState({ savedFilters: { ...all, [id]: next } });
  const without = (name: string) => every.filter((one) => one.name !== name || !isHere(one));
  return {
    saved: every.filter(isHere),
    save: (one: SavedFilter) => keep([...without(one.name), one]),
    remove: (gone: string) => keep(without(gone)),
  };
}

function Naming({ open, onClose, onSave }: { open: boolean; onClose: () => void; onSave: (name: string) => void }) {
  const form = useForm({ defaultValues: { name: "" } });
  const submit = useSubmit(form, { onReview: ({ name }) => onSave(name.trim()) });
  return (
    <Modal open={open} onClose={onClose} title={t.save}>
      <form onSubmit={submit} noValidate>
        <TextField
          label={t.saveName}
          error={form.formState.errors.name?.message}
          autoComplete="off"
          {...form.register("name", { validate: nameFits })}
        />
        <Flex gap="3" mt="4" justify="flex-end">
          <Button variant="ghost" type="button" onClick={onClose}>
            {t.cancel}
          </Button>
          <Button type="submit">{t.saveIt}</Button>
        </Flex>
      </form>
    </Modal>
  );
}

/** The saved filters: each is one press away, and those that are on can be saved. */
export function Saved({ of }: { of: Filtering }) {
  const { saved, save, remove } = useSaved(of.desk);
  const [naming, setNaming] = useState(false);
  if (saved.length === 0 && of.count === 0) return null;
  return (
    <Flex gap="2" wrap="wrap" align="center" mt="3">
      {saved.length > 0 && (
        <chakra.ul aria-label={t.saved} listStyleType="none" display="flex" flexWrap="wrap" gap="2">
          {saved.map(({ name, queue, filters }) => (
            <chakra.li key={name} display="flex" alignItems="center">
              <Button size="sm" variant="outline" onClick={() => of.put({ list: queue, filters })}>
                {name}
              </Button>
              <IconButton label={t.remove(name)} onClick={() => remove(name)}>
                <CloseIcon />
              </IconButton>
            </chakra.li>
          ))}
        </chakra.ul>
      )}
      {of.count > 0 && (
        <Button
          size="sm"
          variant="ghost"
          disabled={saved.length >= MOST}
          title={saved.length >= MOST ? t.savedMost : undefined}
          onClick={() => setNaming(true)}
        >
          {t.save}
        </Button>
      )}
      <Naming
        open={naming}
        onClose={() => setNaming(false)}
        onSave={(name) => {
          save({ name, desk: of.desk, queue: of.list, filters: of.filters });
          setNaming(false);
        }}
      />
    </Flex>
  );
}
