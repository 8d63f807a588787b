ALTER TABLE rm_unmatched ADD UNIQUE (id);
CREATE INDEX ON rm_unmatched (pos);
CREATE INDEX ON rm_unmatched (status, pos);
CREATE INDEX ON rm_unmatched (assigned_pos);
CREATE INDEX ON rm_send_backs (status, pos);
CREATE INDEX ON rm_send_backs (stream);
CREATE INDEX ON rm_unmatched (provider_ref);
