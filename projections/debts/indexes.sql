CREATE INDEX ON rm_debts (pos) WHERE kobo > 0;
CREATE INDEX ON rm_locked_cards (pos);
