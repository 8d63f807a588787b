CREATE INDEX ON rm_months (draw_at) WHERE drawn_at IS NULL;
CREATE INDEX ON rm_months (place_id) WHERE sample IS NOT NULL AND attested_at IS NULL;
CREATE INDEX ON rm_rechecks (place_id) WHERE agreed_at IS NULL;
