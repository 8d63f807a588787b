CREATE INDEX ON rm_requests (group_id, pos DESC);
CREATE INDEX ON rm_requests (pos) WHERE status IN ('REQUESTED', 'VALIDATED', 'ON_HOLD', 'APPROVED', 'PAYOUT_PENDING', 'PAYOUT_FAILED');
CREATE UNIQUE INDEX ON rm_audit (event_id);
CREATE INDEX ON rm_audit (group_id, mark, (odd = 0), pos);
CREATE INDEX ON rm_audit (group_id, pos);
