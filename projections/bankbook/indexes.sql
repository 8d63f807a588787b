CREATE INDEX ON rm_bank_lines (at);
CREATE INDEX ON rm_bank_lines (channel, provider_ref);
CREATE INDEX ON rm_bank_lines (about) WHERE about <> '';
CREATE INDEX ON rm_bank_payouts (reference, channel, pos DESC);
