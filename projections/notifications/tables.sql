CREATE TABLE rm_notified_requests (id text PRIMARY KEY, group_id text NOT NULL, sub_account_id text NOT NULL, requested_by text NOT NULL, validated_by text NOT NULL, kobo bigint NOT NULL,
    shown boolean NOT NULL DEFAULT false);
CREATE TABLE rm_notified_people (group_id text NOT NULL, user_id text NOT NULL, role text NOT NULL, PRIMARY KEY (group_id, user_id));
CREATE INDEX ON rm_notified_people (group_id) WHERE role <> 'MEMBER';
CREATE TABLE rm_notifications (
    id uuid NOT NULL, user_id text NOT NULL, pos bigint NOT NULL, type text NOT NULL, created_at timestamptz NOT NULL,
    event_id uuid NOT NULL, about_id text NOT NULL, group_id text NOT NULL, sub_account_id text NOT NULL,
    kobo bigint NOT NULL, detail text NOT NULL, subject_id text NOT NULL);
CREATE TABLE rm_notified_roles (group_id text NOT NULL, role text NOT NULL, user_id text NOT NULL, PRIMARY KEY (group_id, role));
