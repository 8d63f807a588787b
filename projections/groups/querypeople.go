package groups

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Waiting is a person who is not an active member: invited, waiting for approval, or inactive.
type Waiting struct {
	GroupID, User string
	Pos           int64
	Status        string
	Since         time.Time
	InvitedBy     string
	Expires       *time.Time // Of an invitation.
}

const waitingColumns = "SELECT group_id, user_id, pos, status, since, invited_by, expires_at FROM rm_members "

func waiting(rows pgx.Rows, err error) ([]Waiting, error) {
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[Waiting])
}

// WaitingIn reads at most limit people with a status in groups, in the order they came.
func WaitingIn(ctx context.Context, pool *pgxpool.Pool, groupIDs []string, status string, limit int) ([]Waiting, error) {
	return waiting(pool.Query(ctx, waitingColumns+"WHERE group_id = ANY($1) AND status = $2 ORDER BY pos LIMIT $3", groupIDs, status, limit))
}

// WaitingAfter reads a page of people with a status in a group after a position, in the order they came.
func WaitingAfter(ctx context.Context, pool *pgxpool.Pool, groupID, status string, after int64, limit int) ([]Waiting, error) {
	return waiting(pool.Query(ctx, waitingColumns+"WHERE group_id = $1 AND status = $2 AND pos > $3 ORDER BY pos LIMIT $4", groupID, status, after, limit))
}

// LapsedInvitations reads invitations that were not accepted in time, the oldest first.
func LapsedInvitations(ctx context.Context, pool *pgxpool.Pool, now time.Time, limit int) ([]Waiting, error) {
	return waiting(pool.Query(ctx, waitingColumns+"WHERE status = 'INVITED' AND expires_at <= $1 ORDER BY expires_at LIMIT $2", now, limit))
}

// Counts is how many people of each status a group has.
func Counts(ctx context.Context, pool *pgxpool.Pool, groupID string) (map[string]int, error) {
	rows, err := pool.Query(ctx, "SELECT status, count(*) FROM rm_members WHERE group_id = $1 GROUP BY status", groupID)
	if err != nil {
		return nil, err
	}
	counts := map[string]int{}
	var (
		status string
		n      int
	)
	_, err = pgx.ForEachRow(rows, []any{&status, &n}, func() error { counts[status] = n; return nil })
	return counts, err
}

// Reason reads why a group is suspended, closing or over; empty for another.
func Reason(ctx context.Context, pool *pgxpool.Pool, groupID string) (reason string, err error) {
	err = pool.QueryRow(ctx, "SELECT reason FROM rm_groups WHERE id = $1", groupID).Scan(&reason)
	return reason, err
}

// SubAccountIDs reads the ids of a group's sub-accounts, oldest first.
func SubAccountIDs(ctx context.Context, pool *pgxpool.Pool, groupID string) ([]string, error) {
	rows, err := pool.Query(ctx, "SELECT id FROM rm_sub_accounts WHERE group_id = $1 ORDER BY pos", groupID)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[string])
}

// Document is a document of a group.
type Document struct {
	ID      string
	Pos     int64
	GroupID string
	User    string // The member who saved it.
	AddedAt time.Time
}

// Documents reads the documents of groups, newest first.
func Documents(ctx context.Context, pool *pgxpool.Pool, groupIDs []string) ([]Document, error) {
	rows, err := pool.Query(ctx, `SELECT id, pos, group_id, user_id, added_at FROM rm_group_documents
		WHERE group_id = ANY($1) AND NOT removed ORDER BY pos DESC LIMIT 1000`, groupIDs)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[Document])
}

// DocumentGroup reads the group of a document, removed or not; ErrNone when there is none.
func DocumentGroup(ctx context.Context, pool *pgxpool.Pool, id string) (groupID string, err error) {
	err = pool.QueryRow(ctx, "SELECT group_id FROM rm_group_documents WHERE id = $1", id).Scan(&groupID)
	if errors.Is(err, pgx.ErrNoRows) {
		return "", ErrNone
	}
	return groupID, err
}

// Shows reports whether a viewer is an active member of a group that has a document.
func Shows(ctx context.Context, pool *pgxpool.Pool, viewer, id string) (shown bool, err error) {
	err = pool.QueryRow(ctx, `SELECT EXISTS (SELECT FROM rm_group_documents d JOIN rm_members m ON m.group_id = d.group_id
		WHERE d.id = $2 AND NOT d.removed AND m.user_id = $1 AND m.status = 'ACTIVE')`, viewer, id).Scan(&shown)
	return shown, err
}

// RemovedDocuments reads the ids of the documents that groups have removed, the latest first.
func RemovedDocuments(ctx context.Context, pool *pgxpool.Pool, limit int) ([]string, error) {
	rows, err := pool.Query(ctx, "SELECT id FROM rm_group_documents WHERE removed ORDER BY pos DESC LIMIT $1", limit)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[string])
}

// Vote is a group whose approvers vote on a candidate to take over from its owner.
type Vote struct{ GroupID, Owner, Candidate string }

// OpenVotes reads all open votes.
func OpenVotes(ctx context.Context, pool *pgxpool.Pool) ([]Vote, error) {
	rows, err := pool.Query(ctx, "SELECT id, owner_id, candidate FROM rm_groups WHERE candidate <> '' ORDER BY pos")
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[Vote])
}
