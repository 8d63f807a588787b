-- The first holds all that is filtered by: whatever is looked for, a member's movements are found without reading
-- them, and only the page's own are.
ALTER TABLE rm_movements ADD CONSTRAINT rm_movements_found PRIMARY KEY (user_id, pos)
    INCLUDE (kind, incoming, channel, group_id, sub_account_id, kobo, effective_at, reference);
ALTER TABLE rm_movements ADD UNIQUE (id, user_id); -- One event can move the money of two wallets.
CREATE INDEX ON rm_payments (user_id, created_at DESC);
CREATE INDEX ON rm_payments (created_at) WHERE status IN ('INITIATED', 'PENDING');
