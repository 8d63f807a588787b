import { Stack } from "@chakra-ui/react";
import { Choice } from "@/ui/form/Choice";
import { Switch } from "@/ui/form/fields";
import { CardIcon, PlusIcon } from "@/ui/icons";
import { cardTexts as t } from "./texts";

interface SavedCard {
  id?: string;
  brand?: string;
  last4: string;
  expMonth?: number;
  expYear?: number;
  bank?: string;
}

export const cardName = ({ brand, last4 }: SavedCard) => t.name(brand, last4);

/** When it expires and whose it is, as far as is known. */
export const cardDetail = ({ expMonth, expYear, bank }: SavedCard) =>
  [bank, expMonth && expYear && t.expires(expMonth, expYear)].filter(Boolean).join(" · ") || undefined;

const NEW = "new";

export interface ChosenCard {
  /** A saved card; a new one when absent. */
  cardId?: string;
  saveCard?: boolean;
}

interface CardChoiceProps {
  cards: SavedCard[];
  value: ChosenCard;
  onChange: (value: ChosenCard) => void;
  disabled?: boolean;
}

/** A saved card, or a new one which is kept only if its owner says so. */
export function CardChoice({ cards, value, onChange, disabled }: CardChoiceProps) {
  const saved = cards.flatMap((card) =>
    card.id ? [{ value: card.id, title: cardName(card), detail: cardDetail(card), icon: <CardIcon /> }] : [],
  );
  const fresh = { value: NEW, title: t.fresh, detail: t.freshDetail, icon: <PlusIcon /> };
  return (
    <Stack gap="3">
      {saved.length > 0 && (
        <Choice
          legend={t.legend}
          name="card"
          value={value.cardId ?? NEW}
          options={[...saved, fresh]}
          disabled={disabled}
          onChange={(id) => onChange(id === NEW ? {} : { cardId: id })}
        />
      )}
      {!value.cardId && (
        <Switch
          label={t.save}
          help={t.saveHelp}
          checked={value.saveCard ?? false}
          disabled={disabled}
          onChange={(event) => onChange({ saveCard: event.target.checked })}
        />
      )}
    </Stack>
  );
}
