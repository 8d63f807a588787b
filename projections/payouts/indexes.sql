CREATE INDEX ON rm_payouts (user_id, pos DESC);
CREATE INDEX ON rm_payouts (pos) WHERE status IN ('REQUESTED', 'SENT');
