package groups

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/domain/wording"
	"adashi.ng/projections/groups"
	"adashi.ng/services/internal/mail"
	"adashi.ng/services/internal/usecase"
)

// typed is an invitation as it was typed, whether or not the address has an account.
type typed struct {
	ID, GroupID, Email, User string
	At, Expires              time.Time
}

// projected is for how long an invitation may be missing in the read model.
const projected = 10 * time.Second

// keepTyped stores the address of an invitation as it was typed; user is empty when no account has it.
func (s *Service) keepTyped(ctx context.Context, groupID, email, user string) error {
	_, err := s.Pool.Exec(ctx, `INSERT INTO typed_invitations (id, group_id, email, user_id, typed_at, expires_at) VALUES ($1, $2, $3, $4, $5, $6)
		ON CONFLICT (group_id, email) DO UPDATE SET user_id = $4, typed_at = $5, expires_at = $6`,
		uuid.New(), groupID, email, user, s.Now(), s.Now().Add(savings.InvitationFor))
	return err
}

// typedIn reads the valid invitations of some groups, in the order in which they were typed.
func (s *Service) typedIn(ctx context.Context, groupIDs []string, most int) ([]typed, error) {
	rows, err := s.Pool.Query(ctx, `SELECT t.id::text, t.group_id, t.email, t.user_id, t.typed_at, t.expires_at FROM typed_invitations t
		LEFT JOIN rm_members m ON m.group_id = t.group_id AND m.user_id = t.user_id
		WHERE t.group_id = ANY($1) AND t.expires_at > $2 AND (t.user_id = '' OR m.status = 'INVITED' OR m.user_id IS NULL AND t.typed_at > $3)
		ORDER BY t.typed_at, t.id LIMIT $4`, groupIDs, s.Now(), s.Now().Add(-projected), most)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[typed])
}

// view shows an invitation among members: the address in place of a name, and an id that belongs to no user.
func (t typed) view() Member {
	at := t.At.UTC()
	return Member{UserId: t.ID, FirstName: t.Email, Role: MemberRoleMEMBER, Status: MemberStatus(savings.Invited), DateJoined: &at}
}

// invitations returns the invitations of groups as their officials see them.
func (s *Service) invitations(ctx context.Context, groupIDs []string, name func(groupID string) string) ([]WaitingMember, error) {
	out := []WaitingMember{}
	all, err := s.typedIn(ctx, groupIDs, waitingMax)
	for _, t := range all {
		expires := t.Expires.UTC()
		out = append(out, WaitingMember{GroupId: t.GroupID, GroupName: name(t.GroupID), Member: t.view(), Expires: &expires})
	}
	return out, err
}

// invitedPage returns the page of invited people, for officials.
func (s *Service) invitedPage(ctx context.Context, groupID string, q *string) (MemberPage, error) {
	out := MemberPage{Members: []Member{}}
	all, err := s.typedIn(ctx, []string{groupID}, waitingMax)
	for _, t := range all {
		if q == nil || strings.Contains(t.Email, strings.ToLower(*q)) {
			out.Members = append(out.Members, t.view())
		}
	}
	out.Count = len(out.Members)
	return out, err
}

// takeBack removes an invitation by its own id, for an approver, and returns the invited user: empty when no account
// has the address, which then gets a letter about it. It returns false when the id is not one of the group's
// invitations.
func (s *Service) takeBack(ctx context.Context, by, groupID, id, reason string) (user string, found bool, err error) {
	err = s.Pool.QueryRow(ctx, `SELECT user_id FROM typed_invitations WHERE group_id = $1 AND id::text = $2`, groupID, id).Scan(&user)
	if errors.Is(err, pgx.ErrNoRows) {
		return "", false, nil
	}
	if err == nil {
		err = s.mayChange(ctx, by, groupID)
	}
	if err == nil && user == "" { // A user's invitation ends with its record, and that notifies them.
		err = s.withdraw(ctx, by, groupID, id, reason)
	}
	return user, err == nil, err
}

// withdraw removes an invitation to an address without an account, and writes to the address, once.
func (s *Service) withdraw(ctx context.Context, by, groupID, id, reason string) error {
	reason, err := wording.Text("reason", "The reason", reason, 0, savings.MaxReason)
	if err != nil {
		return err
	}
	g, err := groups.One(ctx, s.Pool, groupID)
	if err != nil {
		return usecase.NotThere(err, groups.ErrNone, "group")
	}
	from, err := s.inviter(ctx, by)
	if err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, s.Pool, func(tx pgx.Tx) error {
		var email string
		err := tx.QueryRow(ctx, `DELETE FROM typed_invitations WHERE group_id = $1 AND id::text = $2 RETURNING email`, groupID, id).Scan(&email)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil // Another approver withdrew it meanwhile.
		}
		if err != nil {
			return err
		}
		return mail.Withdraw(ctx, tx, groupID, mail.InvitationWithdrawn(email, from, g.Name, reason), s.Now())
	})
}
