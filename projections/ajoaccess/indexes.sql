CREATE INDEX ON rm_ajo_asks (pos);
