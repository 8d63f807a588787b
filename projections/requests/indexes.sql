CREATE INDEX ON rm_requests (group_id, pos DESC);
CREATE INDEX ON rm_requests (pos) WHERE status IN ('REQUESTED', 'VALIDATED', 'ON_HOLD', 'APPROVED', 'PAYOUT_PENDING', 'PAYOUT_FAILED');
CREATE INDEX ON rm_disputed_money (sub_account_id);
