CREATE INDEX ON rm_bank_lines (at);
CREATE INDEX ON rm_bank_lines (provider, provider_ref);
CREATE INDEX ON rm_bank_lines (about) WHERE about <> '';
CREATE INDEX ON rm_bank_payouts (reference, provider, pos DESC);
CREATE INDEX ON rm_bank_lines (charge_of) WHERE charge_of IS NOT NULL;
CREATE INDEX ON rm_bank_lines (provider, taken_of) WHERE taken_of IS NOT NULL;
