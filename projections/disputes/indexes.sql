CREATE INDEX ON rm_disputes (user_id, pos);
CREATE INDEX ON rm_disputes (decide_by, pos) WHERE status IN ('OPEN', 'INVESTIGATING', 'INFO_REQUESTED', 'REOPENED');
CREATE INDEX ON rm_disputes (plan, pos) WHERE plan IN ('PROPOSED', 'APPROVED');
CREATE INDEX ON rm_disputes (resolved_at, pos) WHERE status NOT IN ('OPEN', 'INVESTIGATING', 'INFO_REQUESTED', 'REOPENED');
