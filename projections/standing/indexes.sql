CREATE INDEX ON rm_standing (user_id);
CREATE INDEX ON rm_standing (next_day) WHERE status = 'ACTIVE';
ALTER TABLE rm_standing_days ADD PRIMARY KEY (order_id, pos);
