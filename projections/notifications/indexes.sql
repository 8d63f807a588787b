ALTER TABLE rm_notifications ADD PRIMARY KEY (user_id, pos, type);
CREATE INDEX ON rm_notified_terms (user_id);
