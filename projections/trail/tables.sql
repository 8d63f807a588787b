-- One row for each subject that an event names. subject is Key; mark is twice the event's position, and one more when the
-- event counts from another time than it was recorded at. Both stand in the key alone, so that a subject's events are
-- found without reading the table, as far as it is vacuumed: that comes early.
CREATE TABLE rm_trail (subject bigint NOT NULL, mark bigint NOT NULL) WITH (autovacuum_vacuum_insert_scale_factor = 0.02);
-- Whose the pools are, for events that move one and do not name its group.
CREATE TABLE rm_trail_pools (sub_account_id text PRIMARY KEY, group_id text NOT NULL);
