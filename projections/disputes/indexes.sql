CREATE INDEX ON rm_disputes (user_id, pos);
CREATE INDEX ON rm_disputes (due_at, pos) WHERE status IN ('OPEN', 'INVESTIGATING', 'INFO_REQUESTED', 'REOPENED');
CREATE INDEX ON rm_disputes (dispute_id) WHERE bank_answer IN ('GIVEN', 'SENT');
CREATE INDEX ON rm_disputes (bank_answer_by) WHERE bank_answer_by IS NOT NULL AND status IN ('OPEN', 'INVESTIGATING', 'INFO_REQUESTED', 'REOPENED');
CREATE INDEX ON rm_disputes (plan, pos) WHERE plan IN ('PROPOSED', 'APPROVED');
CREATE INDEX ON rm_disputes (resolved_at, pos) WHERE status NOT IN ('OPEN', 'INVESTIGATING', 'INFO_REQUESTED', 'REOPENED');
CREATE INDEX ON rm_dispute_steps (pos);
CREATE INDEX ON rm_disputes (arrival_id) WHERE arrival_id <> '';
