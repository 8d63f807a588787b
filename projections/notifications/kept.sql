CREATE TABLE IF NOT EXISTS notification_marks (
    id uuid PRIMARY KEY, user_id text NOT NULL, read_at timestamptz, deleted_at timestamptz);
CREATE TABLE IF NOT EXISTS notification_cleared (
    user_id text PRIMARY KEY, read_pos bigint NOT NULL, deleted_pos bigint NOT NULL);
