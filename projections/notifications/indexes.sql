ALTER TABLE rm_notifications ADD PRIMARY KEY (id);
CREATE INDEX ON rm_notifications (user_id, pos DESC, id DESC);
CREATE INDEX ON rm_notifications (pos);
