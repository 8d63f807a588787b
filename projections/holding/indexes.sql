CREATE INDEX ON rm_holds (expires_at);
CREATE INDEX ON rm_holds (account);
