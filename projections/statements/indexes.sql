-- The second is for what counts within a day, wherever it was recorded.
ALTER TABLE rm_entries ADD PRIMARY KEY (account, pos, n);
CREATE INDEX ON rm_entries (account, effective_at);
